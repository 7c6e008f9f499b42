package aggregate

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"

	"redline/bench"
)

// terse appends a value as JSON that encoding/json reads back, but without the fields that are zero: most counters of most seconds are.
func terse(b []byte, v reflect.Value) []byte {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return append(b, "null"...)
		}
		return terse(b, v.Elem())
	}
	if written, ok := terseOwn(b, v); ok {
		return written
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(b, v.Uint(), 10)
	case reflect.Float32:
		return appendNumber(b, v.Float(), 32)
	case reflect.Float64:
		return appendNumber(b, v.Float(), 64)
	case reflect.Slice, reflect.Array:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = terse(b, v.Index(i))
		}
		return append(b, ']')
	case reflect.Struct:
		b = append(b, '{')
		b = terseFields(b, v, len(b))
		return append(b, '}')
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		return append(b, "null"...)
	}
	return append(b, text...)
}

// terseOwn appends what has a form of its own.
func terseOwn(b []byte, v reflect.Value) ([]byte, bool) {
	switch v.Type() {
	case reflect.TypeFor[bench.Sketch]():
		return v.Addr().Interface().(*bench.Sketch).AppendJSON(b), true
	case reflect.TypeFor[samples]():
		return v.Interface().(samples).appendJSON(b), true
	}
	return b, false
}

// terseFields appends a struct's fields; first is where they begin. Those of embedded structs are its own, as encoding/json has it.
func terseFields(b []byte, v reflect.Value, first int) []byte {
	t := v.Type()
	for i := range t.NumField() {
		field, f := t.Field(i), v.Field(i)
		if !field.IsExported() || f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0 {
			continue
		}
		if field.Anonymous {
			b = terseFields(b, f, first)
			continue
		}
		if len(b) > first {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), field.Name...), '"', ':')
		b = terse(b, f)
	}
	return b
}

// appendNumber appends a number that JSON knows: what is beyond all numbers is the last of them, and what is none is 0.
func appendNumber(b []byte, v float64, bits int) []byte {
	most := math.MaxFloat64
	if bits == 32 {
		most = math.MaxFloat32
	}
	if v != v {
		v = 0
	}
	return strconv.AppendFloat(b, max(min(v, most), -most), 'g', -1, bits)
}
