package bench

import (
	"testing"
	"time"
)

func TestOutagesAreCountedByWhatTheLogSays(t *testing.T) {
	down := func(at int) Event { return Event{At: time.Duration(at) * time.Second, Kind: EventDown} }
	up := func(at int) Event { return Event{At: time.Duration(at) * time.Second, Kind: EventUp} }
	for _, row := range []struct {
		sentence string
		events   []Event
		want     Outages
		// time is for how long it was down, by second 60.
		time time.Duration
	}{
		{"never down", []Event{{Kind: EventNote}}, Outages{}, 0},
		{"once", []Event{down(10), up(17)}, Outages{N: 1, Lasted: 7 * time.Second}, 7 * time.Second},
		{"twice, and not back", []Event{down(10), up(17), down(50)}, Outages{N: 2, Lasted: 7 * time.Second, Since: MarkAt(50 * time.Second)}, 17 * time.Second},
		{"told twice", []Event{down(10), down(12), up(17), up(18)}, Outages{N: 1, Lasted: 7 * time.Second}, 7 * time.Second},
	} {
		var o Outages
		for i := range row.events {
			o.Take(&row.events[i])
		}
		if o != row.want || o.Time(time.Minute) != row.time {
			t.Errorf("%s: %+v, for %v", row.sentence, o, o.Time(time.Minute))
		}
	}
	last := Outages{N: 3, Lasted: time.Minute, Since: MarkAt(80 * time.Second)}
	if o := last.After(90 * time.Second); o != (Outages{N: 1, Since: MarkAt(90 * time.Second)}) {
		t.Errorf("of one that lasts %+v is left", o)
	}
	last.Since = Mark{}
	if o := last.After(90 * time.Second); o != (Outages{}) {
		t.Errorf("of what is over %+v is left", o)
	}
}
