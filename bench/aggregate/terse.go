package aggregate

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"sync"

	"redline/bench"
)

// A saved state is written and read by its own hand: encoding/json goes over every array of a sketch half a dozen times, which is most of the time that it
// takes to open a long run. What is written is plain JSON, with the names of the fields, and without those that are zero, as most of a second's are.

// forms are the types that have a form of their own.
var (
	sketchType  = reflect.TypeFor[bench.Sketch]()
	markType    = reflect.TypeFor[bench.Mark]()
	valueType   = reflect.TypeFor[bench.Value]()
	amountType  = reflect.TypeFor[bench.Amount]()
	samplesType = reflect.TypeFor[samples]()
	gapsType    = reflect.TypeFor[bench.GapList]()
	bucketType  = reflect.TypeFor[bench.Bucket]()
)

// field is a field of a struct as it is written: those of embedded structs are the struct's own, as encoding/json has it.
type field struct {
	name  string
	index []int
}

var fieldsOf sync.Map // of reflect.Type to []field

// fields are the fields of a struct.
func fields(t reflect.Type) []field {
	if known, ok := fieldsOf.Load(t); ok {
		return known.([]field)
	}
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case !f.IsExported():
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			for _, inner := range fields(f.Type) {
				out = append(out, field{inner.name, append([]int{i}, inner.index...)})
			}
		default:
			out = append(out, field{f.Name, []int{i}})
		}
	}
	fieldsOf.Store(t, out)
	return out
}

// appendTerse appends a value.
func appendTerse(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(b, v.Uint(), 10)
	case reflect.Float64:
		return appendNumber(b, v.Float(), 64)
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, "null"...)
		}
		return appendTerse(b, v.Elem())
	case reflect.Struct:
		return appendStruct(b, v)
	case reflect.Slice, reflect.Array:
		switch {
		case v.Type() == samplesType:
			return v.Interface().(samples).appendJSON(b)
		case v.Type().Elem().Kind() == reflect.Uint8 && v.Kind() == reflect.Slice:
			break
		default:
			b = append(b, '[')
			for i := range v.Len() {
				if i > 0 {
					b = append(b, ',')
				}
				b = appendTerse(b, v.Index(i))
			}
			return append(b, ']')
		}
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		return append(b, "null"...) // nothing that is saved has no JSON form
	}
	return append(b, text...)
}

func appendStruct(b []byte, v reflect.Value) []byte {
	switch v.Type() {
	case sketchType:
		return v.Interface().(bench.Sketch).AppendJSON(b)
	case markType:
		if m := v.Interface().(bench.Mark); m.OK {
			return strconv.AppendInt(b, int64(m.At), 10)
		}
		return append(b, "null"...)
	case valueType:
		if m := v.Interface().(bench.Value); m.OK {
			return appendNumber(b, m.V, 64)
		}
		return append(b, "null"...)
	case amountType:
		a := v.Interface().(bench.Amount)
		if a == (bench.Amount{}) {
			return append(b, "null"...)
		}
		b = appendNumber(append(b, '['), a.Sum, 64)
		b = appendNumber(append(b, ','), a.Weight, 64)
		return append(appendNumber(append(b, ','), a.Max, 64), ']')
	case gapsType:
		return append(b, "null"...) // of what is saved none has gaps
	}
	b = append(b, '{')
	first := len(b)
	for _, f := range fields(v.Type()) {
		of := v.FieldByIndex(f.index)
		if of.IsZero() || of.Kind() == reflect.Slice && of.Len() == 0 {
			continue
		}
		if len(b) > first {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), f.name...), '"', ':')
		b = appendTerse(b, of)
	}
	return append(b, '}')
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
