package report

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
)

func TestJSONTellsWhatGoodputRestsOn(t *testing.T) {
	s := reporttest.Story()
	s.Total.Goodput, s.Total.Counted = bench.Some(100), s.Total.Tally
	s.Total.Ungraded, s.Total.GoodRateRough = s.Total.Tally.Owed()-20, true
	s.Levels[0].GoodputRough = true
	r := reportOf(s, Options{Saved: savedAt})
	if of := r.Total.GoodputOf; of == nil || *of != 20 || r.Total.Ungraded != s.Total.Ungraded || !r.Total.RateRough || r.Total.Rough {
		t.Errorf("goodput of %v, %+v", of, r.Total)
	}
	if l := r.Levels[0].Numbers; !l.Rough || l.GoodputOf != nil && s.Levels[0].Goodput.OK == false {
		t.Errorf("%+v", l)
	}
}

// What a clear has forgotten is told wherever numbers are told without it.
func TestEverySummaryTellsOfAClear(t *testing.T) {
	s := reporttest.Story()
	s.Cleared, s.Forgotten = bench.MarkAt(65*time.Second), bench.Tally{Sent: 600, OK: 592, Failed: 5, Limited: 2, Cancelled: 1}
	data, err := reportOf(s, Options{Saved: savedAt}).json()
	if err != nil {
		t.Fatal(err)
	}
	const want = "since 00:01:05, when all before was forgotten: 592 ok, 5 failed, 2 limited (429) and 1 cancelled are in no number but tokens and cost"
	if text := summaryOf(t, s, 0); !strings.Contains(text, want) || !strings.Contains(text, money(0.1976/float64(592+s.Total.Tally.OK))+" for each request that ended well (") {
		t.Error(text)
	}
	if text := markdown(s, Options{Saved: savedAt}); !strings.Contains(text, want) {
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
	for what, text := range map[string]string{"summary": summaryOf(t, s, 0), "Markdown": markdown(s, Options{Saved: savedAt})} {
		if !strings.Contains(text, "o request was sent since 00:01:05, when all before was forgotten: 592 ok") {
			t.Errorf("%s: %s", what, text)
		}
	}
}
