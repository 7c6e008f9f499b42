package analysis

import (
	"cmp"
	"math"
	"slices"
	"time"

	"redline/bench"
)

// Binds tells at which load a quota is used up.
type Binds uint8

const (
	// BindsUnknown: what was measured does not tell.
	BindsUnknown Binds = iota
	// BindsNow: the quota is used up at the present load.
	BindsNow
	// BindsAt: it is used up at Binding.At.
	BindsAt
	// BindsPast: it is not used up below Binding.At; how far above, nothing tells.
	BindsPast
	// BindsNever: the server saturates first; all that it does is Binding.Most of the quota.
	BindsNever
	// BindsInTime: a quota of more than a minute, which a load uses up in time: what is left lasts for Quota.Lasts.
	BindsInTime
)

// Binding is where a quota binds.
type Binding struct {
	Binds Binds
	// At is a load, as Setpoint.N (BindsAt, BindsPast). Rough: it lies beyond what was measured, or rests on a level that is not firm.
	At    bench.Value
	Rough bool
	// Most is the share of the quota, 0..1, that the server does at most (BindsNever).
	Most bench.Value
}

// Demand is what requests of the present kind ask of quotas, by load: those of the levels of the present loop and workload since the last note.
type Demand struct {
	Mode bench.Mode
	// Load is the present load, as Setpoint.N.
	Load float64
	// In and Out are the mean tokens of a request at the present level, or at the newest of its kind that knows; absent while none does.
	In, Out bench.Value
	// Rates are attempts a minute by load, the least load first, at levels that no quota held back.
	Rates []Point
	// Rough: some of them rest on few samples.
	Rough bool
}

const (
	// sameRate is how far apart two rates are one.
	sameRate = 0.03
	// apartLoads is how far below the greatest load another must lie, as a share of it, for the two to tell how the curve goes on.
	apartLoads = 0.85
	// saturating is the share of proportional growth below which a curve has bent.
	saturating = 0.5
	// foreseen is up to how many times the greatest measured load a quota is foreseen.
	foreseen = 2
	// firmForeseen is up to how many times that is more than a rough guess.
	firmForeseen = 1.25
)

// DemandOf is the demand of the last level's kind. With reserve a share of quotas is left to others, so that arrivals which were not sent say nothing of the server.
func DemandOf(levels []*bench.Level, over, reserve bool) Demand {
	d := Demand{}
	if len(levels) == 0 {
		return d
	}
	last := levels[len(levels)-1]
	eras := Eras(levels)
	kind := Kind{last.Load.Mode, last.Work, eras[len(eras)-1]}
	d.Mode, d.Load = kind.Mode, last.Load.N
	for i, l := range levels {
		same := l.Load.Mode == kind.Mode && l.Work == kind.Work && eras[i] == kind.Era
		if same && l.Tally.OK >= bench.FewSamples && positive(l.PromptTokens) && positive(l.AnswerTokens) {
			d.In, d.Out = l.PromptTokens, l.AnswerTokens
		}
	}
	for _, c := range Curves(levels, nil, over) {
		if c.Kind == kind {
			d.measure(c.Loads, reserve)
		}
	}
	return d
}

func positive(v bench.Value) bool { return v.OK && v.V > 0 && !math.IsInf(v.V, 0) }

// measure takes the rates of loads in: those that are ready, or where none is those of few samples.
func (d *Demand) measure(loads []Load, reserve bool) {
	var few []Point
	for _, o := range loads {
		l := o.Level
		p, ok := attempts(l, reserve)
		switch {
		case !ok:
		case l.Stats[bench.RPM].Readiness == bench.Ready || l.Load.Mode == bench.Open:
			d.Rates = append(d.Rates, p)
		default:
			few = append(few, p)
		}
	}
	if len(d.Rates) == 0 {
		d.Rates, d.Rough = few, len(few) > 0
	}
	d.Rates = sound(d.Rates)
}

// attempts are the attempts a minute at a level. One that was limited tells of the quota, not of the server, and so does one whose slots were held.
func attempts(l *bench.Level, reserve bool) (Point, bool) {
	t := &l.Tally
	if t.Limited > 0 {
		return Point{}, false
	}
	if l.Load.Mode == bench.Open {
		if l.Short == bench.ArrivalsUnsent && reserve || !positive(l.Achieved) {
			return Point{}, false
		}
		return Point{l.Load.N, 60 * l.Achieved.V}, true
	}
	st := &l.Stats[bench.RPM]
	if l.Short != bench.InFull || st.Readiness == bench.Absent || !positive(st.Mean) || t.OK < 1 {
		return Point{}, false
	}
	return Point{l.Load.N, st.Mean.V * float64(t.OK+t.Failed) / float64(t.OK)}, true
}

// Each is how much of a quota a request uses: itself, or its tokens of the quota's kind.
func (d *Demand) Each(kind bench.QuotaKind) bench.Value {
	switch {
	case kind == bench.QuotaRequests:
		return bench.Some(1)
	case kind == bench.QuotaInput:
		return d.In
	case kind == bench.QuotaOutput:
		return d.Out
	case d.In.OK && d.Out.OK:
		return bench.Some(d.In.V + d.Out.V)
	}
	return bench.Value{}
}

