package view

import (
	"redline/bench"
	"redline/ui/style"
)

// judge holds a promise against a figure's level, or the present scope.
func (f *frame) judge(t bench.Threshold, g figure) bench.Verdict {
	if g.grey && g.from != nil {
		return t.Judge(&g.from.Summary)
	}
	return t.Judge(f.scope)
}

// verdict is ✓ or ✗ for a metric's promise, with its look; empty while it is not known, as where promises are counted, and for quotas.
func (f *frame) verdict(m bench.Metric, g figure) (string, style.Token) {
	t, ok := f.threshold(m)
	if !ok || t.Quota() || f.paceless(m) {
		return "", style.FG
	}
	switch v := f.judge(t, g); {
	case !v.Known:
		return "", style.FG
	case v.Broken:
		return f.g.Fail, g.ink(style.Bad)
	}
	return f.g.OK, g.ink(style.Good)
}

// broken is the word for a promise that is not kept: where the metric's own number would keep it, what breaks it, as far as there is room.
func (f *frame) broken(m bench.Metric, g figure, room int) string {
	t, _ := f.threshold(m)
	if v := f.judge(t, g); v.Broken && v.Missed.All() > 0 && (!sound(g.At(t.At)) || !t.Broken(g.At(t.At).V)) {
		for _, text := range []string{"broken by " + missed(v.Missed), missed(v.Missed)} {
			if f.st.Set.Width(text) <= room {
				return text
			}
		}
	}
	return broken
}

// broken is said of a promise that its number breaks.
const broken = "broken"

// missed are requests that gave no sample: "76 unsent", "3 failed, 76 unsent".
func missed(m bench.Missed) string {
	switch {
	case m.Failed == 0:
		return count(m.Unsent) + " unsent"
	case m.Unsent == 0:
		return count(m.Failed) + " failed"
	}
	return count(m.Failed) + " failed, " + count(m.Unsent) + " unsent"
}

// errorVerdict is the promise on errors, held against the present scope; ok is false where there is none, or nothing to hold it against.
func (f *frame) errorVerdict() (v bench.Verdict, ok bool) {
	t, ok := f.threshold(bench.Errors)
	if !ok {
		return v, false
	}
	v = t.Judge(f.scope)
	return v, sound(v.Value)
}
