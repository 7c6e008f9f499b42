package aggregate

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"redline/bench"
)

// derived are the fields of a State, and of what it holds, that are not saved, and why.
var derived = map[string]string{
	"State.counted":  "is that of a second while it is being folded",
	"State.scratch":  "is room to work in",
	"State.shown":    "is made from the rest",
	"tier.to":        "is always the same",
	"tier.keep":      "is always the same",
	"dist.h":         "is made from the sketch when something is added",
	"dist.stale":     "tells that the sketch is not what the histogram has: it is made first",
	"level.verdicts": "are made from its numbers, before they are looked at",
	"level.bare":     "is of shown",
	"level.shown":    "is made from the rest, as it was at shownAt",
}

// full puts something into every field of a value, unexported ones too.
func full(v reflect.Value) {
	switch v.Type() {
	case reflect.TypeFor[bench.Sketch]():
		h := bench.NewHistogram()
		h.Add(7, 3)
		v.Set(reflect.ValueOf(h.Sketch()))
		return
	case reflect.TypeFor[bench.GapList](), reflect.TypeFor[bench.Histogram](), reflect.TypeFor[*bench.Run](), reflect.TypeFor[map[string][]string]():
		return
	case reflect.TypeFor[*rand.PCG]():
		v.Set(reflect.ValueOf(rand.NewPCG(5, 6)))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1.5)
	case reflect.String:
		v.SetString("x")
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		full(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		full(v.Index(0))
	case reflect.Array:
		for i := range v.Len() {
			full(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Name() + "." + v.Type().Field(i).Name; derived[name] == "" {
				full(unlocked(v.Field(i)))
			}
		}
	default:
		panic(fmt.Sprintf("a field of type %v: say here how it is filled", v.Type()))
	}
}

// unlocked is a field that may be set though it is not exported.
func unlocked(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// differ calls back with every field in which two values differ, but for derived ones.
func differ(path string, a, b reflect.Value, yield func(path string, a, b any)) {
	switch {
	case a.Type() == reflect.TypeFor[*bench.Run]():
		a, b = reflect.ValueOf(a.Interface().(*bench.Run).Thresholds), reflect.ValueOf(b.Interface().(*bench.Run).Thresholds)
	case a.Kind() == reflect.Pointer && !a.IsNil() && !b.IsNil() && strings.Contains(a.Type().String(), "aggregate"):
		differ(path, a.Elem(), b.Elem(), yield)
		return
	case a.Kind() == reflect.Array, a.Kind() == reflect.Slice && a.Len() == b.Len():
		for i := range a.Len() {
			differ(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i), yield)
		}
		return
	case a.Kind() == reflect.Struct && strings.HasPrefix(a.Type().String(), "aggregate."):
		for i := range a.NumField() {
			if name := a.Type().Name() + "." + a.Type().Field(i).Name; derived[name] == "" {
				differ(path+"."+a.Type().Field(i).Name, unlocked(a.Field(i)), unlocked(b.Field(i)), yield)
			}
		}
		return
	}
	if !reflect.DeepEqual(a.Interface(), b.Interface()) {
		yield(path, a.Interface(), b.Interface())
	}
}

func TestNothingOfAStateIsForgotten(t *testing.T) {
	s := NewState(&bench.Run{})
	full(reflect.ValueOf(s).Elem())
	// What is so odd that no state is like it.
	s.run = &bench.Run{Works: make([]bench.Workload, 2), Thresholds: []bench.Threshold{{Metric: 1, At: 1, Floor: true, Limit: 1.5}}}
	s.folded, s.cleared = 9*time.Second, time.Second
	for o := range s.broken {
		s.broken[o].Outcome = bench.Outcome(o)
		s.broken[o].ID = uint64(100 - o)
	}
	s.broken[bench.NumOutcomes-1].Answer = "an answer"
	for i := range s.series.tiers {
		b := s.series.tiers[i].buckets[0]
		b.Start, b.Span, b.Active = time.Duration(4-i)*time.Second, time.Second, time.Second
	}
	for i, b := range append(s.levels[0].batches.full, s.levels[0].batches.growing) {
		b.Start, b.Span, b.Active = time.Duration(i)*time.Second, time.Second, time.Second
	}
	k := &shelf{}
	text := k.save(t, s)
	loaded := k.load(t, s.run, text)
	differ("State", reflect.ValueOf(s).Elem(), reflect.ValueOf(loaded).Elem(), func(path string, a, b any) {
		t.Errorf("%s was %+v, and is %+v: save it, or say in derived why it need not be", path, a, b)
	})
	for name := range derived {
		typ, field, _ := strings.Cut(name, ".")
		of := map[string]reflect.Type{"State": reflect.TypeFor[State](), "tier": reflect.TypeFor[tier](), "dist": reflect.TypeFor[dist](), "level": reflect.TypeFor[level]()}[typ]
		if _, ok := of.FieldByName(field); !ok {
			t.Errorf("there is no %s any more", name)
		}
	}
}
