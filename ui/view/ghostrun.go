package view

import (
	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/action"
	"redline/ui/layout"
	"redline/ui/style"
)

// Earlier is a run that was measured before, to race against. It never changes.
type Earlier struct {
	// Snap is how it ended; of several targets that of all.
	Snap *bench.Snapshot
	// Only is the one level of it that is meant, whatever the load; nil for all.
	Only *bench.Level
}

// Alignment is by what an earlier run stands behind the lanes.
type Alignment uint8

const (
	// Unaligned: it does not.
	Unaligned Alignment = iota
	// ByLoad: behind each level stands its level of the same load, mode and workload.
	ByLoad
	// ByTime: it runs beside this one, from the start of each.
	ByTime
)

// String is the word behind its name.
func (a Alignment) String() string { return [...]string{"", "by load", "by time", ""}[a&3] }

// next is the alignment that follows when the ghosts are gone through.
func (e *Earlier) next(a Alignment) Alignment {
	switch {
	case e == nil || a == ByTime || a == ByLoad && e.Only != nil:
		return Unaligned
	}
	return a + 1
}

// of is the earlier run at the target that is shown: that in its place where both have several.
func (e *Earlier) of(s *bench.Snapshot) *bench.Snapshot {
	r := e.Snap.Rivals
	if r == nil || s.Rivals == nil || len(r.Of) != len(s.Rivals.Of) || s.Rivals.Shown < 0 || s.Rivals.Shown >= len(r.Of) || r.Of[s.Rivals.Shown] == nil {
		return e.Snap
	}
	return r.Of[s.Rivals.Shown]
}

// past is the earlier run that stands behind the lanes; nil without one.
func (f *frame) past() *bench.Snapshot {
	if f.st.Earlier == nil || f.st.Aligned == Unaligned {
		return nil
	}
	if p := f.st.Earlier.of(f.s); p.Run != nil {
		return p
	}
	return nil
}

// match are the earlier run's levels by the load and the workload that they stand behind.
type match struct {
	past, to *bench.Run
	levels   int
	found    map[met]*bench.Level
}

type met struct {
	load bench.Setpoint
	work int
}

// like is the earlier run's level that stands behind one of this run by load; nil without one.
func (f *frame) like(l *bench.Level) *bench.Level {
	past := f.past()
	switch {
	case past == nil || l == nil:
		return nil
	case f.st.Earlier.Only != nil:
		return f.st.Earlier.Only
	}
	m := &f.Screen.match
	if m.past != past.Run || m.to != f.s.Run || m.levels != len(past.Levels) || len(m.found) > keptColumns {
		*m = match{past.Run, f.s.Run, len(past.Levels), map[met]*bench.Level{}}
	}
	key := met{l.Load, l.Work}
	out, known := m.found[key]
	if !known {
		out = analysis.LevelLike(analysis.Course{Run: past.Run, Levels: past.Levels}, l, f.s.Run)
		m.found[key] = out
	}
	return out
}

// rival is the earlier run's level that the present one is raced against: that of its load, or that which was in force so long after the start; nil without one.
func (f *frame) rival() *bench.Level {
	past := f.past()
	if past == nil || f.level == nil {
		return nil
	}
	if f.st.Aligned == ByLoad {
		return f.like(f.level)
	}
	if f.s.Folded > past.Folded {
		return nil
	}
	for i := len(past.Levels) - 1; i >= 0; i-- {
		if past.Levels[i].Begin <= f.s.Folded {
			return past.Levels[i]
		}
	}
	return nil
}

// raced tells whether Δ compares with an earlier run.
func (f *frame) raced() bool { return f.reference != nil && f.reference == f.racer }

// rivalName is what Δ compares with in a race: "ghost", and its load where that is another.
func (f *frame) rivalName() string {
	if f.level != nil && f.racer.Load == f.level.Load {
		return "ghost"
	}
	return "ghost " + named(f.racer.Load)
}

// pastName is which run an earlier one is: "run 11-30 18:51".
func pastName(s *bench.Snapshot) string {
	if s.Run == nil || s.Run.Start.IsZero() {
		return "run"
	}
	return "run " + s.Run.Start.Format("01-02 15:04")
}

// stranger says that an earlier run is one of something else: of another model, or of another server.
func (f *frame) stranger(past *bench.Snapshot) string {
	was, is := past.Run, f.s.Run
	switch {
	case is == nil || was == nil:
		return ""
	case was.Model != is.Model:
		return ", other model"
	case was.Demo != is.Demo || !is.Demo && was.Host != is.Host:
		return ", other server"
	}
	return ""
}

// racing is the chip of an earlier run: which it is, by what it stands there, and what of it does not.
func (f *frame) racing() (chip, bool) {
	past := f.past()
	if past == nil || f.Density < layout.Small {
		return chip{}, false
	}
	other := f.stranger(past)
	say := func(look style.Token, sign, by string, shortest ...string) (chip, bool) {
		out := chip{part{look, sign + "GHOST " + pastName(past) + by + other}, []string{sign + "GHOST" + by + other}}
		if other != "" {
			// That it is none of the same matters more than by what it stands there.
			out.look = style.Warn
			shortest = append([]string{sign + "GHOST" + other}, shortest...)
		}
		out.shorter = append(out.shorter, shortest...)
		return out, true
	}
	if f.st.View == action.Curve {
		return say(style.Accent2, f.drawn().GhostPoint+" ", "")
	}
	if f.paired() {
		// Lanes of two targets have no room for a third.
		return chip{part{style.Dim, "no ghost beside two targets"}, []string{"no ghost", ""}}, true
	}
	by := " " + f.st.Aligned.String()
	switch l := f.rival(); {
	case f.st.Earlier.Only != nil:
		return say(style.Accent2, "", " at "+named(f.st.Earlier.Only.Load), "")
	case l != nil && f.st.Aligned == ByTime && f.level != nil && l.Load != f.level.Load:
		return say(style.Accent2, "", by+", it at "+named(l.Load), "GHOST at "+named(l.Load), "")
	case l != nil || f.level == nil:
		return say(style.Accent2, "", by, "")
	case f.st.Aligned == ByTime:
		return say(style.Dim, "", by+", over at "+stamp(past.Folded), "GHOST over", "")
	}
	out, _ := say(style.Warn, "", by+": none at "+f.levelName(f.level), "GHOST: none", "")
	// By time it can stand there whatever its loads.
	out.shorter = append([]string{out.text}, out.shorter...)
	out.text += ", " + f.st.Keys.Key(action.Ghost) + " by time"
	return out, true
}

// loadOf is the load of a level that Δ compares with, and its workload where that is another: those of an earlier run have other places.
func (f *frame) loadOf(l *bench.Level) string {
	if f.raced() {
		return named(l.Load)
	}
	return f.levelName(l)
}
