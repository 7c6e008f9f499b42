package bench

import (
	"testing"
	"time"
)

func TestRequestMeasuresAreAbsentWhereThereIsNothingToDivide(t *testing.T) {
	at := func(ms int) Mark { return MarkAt(time.Duration(ms) * time.Millisecond) }
	usage := func(output, events, first, chunks int) Counts {
		return Counts{Source: FromUsage, Output: output, Events: events, FirstEvents: first, Chunks: chunks}
	}
	for _, c := range []struct {
		what   string
		marks  Marks
		counts Counts
		tpot   float64
		ok     bool
	}{
		{"eleven tokens, one an event, 100 ms apart", Marks{FirstToken: at(500), LastToken: at(1500)}, usage(11, 11, 1, 11), 100, true},
		{"two tokens an event: half the gap each", Marks{FirstToken: at(500), LastToken: at(1500)}, usage(22, 11, 1, 11), 50, true},
		{"hidden reasoning is not streamed", Marks{FirstToken: at(500), LastToken: at(1500)},
			Counts{Source: FromUsage, Output: 111, Hidden: 100, Events: 11, FirstEvents: 1, Chunks: 11}, 100, true},
		{"one token has no next one", Marks{FirstToken: at(500), LastToken: at(500)}, usage(1, 1, 1, 1), 0, false},
		{"all tokens in one read have no time between them", Marks{FirstToken: at(500), LastToken: at(500)}, usage(100, 100, 100, 1), 0, false},
		{"no token at all", Marks{}, Counts{}, 0, false},
	} {
		e := Ended{Marks: c.marks, Counts: c.counts}
		got, ok := e.TPOT()
		if ok != c.ok || ok && (got < c.tpot*0.999 || got > c.tpot*1.001) {
			t.Errorf("%s: TPOT %v %v, want %v %v", c.what, got, ok, c.tpot, c.ok)
		}
		if speed, ok := e.Speed(); ok != c.ok || ok && (speed*got < 999 || speed*got > 1001) {
			t.Errorf("%s: speed %v %v", c.what, speed, ok)
		}
	}
}