// Now is the use of a quota a minute at the present load; absent where it was not measured.
func (d *Demand) Now(kind bench.QuotaKind) bench.Value {
	each := d.Each(kind)
	for _, p := range d.Rates {
		if p.X == d.Load && each.OK {
			return bench.Some(p.Y * each.V)
		}
	}
	return bench.Value{}
}

// Binds is where a quota of so much a minute binds.
func (d *Demand) Binds(kind bench.QuotaKind, perMinute float64) Binding {
	each := d.Each(kind)
	if !positive(each) || !(perMinute > 0) {
		return Binding{}
	}
	want := perMinute / each.V
	if d.Mode == bench.Open && d.sendsAll() {
		return Binding{Binds: BindsAt, At: bench.Some(want / 60), Rough: d.most() > 0 && want/60 > foreseen*d.most()}
	}
	if len(d.Rates) == 0 {
		return Binding{}
	}
	out := d.within(want)
	if out.Binds == BindsUnknown {
		out = d.beyond(want)
	}
	out.Rough = out.Rough || d.Rough
	return out
}

// most is the greatest load that was measured; 0 where none was.
func (d *Demand) most() float64 {
	if n := len(d.Rates); n > 0 {
		return d.Rates[n-1].X
	}
	return 0
}

// sendsAll tells whether the open loop has sent what was set at each of its rates: attempts are then that rate, whatever the server does with them.
func (d *Demand) sendsAll() bool {
	return !slices.ContainsFunc(d.Rates, func(p Point) bool { return p.Y < 60*p.X*(1-sameRate) })
}

// within is where the measured curve reaches a rate: on a straight line between two loads.
func (d *Demand) within(want float64) Binding {
	var before Point
	for _, p := range d.Rates {
		if p.Y >= want {
			at := before.X + (want-before.Y)/(p.Y-before.Y)*(p.X-before.X)
			if d.Mode == bench.Closed {
				at = max(at, 1) // fewer than one in flight is no load
			}
			// Far below the least load that was measured a straight line from nothing is a guess, but in the open loop, whose rate it is.
			return Binding{Binds: BindsAt, At: bench.Some(at), Rough: d.Mode == bench.Closed && before.X == 0 && want < p.Y/2}
		}
		before = p
	}
	return Binding{}
}

// beyond is where the curve would reach a rate that no load has reached. By Little's law the time in flight is load ÷ rate; in a batch it grows with the
// load along a straight line, so that the rate is load ÷ (a + b × load), which never passes 1 ÷ b.
func (d *Demand) beyond(want float64) Binding {
	top := d.Rates[len(d.Rates)-1]
	peak := 0.0
	for _, p := range d.Rates {
		peak = max(peak, p.Y)
	}
	if !(top.X > 0 && top.Y > 0) {
		return Binding{}
	}
	if want <= peak*(1+sameRate) {
		return Binding{Binds: BindsAt, At: bench.Some(top.X), Rough: true}
	}
	// A rate grows at most in proportion to the load: below this it is never reached.
	least := top.X * want / top.Y
	past := Binding{Binds: BindsPast, At: bench.Some(least)}
	below, ok := d.below(top.X)
	if !ok && d.Mode == bench.Open {
		// Of a lesser rate all would have been sent.
		below, ok = Point{top.X / 2, 30 * top.X}, true
	}
	if !ok {
		if least <= foreseen*top.X {
			return Binding{Binds: BindsAt, At: bench.Some(least), Rough: true}
		}
		return past
	}
	growth := slope(below, top) / (below.Y / below.X)
	b := max((top.X/top.Y-below.X/below.Y)/(top.X-below.X), 0)
	a := top.X/top.Y - b*top.X
	if a > 0 && b*want < 1 {
		if at := a * want / (1 - b*want); at <= foreseen*top.X {
			return Binding{Binds: BindsAt, At: bench.Some(at), Rough: at > firmForeseen*top.X}
		}
		return past
	}
	if growth < saturating {
		return Binding{Binds: BindsNever, Most: bench.Some(peak / want)}
	}
	return past
}

// below is the greatest load that lies well below another.
func (d *Demand) below(x float64) (Point, bool) {
	for _, p := range slices.Backward(d.Rates) {
		if p.X > 0 && p.Y > 0 && p.X <= apartLoads*x {
			return p, true
		}
	}
	return Point{}, false
}

// Quota is a limit on use, whoever set it, and what it means for the load.
type Quota struct {
	// Unit is the trade's word for it: RPM, ITPM, TPD.
	Unit string
	Kind bench.QuotaKind
	Per  time.Duration
	// Own: the operator's, not one that the server states.
	Own bool
	// Limit is a count in Per, Left what is left of it, Used the share that is used, 0..1: as the server said last, or of the trailing minute. Absent where that is
	// not known.
	Limit, Left, Used bench.Value
	// Whole is the instant of the run at which it is whole again; absent where the server does not say. Again: that has passed since the server spoke of it, and
	// what was used since nobody has said.
	Whole bench.Mark
	Again bool
	// Now is the use in Per at the present load.
	Now bench.Value
	// Lasts is how long what is left lasts at the present load, of a quota of more than a minute; 0 where it is whole again before.
	Lasts time.Duration
	Binding
}

