package viewtest

import (
	"reflect"
	"strings"
	"time"

	"redline/bench"
)

// Planted is a run whose every word that is not redline's or its operator's own holds a marker: whatever shows it in private leaks. The words
// are found by walking the types, so that a field which is added later is in it.
func Planted(marker string) (*bench.Snapshot, *bench.Journal) { return planted(marker, own) }

// Besieged is a run whose every word is the given one, redline's and the operator's own too, so that no text can have been forgotten.
func Besieged(word string) (*bench.Snapshot, *bench.Journal) { return planted(word, nil) }

func planted(marker string, own []string) (*bench.Snapshot, *bench.Journal) {
	s := Make(Limited, 0)
	r := *s.Run
	s.Run = &r
	r.Demo, r.Target, r.Host, r.Notes = false, "https://"+marker+"/v1", marker, []string{"requests go through the proxy " + marker}
	s.Failures = []bench.Ended{{Request: request(marker), Outcome: bench.ServerError, Status: 502, Header: map[string][]string{"Server": {marker}}}, {Outcome: bench.NotStreaming, Status: 200}}
	for k := bench.EventStart; k <= bench.EventEnd; k++ {
		s.Events = append(s.Events, bench.Event{At: s.At - time.Second, Kind: k, Outcome: bench.ServerError, N: 1, Text: "by redline"})
	}
	s.Quotas = append(s.Quotas, bench.Quota{Name: marker, Per: time.Minute, Limit: bench.Some(100), Remaining: bench.Some(3), At: s.At})
	Serve(s)
	s.Server = append(s.Server, bench.Scrape{URL: "http://" + marker + "/metrics", State: bench.ScrapeDenied, Why: "401"})
	r.Works = append([]bench.Workload(nil), r.Works...)
	for i := range r.Works {
		r.Works[i].Left = "2 rows: " + marker
	}
	plant(reflect.ValueOf(s).Elem(), "", marker, own)
	for i := range s.Events {
		switch s.Events[i].Kind {
		case bench.EventPause, bench.EventResume, bench.EventDrain, bench.EventDrained, bench.EventDown, bench.EventUp, bench.EventWarn, bench.EventEnd, bench.EventGap, bench.EventFailure:
			s.Events[i].Text = "no key for " + marker + ", quit"
		}
	}
	j := &bench.Journal{At: s.At, Flying: 2, Flights: []bench.Flight{{Request: request(marker)}, {Request: request(marker)}}, Reading: bench.Reading{ID: 7, Tokens: 3, Chars: 9}}
	for id := range uint64(40) {
		e := &bench.Ended{Request: request(marker), Outcome: bench.Outcome(id) % bench.NumOutcomes, Header: map[string][]string{"Server": {marker}}}
		e.ID = id + 10
		j.Ended = append(j.Ended, e)
	}
	plant(reflect.ValueOf(j).Elem(), "", marker, own)
	return s, j
}

func request(marker string) bench.Request {
	return bench.Request{ID: 7, Prompt: bench.Prompt{History: []bench.Message{{Role: "system", Text: marker}}}}
}

// own are words that stay in private: the operator's, and redline's.
var own = []string{"Version", "Model", "Scenario", "Note", "Works.Name", "Works.Words", "Following.Profile.Text", "Ask.Text", "Health.Why", "HeldBy", "Events.Text", "Role", "Protocol", "Server.Engine", "Server.Why"}

// plant puts a marker into every text below a value, but for those that are our own.
func plant(v reflect.Value, path, marker string, own []string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			plant(v.Elem(), path, marker, own)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				plant(v.Field(i), path+"."+v.Type().Field(i).Name, marker, own)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			plant(v.Index(i), path, marker, own)
		}
	case reflect.String:
		for _, name := range own {
			if strings.HasSuffix(path, "."+name) {
				return
			}
		}
		if !strings.Contains(v.String(), marker) || marker == "" {
			v.SetString(marker)
		}
	case reflect.Map:
		if h, ok := v.Interface().(map[string][]string); ok && own == nil && len(h) > 0 {
			v.Set(reflect.ValueOf(map[string][]string{marker: {marker}}).Convert(v.Type()))
		}
	}
}
