package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/ui"
)

// savedWith are the files that are saved of a run whose key is a given one, by their endings.
func savedWith(t *testing.T, s *bench.Snapshot, key string) map[string]string {
	t.Helper()
	c, err := client.New(client.Options{URL: "http://127.0.0.1:9/v1", Model: "m", Key: client.NewSecret(key)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	dir := t.TempDir()
	v := &saver{dir: dir, clean: c.Clean, now: func() time.Time { return savedAt }}
	if _, err := v.save(ui.Frame{Text: "a frame\n", ANSI: "a frame\n", Snapshot: s}); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 4 {
		t.Fatal(names, err)
	}
	out := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Ext(name)] = string(text)
	}
	return out
}

// A key may be any word: null, a number, the name of a field.
func TestASavedSummaryKeepsItsFormWhateverTheKey(t *testing.T) {
	fields := func(text string) (names []string) {
		for line := range strings.Lines(text) {
			if name, _, ok := strings.Cut(line, `": `); ok {
				names = append(names, strings.TrimSpace(name))
			}
		}
		return names
	}
	want := fields(savedWith(t, story(), "a key of no words")[".json"])
	for _, key := range []string{"null", "true", "1234", "none", "token", "test", "redline", "requests", "level", "2026", "0.1976", "units"} {
		text := savedWith(t, story(), key)[".json"]
		var back map[string]any
		if err := json.Unmarshal([]byte(text), &back); err != nil {
			t.Errorf("%s: %v", key, err)
		} else if got := fields(text); back["schema"] != reportSchema || back["about"] != reportNotes || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: schema %v, fields %.300q", key, back["schema"], got)
		}
	}
}

func TestNoFileHasTheKeyWhereverItStood(t *testing.T) {
	const key = "sk_live_A1b2_C3d4E5f6"
	s := story()
	s.Following = &bench.Following{Profile: &bench.Profile{Mode: bench.Closed, Stages: []bench.Stage{{}}}}
	s.Quotas = []bench.Quota{{}}
	for kind := range bench.EventEnd {
		s.Events = append(s.Events, bench.Event{Kind: kind})
	}
	// Every text of the snapshot holds it.
	var plant func(v reflect.Value)
	plant = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			if v.CanSet() {
				v.SetString("with " + key + ".")
			}
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				plant(v.Elem())
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				plant(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				plant(v.Field(i))
			}
		}
	}
	plant(reflect.ValueOf(s))
	s.Run.Version = "dev"
	for ending, text := range savedWith(t, s, key) {
		flat := strings.NewReplacer("\\", "", "&#35;", "#", "&#64;", "@").Replace(text)
		if i := strings.Index(flat, key); i >= 0 {
			t.Errorf("%s has the key: %.90q", ending, flat[max(0, i-40):])
		}
	}
	if !strings.Contains(s.Run.Model, key) || !strings.Contains(s.Levels[0].Note, key) || !strings.Contains(s.Events[0].Text, key) {
		t.Error("the snapshot itself was cleaned")
	}
}

func TestJSONTellsWhatGoodputRestsOn(t *testing.T) {
	s := story()
	s.Total.Goodput, s.Total.Counted = bench.Some(100), s.Total.Tally
	s.Total.Ungraded, s.Total.GoodRateRough = s.Total.Tally.Owed()-20, true
	s.Levels[0].GoodputRough = true
	r := reportOf(s, false, savedAt)
	if of := r.Total.GoodputOf; of == nil || *of != 20 || r.Total.Ungraded != s.Total.Ungraded || !r.Total.RateRough || r.Total.Rough {
		t.Errorf("goodput of %v, %+v", of, r.Total)
	}
	if l := r.Levels[0].Numbers; !l.Rough || l.GoodputOf != nil && s.Levels[0].Goodput.OK == false {
		t.Errorf("%+v", l)
	}
}

// What a clear has forgotten is told wherever numbers are told without it.
func TestEverySummaryTellsOfAClear(t *testing.T) {
	s := story()
	s.Cleared, s.Forgotten = bench.MarkAt(65*time.Second), bench.Tally{Sent: 600, OK: 592, Failed: 5, Limited: 2, Cancelled: 1}
	data, err := reportOf(s, false, savedAt).json()
	if err != nil {
		t.Fatal(err)
	}
	const want = "since 00:01:05, when all before was forgotten: 592 ok, 5 failed, 2 limited (429) and 1 cancelled are in no number but tokens and cost"
	if text := summaryOf(t, s, 0); !strings.Contains(text, want) || !strings.Contains(text, money(0.1976/float64(592+s.Total.Tally.OK))+" for each request that ended well (") {
		t.Error(text)
	}
	if text := markdown(s, ending{}, savedAt); !strings.Contains(text, want) {
		t.Error(text)
	}
	var back struct {
		At        float64 `json:"cleared_at_s"`
		Forgotten struct {
			Sent, OK, Failed int
		}
	}
	if err := json.Unmarshal(data, &back); err != nil || back.At != 65 || back.Forgotten.Sent != 600 || back.Forgotten.OK != 592 || back.Forgotten.Failed != 5 {
		t.Errorf("%v %+v", err, back)
	}
	s.Total = bench.Summary{}
	for what, text := range map[string]string{"summary": summaryOf(t, s, 0), "Markdown": markdown(s, ending{}, savedAt)} {
		if !strings.Contains(text, "o request was sent since 00:01:05, when all before was forgotten: 592 ok") {
			t.Errorf("%s: %s", what, text)
		}
	}
}
