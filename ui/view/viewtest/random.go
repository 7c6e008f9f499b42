package viewtest

import (
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"redline/bench"
)

// Random is a snapshot without sense, for screens that must survive anything: empty, zero, huge, absent, hostile words.
func Random(seed uint64) *bench.Snapshot {
	r := chance{rand.New(rand.NewPCG(seed, 5))}
	value, setpoint, word := r.value, r.setpoint, r.word
	s := Make(Scenes[r.IntN(len(Scenes))], r.IntN(4))
	s.Why, s.LastError = word(), word()
	s.State = bench.RunState(r.IntN(8))
	s.Target, s.InFlight, s.Held, s.Was = setpoint(), r.IntN(300)-20, r.IntN(9)*r.IntN(1000), setpoint()
	s.Spend.Cost, s.Spend.PerHour, s.PerEvent = value(), value(), value().V
	s.Health = bench.Health{Strain: bench.Strain(r.IntN(4)), Why: word(), CPU: value().V}
	s.Health.WakeLag, s.Health.SendLag, s.Strained = value(), value(), [2]int{r.IntN(1 << 30), r.IntN(5)}
	s.Warmed, s.Work, s.Tail = r.IntN(20)-5, r.IntN(4)-1, bench.Tail{Began: bench.MarkAt(0), Span: time.Duration(r.Uint64() >> 1), Finished: r.IntN(1 << 30), Cut: r.IntN(3)}
	if r.IntN(3) == 0 {
		s.Following = &bench.Following{Profile: plan(r.Rand, word()), At: time.Duration(r.Uint64() >> r.IntN(60)), Held: r.IntN(2) == 0, Over: r.IntN(5) == 0}
	}
	r.pilots(s)
	for _, sum := range summaries(s) {
		sum.Offered, sum.Achieved, sum.Chars, sum.AskedTokens, sum.CountedTokens, sum.PromptTokens, sum.AnswerTokens = value(), value(), value(), value(), value(), value(), value()
		sum.Lag = bench.Stat{Readiness: bench.Readiness(r.IntN(3)), P95: value()}
		sum.DueTTFT = bench.Stat{Readiness: bench.Readiness(r.IntN(3)), P50: value(), P95: value(), P99: value(), Max: value(), Mean: value()}
		sum.Tally.Unsent = r.IntN(2) * r.IntN(1<<30)
	}
	if r.IntN(4) == 0 {
		s.Ask = &bench.Ask{Text: word()}
	}
	r.run(s.Run)
	for _, l := range s.Levels {
		r.level(l)
	}
	for i := range s.Events {
		e := &s.Events[i]
		e.Text, e.Kind = word(), bench.EventKind(r.IntN(30))
		e.From, e.To, e.N, e.Work, e.Cause = setpoint(), setpoint(), r.IntN(1<<30)-5, r.IntN(5)-2, bench.Cause(r.IntN(12))
	}
	for range r.IntN(5) {
		s.Quotas = append(s.Quotas, bench.Quota{Name: word(), Kind: bench.QuotaKind(r.IntN(4)), Per: []time.Duration{time.Second, time.Minute, bench.Day, bench.Month, 10 * time.Second, 0}[r.IntN(6)], Limit: value(), Remaining: value(),
			Reset: bench.Mark{At: time.Duration(r.Uint64() >> 1), OK: r.IntN(2) == 0}, At: time.Duration(r.Uint64() >> r.IntN(60))})
	}
	chance{rand.New(rand.NewPCG(seed, 11))}.server(s)
	s.HeldBy, s.Source = word(), bench.Source(r.IntN(4))
	s.Total.NewConnections, s.Total.Bursts, s.Total.Malformed = value(), value(), r.IntN(3)*r.IntN(1<<20)
	if s.Run != nil {
		s.Run.Protocol, s.Run.Address, s.Run.API, s.Run.QuotaReserve = word(), word(), bench.API(r.IntN(6)), value().V
		s.Run.Limits.Total, s.Run.Notes = time.Duration(r.Uint64()>>r.IntN(60)), []string{word(), strings.Repeat(word(), 30)}
	}
	if r.IntN(5) == 0 {
		s.Levels, s.At = nil, time.Duration(r.Uint64()>>1)
	}
	if r.IntN(5) == 0 {
		s.Buckets = nil
	}
	s.Rivals = chance{rand.New(rand.NewPCG(seed, 6))}.rivals(s)
	return s
}

