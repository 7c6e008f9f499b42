package view

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/layout"
	"redline/ui/style"
)

// stateChip is the run's state: its glyph, word and look, and what belongs to it in few words.
func (f *frame) stateChip() (glyph, word, detail string, look style.Token) {
	s, g := f.live, f.g
	why := bench.Clause(s.Why)
	// It steps with the clock, so that the row is sent once a second.
	age := length(s.At.Truncate(time.Second) - s.Since.Truncate(time.Second))
	flying := ""
	if s.InFlight > 0 {
		flying = strconv.Itoa(s.InFlight) + " still in flight"
	}
	switch s.State {
	case bench.Waiting:
		if f.st.Replay != nil {
			return g.Ready, "READY", "", style.Accent
		}
		return g.Ready, "READY", f.st.Keys.Key(action.Pause) + " to start", style.Accent
	case bench.Running:
		if s.Deadline.OK && s.Deadline.At > s.At {
			detail = "ends in " + length(s.Deadline.At-s.At+time.Second-1)
		}
		if text := silence(s); text != "" {
			return g.Running, "RUNNING", strings.TrimSuffix(text+", "+detail, ", "), style.Warn
		}
		return g.Running, "RUNNING", detail, style.Good
	case bench.Paused:
		if why != "" {
			age += "  " + why
		}
		if flying != "" {
			age += "  " + flying
		}
		return g.Paused, "PAUSED", age, style.Warn
	case bench.Draining:
		detail = flying
		if n := s.Tail.Finished; s.Tail.Began.OK && n > 0 {
			detail += ", " + count(n) + " finished"
		}
		if s.Deadline.OK && s.Deadline.At > s.At {
			detail += ", " + length(s.Deadline.At-s.At+time.Second-1) + " at most"
		}
		return g.Draining, "DRAINING", detail, style.Warn
	case bench.Down:
		if why != "" {
			age += "  " + why
		}
		return g.Dead, "TARGET DOWN", age, style.Bad
	case bench.Warming:
		if n := s.Run.Warmup; n > 0 && !began(s) {
			// Measuring begins when these have ended.
			return g.Ready, "WARMING UP", count(max(s.Warmed, 0)) + " of " + count(n), style.Accent
		}
		if why != "" {
			age += "  " + why
		}
		return g.Ready, "WARMING UP", age, style.Warn
	case bench.Done:
		return g.Done, "DONE", strings.Join(slices.DeleteFunc([]string{why, tail(s), f.savedWords()}, func(text string) bool { return text == "" }), ", "), style.Strong
	}
	return g.Ready, "?", why, style.Dim
}

// began tells whether anything has been measured yet.
func began(s *bench.Snapshot) bool { return s.Total.Span > 0 || s.Total.Tally.Judged() > 0 }

// tail is how the requests ended that still ran when the last had been sent: "7 more in 4 s, 1 cut"; empty where there were none.
func tail(s *bench.Snapshot) string {
	t := &s.Tail
	if !t.Began.OK || t.Finished+t.Cut < 1 {
		return ""
	}
	out := count(t.Finished) + " more in " + length(t.Span)
	if t.Cut > 0 {
		out += ", " + count(t.Cut) + " cut"
	}
	return out
}

// silence is how long no token has come though some should; empty while tokens flow, and when nothing is in flight any more.
func silence(s *bench.Snapshot) string {
	if s.State != bench.Running || !s.Silent.OK || s.Silent.At > s.At || s.InFlight < 1 {
		return ""
	}
	return "no token for " + length(s.At-s.Silent.At)
}

// headLine is line 1: state and chips, what is driven, and the clock at the right.
func (f *frame) headLine() {
	glyph, word, detail, look := f.stateChip()
	r := f.start()
	f.replayHead(r)
	r.Blank(1).Put(look, glyph).Blank(1).Put(strong(look), word)
	right := f.headTail()
	end := f.W - f.width(right) - 1
	chips, fits := f.fittingChips(end - r.Cells() - 1)
	if clock := f.clockTail(); !fits && len(clock) < len(right) {
		// The clock stays; how tokens are counted, and which workload it is, is said elsewhere as well.
		right = clock
		end = f.W - f.width(right) - 1
		chips, _ = f.fittingChips(end - r.Cells() - 1)
	}
	// The chips matter more than the model's name, and less than the state's own words.
	if detail != "" {
		r.Blank(2).Cut(style.FG, detail, end-r.Cells()-f.width(chips)-2*len(chips)-1)
	}
	for _, c := range chips {
		r.Blank(min(2, max(end-r.Cells()-3, 0))).Cut(c.look, c.text, end-r.Cells()-1)
	}
	if f.Density < layout.Full {
		f.modelShort(r, end-r.Cells()-3)
	} else {
		f.modelLong(r, end-r.Cells()-3)
	}
	if end > r.Cells() {
		r.To(end)
		for _, p := range right {
			r.Put(p.look, p.text)
		}
	}
	f.end()
}

// strong keeps a state's colour where it warns, and is bold where it does not.
func strong(look style.Token) style.Token {
	if look == style.Good {
		return style.Strong
	}
	return look
}

// clockTail is the least that stands at the right of the first row: the clock, and that the run is kept.
func (f *frame) clockTail() []part {
	return append([]part{{style.FG, f.headClock()}}, f.recordingTail()...)
}

