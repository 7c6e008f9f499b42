package pilot

import (
	"fmt"
	"time"

	"redline/bench"
	"redline/bench/analysis"
)

// tell notes something for the log.
func (r *Ramp) tell(now time.Duration, to bench.Setpoint, text string) {
	r.events = append(r.events, bench.Event{Kind: bench.EventRamp, At: now, N: int(r.phase), To: to, Text: text})
}

// together says that a load which is kept is lowered because of what all trials say.
func (r *Ramp) together(s *Second, kept bench.Setpoint, n float64) {
	r.tell(s.Now, kept, fmt.Sprintf("%s is kept, but a backlog swings for longer than that: all trials together say %s", kept, r.at(n)))
}

// broken says what a load has broken.
func (r *Ramp) broken(t *tried) string {
	if t.Why != "" {
		return fmt.Sprintf("%s: %s", t.Load, t.Why)
	}
	return fmt.Sprintf("%s broke %s", t.Load, t.Binding)
}

// ending says how the ramp has ended.
func (r *Ramp) ending() string {
	switch r.phase {
	case bench.RampFound:
		if r.found.AtLeast() {
			return fmt.Sprintf("at least %s: %s, so that more was not asked of the server", r.found.Load, r.broken(r.broke))
		}
		text := fmt.Sprintf("redline %s: %s", r.found.Load, r.broken(r.broke))
		if r.unsure {
			text += "; not confirmed, the client was busy"
		}
		return text
	case bench.RampOpen:
		return fmt.Sprintf("every promise is kept at %s, the greatest load tried", r.found.Load)
	case bench.RampNone:
		return "no promise is kept: " + r.broken(r.broke)
	}
	return r.why
}

// finish reports the load that has been confirmed.
func (r *Ramp) finish(s *Second) {
	at := r.kept
	f := &bench.Redline{Load: at.Load, Level: at.Level, Rough: at.Rough || r.unsure, Lag: at.Lag}
	if l := levelOf(s.Snapshot, at.Level); l != nil {
		f.RPM, f.TPM, f.Goodput = l.Stats[bench.RPM].Mean, l.Stats[bench.TPM].Mean, l.Goodput
		f.PerMillion = analysis.CostOf(&l.Summary, r.prices).PerMillion
	}
	phase := bench.RampOpen
	if b := r.broke; b != nil {
		phase = bench.RampFound
		f.Above, f.Bound, f.AtAbove, f.Why, f.Rough = b.Load, b.Binding, b.Value, b.Why, f.Rough || b.Rough
	}
	r.found = f
	r.over(s.Now, phase, "")
}

// levelOf is the level with an ID; nil where the snapshot has none.
func levelOf(s *bench.Snapshot, id int) *bench.Level {
	for i := len(s.Levels) - 1; i >= 0; i-- {
		if s.Levels[i].ID == id {
			return s.Levels[i]
		}
	}
	return nil
}