// chance is where what has no sense comes from.
type chance struct{ *rand.Rand }

// value is a number of any kind, or none.
func (r chance) value() bench.Value {
	all := []float64{0, 1e-9, 1, 12.34, 999.96, 1e6, 1e15, math.MaxFloat64, -5, math.NaN(), math.Inf(1), math.Inf(-1)}
	return bench.Value{V: all[r.IntN(len(all))], OK: r.IntN(3) > 0}
}

// setpoint is a load of either loop.
func (r chance) setpoint() bench.Setpoint {
	return bench.Setpoint{Mode: bench.Mode(r.IntN(2)), N: []float64{0, 0.004, 0.5, 1, 2.5, 16, 208, float64(r.IntN(1 << 30)), 1e9}[r.IntN(9)]}.Round()
}

// word is a text that somebody else may have written.
func (r chance) word() string {
	words := []string{"", "接続が拒否されました", "👩‍👩‍👧‍👦 e\u0301", "\x1b[31mred\x07\n\ttab", "x\xff\xfe", "a very long sentence that goes on and on and on and on and on and on and on"}
	return words[r.IntN(len(words))]
}

// run fills what a run says of itself; there may be none.
func (r chance) run(run *bench.Run) {
	if run == nil {
		return
	}
	run.Host, run.Model, run.Max = r.word(), r.word(), r.IntN(3)*r.IntN(1<<20)-1
	if r.IntN(3) == 0 {
		run.Thresholds = nil
	}
	run.Warmup, run.MaxRate, run.Arrivals = r.IntN(9), r.value().V, bench.Arrivals{Shape: bench.Shape(r.IntN(5)), Burstiness: r.value().V}
	for range r.IntN(3) {
		run.Works = append(run.Works, bench.Workload{Name: r.word(), Words: r.word(), InputTokens: r.IntN(1 << 30), OutputTokens: r.IntN(3) * r.IntN(1<<30), MaxTokens: r.IntN(1 << 30), Rate: r.value().V})
	}
}

// level fills the numbers of a level.
func (r chance) level(l *bench.Level) {
	for m := range l.Stats {
		if r.IntN(2) == 0 {
			l.Stats[m] = bench.Stat{N: r.IntN(50), Readiness: bench.Readiness(r.IntN(3)), Mean: r.value(), Half: r.value(), P50: r.value(), P95: r.value(),
				P99: r.value(), Max: r.value(), P5: r.value(), P1: r.value(), Missing: r.IntN(3) * r.IntN(100), Need: r.IntN(100), Wait: time.Duration(r.Uint64() >> 1)}
		}
	}
	l.NewConnections, l.Bursts, l.Malformed = r.value(), r.value(), r.IntN(100)
	l.Connect = bench.Stat{N: r.IntN(3), P50: r.value(), Max: r.value()}
	l.Handshake = bench.Stat{N: r.IntN(3), P50: r.value(), Max: r.value()}
	l.Work, l.Short, l.Missed = r.IntN(4)-1, bench.Shortfall(r.IntN(4)), bench.Missed{Failed: r.IntN(3), Unsent: r.IntN(3) * r.IntN(1<<20)}
	l.Load, l.Was, l.Goodput = r.setpoint(), r.setpoint(), r.value()
}

// summaries are those of the run and its levels.
func summaries(s *bench.Snapshot) []*bench.Summary {
	out := []*bench.Summary{&s.Total}
	for _, l := range s.Levels {
		out = append(out, &l.Summary)
	}
	return out
}

// plan is a profile without sense, at times of no stage.
func plan(r *rand.Rand, text string) *bench.Profile {
	p := &bench.Profile{Text: text, Mode: bench.Mode(r.IntN(2)), Rounds: 1}
	for range r.IntN(40) {
		n := []float64{0, 1, 64, 0.004, float64(r.IntN(1 << 20)), 1e6}
		p.Stages = append(p.Stages, bench.Stage{From: n[r.IntN(6)], To: n[r.IntN(6)], Span: time.Second + time.Duration(r.Int64N(int64(time.Second)<<r.IntN(20))), Spike: r.IntN(9) == 0})
	}
	return p
}