func (f *frame) headTail() []part {
	out := []part{{style.FG, f.headClock()}}
	if name := f.workName(f.s.Work); f.Density == layout.Compact && name != "" {
		out = append([]part{{style.Accent2, name}, {style.Dim, "  "}}, out...)
	} else if f.Density == layout.Compact && f.counted() {
		out = append([]part{f.counting(), {style.Dim, "  "}}, out...)
	}
	if f.Density >= layout.Full {
		out = append(out, part{style.Dim, " · window " + f.windowWord()})
		if p := f.st.Percentile; p != bench.P95 {
			out = append(out, part{style.Dim, " · plot " + p.String()})
		}
		if f.st.Scope != Level {
			out = append(out, part{style.Accent2, " · scope " + f.st.Scope.String()})
		}
	}
	return append(out, f.recordingTail()...)
}

// modelLong is "host/v1 · model · in 256 out 212 tok".
func (f *frame) modelLong(r *style.Row, room int) {
	run := f.s.Run
	where := host(run)
	if run.Demo {
		where = "simulated server"
	}
	set := f.st.Set
	if room < min(set.Width(where), 16)+3+min(set.Width(run.Model), 12) {
		if room < 8 {
			return
		}
		r.Blank(2).Cut(style.FG, where, room)
		if left := room - set.Width(where) - 3; left >= 6 {
			r.Put(style.Dim, " · ").Middle(style.Strong, run.Model, left)
		}
		return
	}
	// Of a long name the middle matters least: the tail may take what is left of 20 cells for it, and of those of the host.
	host := min(set.Width(where), max(room/3, 16))
	end := r.Cells() + 2 + room
	fitted := f.fitting(f.modelTail(room - host - 3 - min(set.Width(run.Model), 20)))
	model := max(room-host-f.width(fitted)-3, 12)
	r.Blank(2).Cut(style.FG, where, host)
	r.Put(style.Dim, " · ").Middle(style.Strong, run.Model, min(model, room))
	for _, p := range fitted {
		if r.Cells()+set.Width(p.text) <= end {
			r.Put(p.look, p.text)
		}
	}
}

// modelTail is what is asked of the model: how, the workload's name and the lengths, as asked and as they are where there is room for both.
func (f *frame) modelTail(room int) ([]ranked, int) {
	how, name := part{style.Dim, " · " + f.asking()}, part{}
	need, rank := "", 3
	if f.st.Set.Width(how.text) > len(" · chat stream") {
		// What is not asked in the usual way is worth more than both lengths.
		need, rank = how.text, 0
	}
	out := []ranked{{how, rank}}
	if n := f.work().Name; n != "" {
		name = part{style.Dim, " · " + n}
		if rank = 2; len(f.s.Run.Works) > 1 {
			// Where there are several, which one it is matters more than how it is asked.
			name.look, rank = style.Accent2, 0
		}
		need += name.text
		out = append(out, ranked{name, rank})
	}
	in, answer := f.lengths()
	if in == "" {
		return out, room
	}
	// Answers of another length than was asked for are another workload than the one that is named.
	if asked, ok := f.askedAnswer(); ok {
		answer = asked + " asked " + answer + " real"
	}
	short := " · in " + in + " out " + answer + " tok"
	if asked, real, ok := f.askedLengths(); ok {
		long := " · in " + asked + " asked " + real + " real out " + answer + " tok"
		if f.st.Set.Width(need+long) <= room {
			short = long
		}
	}
	return append(out, ranked{part{style.Dim, short}, 1}), room
}

// modelShort is "model @ host"; the host keeps its head, the model loses its middle.
func (f *frame) modelShort(r *style.Row, room int) {
	run := f.s.Run
	if room < 8 {
		return
	}
	r.Blank(2)
	name := min(f.st.Set.Width(run.Model), max(room*3/5, 8))
	r.Middle(style.Strong, run.Model, name)
	where := run.Host
	if run.Demo {
		where = "simulated server"
	}
	if left := room - name - 3; left >= 6 && where != "" {
		r.Put(style.Dim, " @ ").Cut(style.FG, where, left)
	}
}

// lengths are the tokens of a request as measured, else as asked. Where there are several workloads they are those of the present level.
func (f *frame) lengths() (in, out string) {
	work, t := f.work(), f.ofWork()
	in, out = strconv.Itoa(work.InputTokens), "≤"+strconv.Itoa(work.MaxTokens)
	if sound(t.PromptTokens) {
		in = whole(t.PromptTokens)
	}
	if sound(t.AnswerTokens) {
		out = whole(t.AnswerTokens)
	}
	if work.InputTokens == 0 && !sound(t.PromptTokens) {
		return "", ""
	}
	return in, out
}

// ofWork is the summary that speaks of the present workload alone.
func (f *frame) ofWork() *bench.Summary {
	if len(f.s.Run.Works) > 1 && f.level != nil {
		return &f.level.Summary
	}
	return &f.s.Total
}

// farOff is the share by which answers may be longer or shorter than was asked for without a word.
const farOff = 0.2

// askedAnswer is the length of an answer as it was asked for, where those that come are of another.
func (f *frame) askedAnswer() (asked string, ok bool) {
	want, t := f.work().OutputTokens, f.ofWork()
	if want <= 0 || !sound(t.AnswerTokens) || math.Abs(t.AnswerTokens.V-float64(want)) <= farOff*float64(want) {
		return "", false
	}
	return strconv.Itoa(want), true
}

// askedLengths are the tokens of a prompt as they were asked for, and as the server counted them, where these differ.
func (f *frame) askedLengths() (asked, real string, ok bool) {
	t := f.ofWork()
	if !sound(t.AskedTokens) || !sound(t.CountedTokens) {
		return "", "", false
	}
	asked, real = whole(t.AskedTokens), whole(t.CountedTokens)
	return asked, real, asked != real
}
