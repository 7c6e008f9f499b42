package view

import (
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/ui/layout"
	"redline/ui/style"
)

// stateChip is the run's state: its glyph, word and look, and what belongs to it in few words.
func (f *frame) stateChip() (glyph, word, detail string, look style.Token) {
	s, g := f.live, f.g
	why := Clause(s.Why)
	age := length(s.At - s.Since)
	flying := ""
	if s.InFlight > 0 {
		flying = strconv.Itoa(s.InFlight) + " still in flight"
	}
	switch s.State {
	case bench.Waiting:
		return g.Ready, "READY", "space to start", style.Accent
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
		if why != "" {
			age += "  " + why
		}
		return g.Ready, "WARMING UP", age, style.Warn
	case bench.Done:
		return g.Done, "DONE", why, style.Strong
	}
	return g.Ready, "?", why, style.Dim
}

// silence is how long no token has come though some should; empty while tokens flow, and when nothing is in flight any more.
func silence(s *bench.Snapshot) string {
	if s.State != bench.Running || !s.Silent.OK || s.Silent.At > s.At || s.InFlight < 1 {
		return ""
	}
	return "no token for " + length(s.At-s.Silent.At)
}

// chips are what stands behind the state: conditions of the view and of this machine.
func (f *frame) chips() []part {
	var out []part
	if f.st.Frozen {
		out = append(out, part{style.Accent2, "FROZEN " + length(f.st.FrozenFor) + ", load live"})
	}
	if f.st.Locked {
		out = append(out, part{style.Warn, "LOCKED"})
	}
	if f.live.Health.Strain != bench.Unstrained {
		text := "! CLIENT BUSY"
		if f.live.Health.Why != "" {
			text += " " + f.live.Health.Why
		}
		out = append(out, part{style.Bad, text})
	}
	return out
}

// headLine is line 1: state and chips, what is driven, and the clock at the right.
func (f *frame) headLine() {
	glyph, word, detail, look := f.stateChip()
	r := f.start().Blank(1).Put(look, glyph).Blank(1).Put(strong(look), word)
	right := f.headTail()
	end := f.W - f.width(right) - 1
	chips := f.chips()
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

func (f *frame) headTail() []part {
	out := []part{{style.FG, clock(f.live.At)}}
	if f.Density == layout.Compact && f.counted() {
		out = append([]part{f.counting(), {style.Dim, "  "}}, out...)
	}
	if f.Density >= layout.Full {
		window := short(f.window)
		out = append(out, part{style.Dim, " · window " + window})
		if p := f.st.Percentile; p != bench.P95 {
			out = append(out, part{style.Dim, " · plot " + p.String()})
		}
		if f.st.Scope != Level {
			out = append(out, part{style.Accent2, " · scope " + f.st.Scope.String()})
		}
	}
	if f.st.Recording {
		out = append(out, part{style.Dim, " "}, part{style.Bad, "REC"})
	}
	return out
}

// modelLong is "host/v1 · model · in 256 out 212 tok".
func (f *frame) modelLong(r *style.Row, room int) {
	run := f.s.Run
	where := host(run)
	if run.Demo {
		where = "simulated server"
	}
	if room < 12 {
		return
	}
	set := f.st.Set
	tail := []ranked{{part{style.Dim, " · " + f.asking()}, 0}}
	if in, out := f.lengths(); in != "" {
		tail = append(tail, ranked{part{style.Dim, " · in " + in + " out " + out + " tok"}, 1})
	}
	// Of a long name the middle matters least: the tail may take what is left of 20 cells for it, and of those of the host.
	host := min(set.Width(where), max(room/3, 16))
	end := r.Cells() + 2 + room
	fitted := f.fitting(tail, room-host-3-min(set.Width(run.Model), 20))
	model := max(room-host-f.width(fitted)-3, 12)
	r.Blank(2).Cut(style.FG, where, host)
	r.Put(style.Dim, " · ").Middle(style.Strong, run.Model, min(model, room))
	for _, p := range fitted {
		if r.Cells()+set.Width(p.text) <= end {
			r.Put(p.look, p.text)
		}
	}
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

// lengths are the tokens of a request as measured, else as asked.
func (f *frame) lengths() (in, out string) {
	work, t := f.work(), &f.s.Total
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
