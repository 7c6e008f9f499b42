package aggregate

import (
	"testing"

	"redline/bench"
)

func TestAnOutageIsCountedThoughTheLogNoLongerHasIt(t *testing.T) {
	c := newScript()
	c.second(events(open(0, 1, 0, 2), bench.Event{At: sec / 2, Kind: bench.EventDown, Text: "refused"}))
	for range 4 {
		c.second()
	}
	c.second(events(bench.Event{At: 5*sec + sec/2, Kind: bench.EventUp, Span: 5 * sec}))
	for range maxEvents + 1 {
		c.second(events(bench.Event{At: 6 * sec, Kind: bench.EventNote, Level: 1, Text: "so"}))
	}
	snap := c.s.Snapshot()
	if want := (bench.Outages{N: 1, Lasted: 5 * sec}); snap.Outages != want || snap.EventsGone == 0 {
		t.Errorf("%+v with %d events gone, want %+v", snap.Outages, snap.EventsGone, want)
	}
	loaded, err := c.s.Save().Load(c.s.run)
	if err != nil || loaded.Snapshot().Outages != snap.Outages {
		t.Errorf("%v: what was saved has other outages", err)
	}
}

func TestAClearForgetsOutagesButTheOneThatLasts(t *testing.T) {
	c := newScript()
	c.second(events(open(0, 1, 0, 2), bench.Event{At: 0, Kind: bench.EventDown}, bench.Event{At: sec / 2, Kind: bench.EventUp}))
	if o := c.second(events(bench.Event{At: sec, Kind: bench.EventClear})).Outages; o != (bench.Outages{}) {
		t.Errorf("%+v after a clear", o)
	}
	c.second(events(bench.Event{At: 2 * sec, Kind: bench.EventDown}))
	if o := c.second(events(bench.Event{At: 3 * sec, Kind: bench.EventClear})).Outages; o != (bench.Outages{N: 1, Since: bench.MarkAt(3 * sec)}) {
		t.Errorf("%+v after a clear in the middle of one", o)
	}
}
