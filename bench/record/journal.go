package record

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"redline/bench"
)

const (
	// lookBack is how many frames before the present one are searched for failures, once there are enough requests that ended well; lookOn how many behind it
	// for the ends of requests in flight.
	lookBack = 3
	lookOn   = 10
)

// Journal is what was known of single requests at the instant of the snapshot, as an engine's Journal gives it; of the target that is shown. Those in flight then are
// known from their later ends, so that of a run that was cut off some are missing. Their Reading is absent.
func (p *Player) Journal() (*bench.Journal, error) { return p.JournalOf(p.moment.Shown) }

// JournalOf is the same of one of several targets, by its place in bench.Rivals.
func (p *Player) JournalOf(track int) (*bench.Journal, error) {
	s := p.Snapshot()
	if s.Rivals != nil {
		s = s.Rivals.Of[track]
	}
	now := p.tracks[track].folded
	if p.journal != nil && p.journal.At == now && p.journalOf == track {
		return p.journal, nil
	}
	j := &bench.Journal{At: now, Flying: s.InFlight}
	read := search{f: p.f, track: track, now: now, from: s.Cleared.At, lines: p.f.borrow()}
	defer p.f.giveBack(read.lines)
	here := min(p.at, len(p.f.frames)-1)
	read.back(here, s)
	read.on(here, j.Flying)
	j.Ended = read.list()
	t := &s.Total.Tally
	j.Gone = max(t.OK+t.Failed+t.Limited+t.Cancelled-len(j.Ended), 0)
	perEvent := s.PerEvent
	if !(perEvent > 0) {
		perEvent = 1
	}
	for i := range read.flying {
		j.Flights = append(j.Flights, flightAt(&read.flying[i], now, perEvent))
	}
	j.Flying = max(j.Flying, len(j.Flights))
	p.journal, p.journalOf = j, track
	return j, nil
}

// search looks for the requests of a track that had ended, or were in flight, at an instant.
type search struct {
	f     *File
	track int
	// now is the instant; what ended before from is forgotten.
	now, from time.Duration
	lines     *lines
	// ok and failed are records, newest last; flying are requests in flight.
	ok, failed []record
	flying     []bench.Ended
}

// record is a request's line, with when it ended.
type record struct {
	ended time.Duration
	id    uint64
	line  []byte
}

// back looks for requests that had ended, from a frame backwards.
func (s *search) back(frame int, shown *bench.Snapshot) {
	t := &shown.Total.Tally
	ok := min(t.OK, bench.JournalOK)
	failed := min(t.Failed+t.Limited+t.Cancelled, bench.JournalFailed)
	for i := frame; i >= 0; i-- {
		var older [2][]record
		s.frame(i, func(e *bench.Ended, line []byte) {
			if e.Marks.Ended.At > s.now || e.Marks.Ended.At < s.from {
				return
			}
			kind, most := 0, bench.JournalOK
			if e.Outcome != bench.OK {
				kind, most = 1, bench.JournalFailed
			}
			older[kind] = append(older[kind], record{e.Marks.Ended.At, e.ID, bytes.Clone(line)})
			if len(older[kind]) > 2*most {
				older[kind] = slices.Delete(older[kind], 0, most)
			}
		})
		s.ok, s.failed = append(older[0], s.ok...), append(older[1], s.failed...)
		if len(s.ok) >= ok && (len(s.failed) >= failed || i <= frame-lookBack) {
			return
		}
	}
}

// on looks for requests that were in flight, so many, from a frame onwards.
func (s *search) on(frame, many int) {
	for i := frame; i < min(frame+lookOn, len(s.f.frames)) && len(s.flying) < many; i++ {
		s.frame(i, func(e *bench.Ended, line []byte) {
			if !e.Marks.Started.OK || e.Marks.Started.At > s.now || e.Marks.Ended.At <= s.now {
				return
			}
			var full bench.Ended
			if _, err := readRequest(line, &full, false); err == nil {
				s.flying = append(s.flying, full)
			}
		})
	}
	slices.SortFunc(s.flying, func(a, b bench.Ended) int {
		return cmp.Or(cmp.Compare(a.Marks.Started.At, b.Marks.Started.At), cmp.Compare(a.ID, b.ID))
	})
	s.flying = s.flying[:min(len(s.flying), bench.JournalFlights)]
}

// frame gives the requests of a frame, as far as it can be read; what is given is good until visit returns.
func (s *search) frame(i int, visit func(e *bench.Ended, line []byte)) {
	s.f.openFrame(s.lines, i)
	var e bench.Ended
	for {
		line, err := s.lines.next()
		if err != nil {
			if err != io.EOF && !(s.f.frames[i].open && i == len(s.f.frames)-1) {
				s.f.damaged(i, s.lines.took, fmt.Sprintf("requests are lost: %v", err))
			}
			return
		}
		if line[0] != '[' {
			continue
		}
		if track, err := readRequest(line, &e, true); err == nil && track == s.track {
			visit(&e, line)
		}
	}
}

// list is what was found of requests that had ended, in the order of their ends.
func (s *search) list() []*bench.Ended {
	all := append(newest(s.ok, bench.JournalOK), newest(s.failed, bench.JournalFailed)...)
	slices.SortStableFunc(all, byEnd)
	var out []*bench.Ended
	for _, r := range all {
		e := new(bench.Ended)
		if _, err := readRequest(r.line, e, false); err == nil {
			e.Prompt.Cut = e.Prompt.Text != ""
			out = append(out, e)
		}
	}
	return out
}

func byEnd(a, b record) int { return cmp.Or(cmp.Compare(a.ended, b.ended), cmp.Compare(a.id, b.id)) }

// newest are the last of some records.
func newest(of []record, most int) []record {
	slices.SortStableFunc(of, byEnd)
	return slices.Clone(of[max(len(of)-most, 0):])
}

// flightAt is a request as it was in flight at an instant before its end.
func flightAt(e *bench.Ended, now time.Duration, perEvent float64) bench.Flight {
	f := bench.Flight{Request: e.Request, Started: e.Marks.Started.At}
	first := e.Marks.FirstToken
	if !first.OK || first.At > now {
		return f
	}
	f.FirstToken, f.LastToken, f.Events = first, first, e.Counts.FirstEvents
	at := first.At
	if e.Marks.FirstChunk.OK {
		at = e.Marks.FirstChunk.At
	}
	for gap, events := range e.Gaps.All() {
		if at += gap; at > now {
			break
		}
		f.LastToken, f.Events, f.MaxGap = bench.MarkAt(at), f.Events+events, max(f.MaxGap, gap)
	}
	f.Tokens = float64(f.Events) * perEvent
	return f
}
