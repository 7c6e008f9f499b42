package aggregate

import (
	"testing"
	"time"

	"redline/bench"
)

func TestAClientThatFlapsDoesNotFloodTheLog(t *testing.T) {
	s := NewState(&bench.Run{})
	for i := range 900 {
		b := &bench.Batch{Start: time.Duration(i) * time.Second, Span: time.Second, Active: time.Second}
		if i == 0 {
			b.Events = []bench.Event{{Kind: bench.EventStart}, {Kind: bench.EventOpen, Level: 1, To: bench.InFlight(4)}}
		}
		if i == 30 {
			b.Events = []bench.Event{{At: 30 * time.Second, Kind: bench.EventNote, Level: 1, Text: "the operator's note"}}
		}
		b.Health.Strain = bench.Strain(i % 2 * int(bench.Busy))
		s.Fold(b)
	}
	busy, note := 0, false
	sn := s.Snapshot()
	for _, e := range sn.Events {
		if e.Kind == bench.EventBusy {
			busy++
		}
		note = note || e.Kind == bench.EventNote
	}
	if busy > 200 || !note {
		t.Errorf("after 15 min %d of %d events are of the client's health, %d are gone, the note is kept: %v", busy, len(sn.Events), sn.EventsGone, note)
	}
}

func TestAnOpenLoopWithoutRoomDoesNotFloodTheLog(t *testing.T) {
	s := NewState(&bench.Run{})
	for i := range 3600 {
		at := time.Duration(i) * time.Second
		b := &bench.Batch{Start: at, Span: time.Second, Active: time.Second, Target: bench.PerSecond(4)}
		if i == 0 {
			b.Events = []bench.Event{{Kind: bench.EventStart}, {Kind: bench.EventOpen, Level: 1, To: bench.PerSecond(4)}}
		}
		if i == 30 {
			b.Events = []bench.Event{{At: at, Kind: bench.EventNote, Level: 1, Text: "the operator's note"}}
		}
		b.Facts.Unsent = 1
		b.Unsent = []bench.Unsent{{At: at, Level: 1, N: 1}}
		s.Fold(b)
	}
	unsent, note := 0, false
	sn := s.Snapshot()
	for _, e := range sn.Events {
		if e.Kind == bench.EventUnsent {
			unsent++
		}
		note = note || e.Kind == bench.EventNote
	}
	if !note {
		t.Errorf("after an hour %d of %d events are of unsent arrivals, %d are gone, the note is kept: %v", unsent, len(sn.Events), sn.EventsGone, note)
	}
}
