package view

import (
	"strconv"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// lateSent is how late a request must have gone to be told.
const lateSent = lateSend * time.Millisecond

// note writes what is worth a word of a request, as much of it as there is room for.
func (f *frame) note(r *style.Row, list *requestList, q *single, room int) {
	var said []part
	if q.ID == list.slowest {
		said = append(said, part{style.Warn, "slowest TTFT"})
	}
	said = append(said, q.notes(f.st.Journal.At, f.s.Run.Stall, f.st.Private)...)
	for i, p := range said {
		text := p.text
		if i > 0 {
			if text = ", " + text; f.st.Set.Width(text) > room {
				continue
			}
		}
		before := r.Cells()
		r.Cut(p.look, text, room)
		room -= r.Cells() - before
	}
}

// notes are what is worth a word of a request by itself at an instant, the most telling first; from stall on a silence is a stall.
func (q *single) notes(at, stall time.Duration, private bool) []part {
	var out []part
	say := func(look style.Token, text string) { out = append(out, part{look, text}) }
	if q.flight != nil {
		flightNotes(q.flight, at, stall, say)
	} else {
		endedNotes(q.ended, private, say)
	}
	if t := q.Prompt.Turn; t > 0 {
		say(style.Dim, "turn "+strconv.Itoa(t))
	}
	if q.ended != nil && q.ended.Counts.Cached > 0 {
		say(style.Dim, count(q.ended.Counts.Cached)+" cached")
	}
	if q.Level == bench.NoLevel {
		say(style.Dim, "in no level")
	}
	return out
}

// flightNotes are what is worth a word of a request in flight.
func flightNotes(fl *bench.Flight, at, stall time.Duration, say func(style.Token, string)) {
	if quiet := at - fl.LastToken.At; fl.LastToken.OK && stall > 0 && quiet > stall {
		say(style.Warn, "no token for "+length(quiet))
	}
	if late, ok := bench.MarkAt(fl.Started).Since(fl.Scheduled); ok && late > lateSent {
		say(style.Warn, "sent "+chart.NumMillis(bench.Some(bench.Millis(late)))+" ms late")
	}
}

// endedNotes are what is worth a word of a request that is over.
func endedNotes(e *bench.Ended, private bool, say func(style.Token, string)) {
	if e.RetryAfter > 0 {
		say(style.Warn, "retry-after "+length(e.RetryAfter+time.Second-1))
	}
	switch e.Outcome {
	case bench.TimeoutConnect:
		say(style.Warn, "no connection")
	case bench.TimeoutFirst:
		say(style.Warn, "no first token")
	case bench.TimeoutTotal, bench.Stalled, bench.Truncated, bench.StreamError, bench.Cancelled:
		if n := e.Counts.Output; n > 0 {
			say(style.Warn, "at token "+count(n))
		}
	case bench.Interrupted:
		say(style.Warn, "slept in between")
	}
	if e.Burst {
		say(style.Warn, "one burst")
	} else if e.Stalls > 0 {
		if at := longestGap(e); at > 0 {
			say(style.Warn, "stalled at "+count(at))
		}
	}
	if late, ok := e.Lag(); ok && late > lateSent {
		say(style.Warn, "sent "+chart.NumMillis(bench.Some(bench.Millis(late)))+" ms late")
	}
	if !e.Reused && e.Marks.Connected.OK {
		say(style.Dim, "new connection")
	}
	if e.Message != "" && !private && e.RetryAfter == 0 {
		say(style.Dim, e.Message)
	}
}