const (
	// usedUp is the share of a quota that is as good as all of it.
	usedUp = 0.98
	// wholeMinute is from when on the trailing minute tells of a minute.
	wholeMinute = 55 * time.Second
	// saidLately is how old a server's word may be that lies past its reset: between two answers nothing changes.
	saidLately = 2 * time.Second
	// soon is how little time is left of a quota that binds before any other.
	soon = 10 * time.Minute
)

// Quotas are the operator's own quotas and those that the server states, the one that binds first before the others.
func Quotas(s *bench.Snapshot, d *Demand) []Quota {
	var out []Quota
	if s.Run == nil {
		return nil
	}
	for _, t := range s.Run.Thresholds {
		if t.Quota() {
			out = append(out, ownQuota(s, d, t))
		}
	}
	for i := range s.Quotas {
		if q, ok := statedQuota(s, d, &s.Quotas[i]); ok {
			out = append(out, q)
		}
	}
	slices.SortStableFunc(out, func(a, b Quota) int {
		x, u := a.urgency()
		y, v := b.urgency()
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(u, v))
	})
	return out
}

func ownQuota(s *bench.Snapshot, d *Demand, t bench.Threshold) Quota {
	q := Quota{Unit: t.Metric.String(), Kind: bench.QuotaRequests, Per: time.Minute, Own: true, Limit: bench.Some(t.Limit)}
	use := float64(s.Minute.Attempts)
	if t.Metric == bench.TPM {
		q.Kind, use = bench.QuotaTokens, float64(s.Minute.Tokens)
	}
	q.Used, q.Left = bench.Some(max(use, 0)/t.Limit), bench.Some(max(t.Limit-use, 0))
	q.Now, q.Binding = d.Now(q.Kind), d.Binds(q.Kind, t.Limit)
	if s.Minute.Span >= wholeMinute && use >= usedUp*t.Limit {
		q.Binding = Binding{Binds: BindsNow}
	}
	return q
}

// statedQuota is a quota as the server stated it; false for one of which it said nothing. What the run leaves to others of it binds as if it were not there.
func statedQuota(s *bench.Snapshot, d *Demand, of *bench.Quota) (Quota, bool) {
	if of.Per <= 0 || !positive(of.Limit) && !(of.Remaining.OK && of.Remaining.V >= 0) {
		return Quota{}, false
	}
	q := Quota{Unit: of.Unit(), Kind: of.Kind, Per: of.Per}
	if positive(of.Limit) {
		q.Limit = of.Limit
	}
	age := s.At - of.At
	if q.Again = of.Reset.OK && age > of.Reset.At && age > saidLately; !q.Again {
		q.Used, q.Left = of.Used(), of.Remaining
		if of.Reset.OK && of.Reset.At < 100*bench.Month {
			q.Whole = bench.MarkAt(of.At + of.Reset.At)
		}
	}
	ours := 1 - min(max(s.Run.QuotaReserve, 0), 1)
	minutes := of.Per.Minutes()
	if now := d.Now(of.Kind); now.OK {
		q.Now = bench.Some(now.V * minutes)
	}
	switch {
	case q.Used.OK && q.Used.V >= usedUp*ours, q.Left.OK && q.Left.V < 1:
		q.Binds = BindsNow
	case of.Per > time.Minute:
		q.last(s.At, ours)
	case q.Limit.OK:
		q.Binding = d.Binds(of.Kind, q.Limit.V*ours/minutes)
	}
	return q, true
}

// last tells how long what is left of a long quota lasts.
func (q *Quota) last(at time.Duration, ours float64) {
	if !q.Left.OK || !positive(q.Now) {
		return
	}
	left := q.Left.V
	if q.Limit.OK {
		left -= (1 - ours) * q.Limit.V
	}
	q.Binds = BindsInTime
	lasts := max(left, 0) / q.Now.V * float64(q.Per)
	if lasts < float64(100*bench.Month) && !(q.Whole.OK && float64(q.Whole.At-at) <= lasts) {
		q.Lasts = max(time.Duration(lasts), time.Second)
	}
}

// urgency orders quotas: those that bind now, that soon run out, that bind at the least load; and within each kind.
func (q *Quota) urgency() (rank int, within float64) {
	switch {
	case q.Binds == BindsNow:
		return 0, -q.Used.V
	case q.Binds == BindsInTime && q.Lasts > 0 && q.Lasts <= soon:
		return 1, q.Lasts.Seconds()
	case q.Binds == BindsAt:
		return 2, q.At.V
	case q.Binds == BindsPast:
		return 3, q.At.V
	case q.Binds == BindsUnknown:
		return 4, -q.Used.V
	case q.Binds == BindsNever:
		return 5, -q.Most.V
	}
	if q.Lasts > 0 {
		return 6, q.Lasts.Seconds()
	}
	return 7, -q.Used.V
}
