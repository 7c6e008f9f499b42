package viewtest

import (
	"slices"
	"time"

	"redline/bench"
)

// dress gives a running snapshot what its scene is about.
func dress(s *bench.Snapshot, scene Scene) {
	l := s.Levels[len(s.Levels)-1]
	stop(s, scene)
	switch scene {
	case Moving:
		move(s, l)
		s.Moving, s.InFlight = bench.MarkAt(s.At-200*time.Millisecond), 47
	case Settling:
		settle(s, l)
	case Ask:
		s.Ask = &bench.Ask{ID: 3, Text: "raise to 64, from 16?", To: bench.InFlight(64), Load: true, Raises: true}
	case Busy:
		s.Health = bench.Health{Strain: bench.Busy, Why: "reads 18 ms late", CPU: 0.64, WakeLag: bench.Some(18)}
		s.PerEvent = 2.4
	case Budget:
		s.Run.Notes = nil
		s.Spend.Budget, s.Spend.Cost, s.Spend.PerHour = 5, bench.Some(4.61), bench.Some(31)
	case Limited:
		s.InFlight, s.Held, s.HeldBy, s.HeldNext = 45, 3, bench.RateLimited.String(), bench.MarkAt(s.At+4*time.Second)
		s.Quotas = quotas(s.At)[1:3]
		s.LastError = "429 Too Many Requests: quota of 请求 per minute 🚦 reached\x1b[2J, retry after 4 s"
	case Quotas:
		s.Run.API, s.Run.Protocol, s.Run.QuotaReserve = bench.Anthropic, "HTTP/2.0", 0.3
		s.Run.Thresholds = slices.DeleteFunc(s.Run.Thresholds, bench.Threshold.Quota)
		s.Quotas = quotas(s.At)
		s.InFlight, s.Held, s.HeldBy, s.HeldNext = 37, 3, bench.HeldByQuota, bench.MarkAt(s.At+4*time.Second)
	case Network:
		s.Source = bench.FromEvents
		for _, sum := range []*bench.Summary{&l.Summary, &s.Total} {
			sum.NewConnections, sum.Malformed, sum.Bursts = bench.Some(0.12), 12, bench.Some(0.83)
			sum.Connect = bench.Stat{N: 19, Readiness: bench.Few, P50: bench.Some(0.42), Max: bench.Some(3.1)}
			sum.Handshake = bench.Stat{N: 19, Readiness: bench.Few, P50: bench.Some(9.1), Max: bench.Some(31)}
		}
	case Silent:
		settle(s, l)
		s.Silent = bench.MarkAt(s.At - 15*time.Second - 300*time.Millisecond)
		s.Events = append(s.Events, bench.Event{At: s.At - 10*time.Second, Kind: bench.EventWarn, Text: "no token has come for 5 s, though 40 requests are in flight"})
	case Overload:
		overload(s, l)
	case Unsent:
		l.State, l.ReadyAt, l.Short = bench.Settles, bench.Mark{}, bench.ArrivalsUnsent
		s.Events = append(s.Events, bench.Event{At: s.At - 20*time.Second, Kind: bench.EventUnsent, N: 80})
	case Ramp:
		led(s, false)
		move(s, l)
		s.Moving = bench.MarkAt(l.Begin)
	case Profiled, Handheld, Sheet:
		led(s, scene == Handheld)
	case Seeking, Found, Unfound, Tried:
		seek(s, scene)
	case Cruising:
		cruise(s)
	case Saturated:
		s.Health = bench.Health{Strain: bench.Saturated, Why: "cpu 99%", CPU: 0.99, WakeLag: bench.Some(212)}
		s.Strained = [2]int{14, 6}
		s.Events = append(s.Events, bench.Event{At: s.At - 9*time.Second, Kind: bench.EventBusy, N: 1, Text: "reads 18 ms late"},
			bench.Event{At: s.At - 6*time.Second, Kind: bench.EventBusy, N: 2, Text: "cpu 99%"})
	}
}

// stop puts a scene into a state in which the run is not simply running.
func stop(s *bench.Snapshot, scene Scene) {
	switch scene {
	case Warming:
		s.State, s.Since, s.InFlight, s.Held = bench.Warming, s.At-6*time.Second, 8, 32
		s.HeldBy, s.HeldNext = bench.Refused.String(), bench.MarkAt(s.At+2*time.Second)
	case Paused:
		s.State, s.Since, s.InFlight, s.Draining = bench.Paused, s.At-12*time.Second, 7, 7
		s.Why = "by the operator"
	case Draining:
		s.State, s.Since, s.InFlight, s.Draining, s.Target = bench.Draining, s.At-3*time.Second, 7, 7, bench.Setpoint{}
		s.Deadline = bench.MarkAt(s.At + 27*time.Second)
	case Down:
		s.State, s.Since, s.Why, s.InFlight, s.Held = bench.Down, s.At-4*time.Second, "connection refused, next try in 2 s", 0, 40
		s.HeldBy, s.HeldNext = bench.Refused.String(), bench.MarkAt(s.At+2*time.Second)
	case Tail:
		s.State, s.Since, s.InFlight, s.Draining, s.Target = bench.Draining, s.At-3*time.Second, 7, 7, bench.Setpoint{}
		s.Deadline, s.Tail = bench.MarkAt(s.At+27*time.Second), bench.Tail{Began: bench.MarkAt(s.At - 3*time.Second), Span: 3 * time.Second, Finished: 33}
	case Done:
		s.State, s.Since, s.InFlight, s.Target = bench.Done, s.At-2*time.Second, 0, bench.Setpoint{}
		s.Why = "saved run-0412.rl"
		s.Events = append(s.Events, bench.Event{At: s.At - 2*time.Second, Kind: bench.EventEnd, Text: "2 113 requests, 5 failed"})
	}
}

// restedFor is how many seconds the scene Rested has been paused, by itself.
const restedFor = 40

// Rest lets a state in which nothing is sent, and nothing is in flight, last for some seconds at the end of a run.
func Rest(s *bench.Snapshot, state bench.RunState, seconds int) {
	s.State, s.Since, s.InFlight = state, s.At, 0
	s.Events = append(slices.Clip(s.Events), bench.Event{At: s.At, Kind: bench.EventPause})
	s.Buckets = slices.Clip(s.Buckets)
	level := s.Levels[len(s.Levels)-1].ID
	for i := range seconds {
		s.Buckets = append(s.Buckets, &bench.Bucket{Start: s.Folded + time.Duration(i)*time.Second, Span: time.Second, Target: s.Target, Level: level})
	}
	s.Folded, s.At = s.Folded+time.Duration(seconds)*time.Second, s.At+time.Duration(seconds)*time.Second
}

// move makes a level one whose load has not come to rest.
func move(s *bench.Snapshot, l *bench.Level) {
	l.State, l.Committed, l.Reached, l.ReadyAt = bench.Moving, bench.Mark{}, bench.Mark{}, bench.Mark{}
	l.Summary, l.Verdicts = bench.Summary{}, nil
}

// overload lets a server that does one request a second, one after the other, take the last level.
func overload(s *bench.Snapshot, l *bench.Level) {
	settle(s, l)
	s.Buckets = slices.Clone(s.Buckets)
	piled := 0
	for i, b := range s.Buckets {
		if b.Start < l.Begin {
			continue
		}
		slow := *b
		slow.Sent, slow.Ended = 4, [bench.NumOutcomes]int{bench.OK: 1}
		piled += slow.Sent - 1
		slow.InFlight, slow.Stay = float64(piled), float64(piled)/4
		s.Buckets[i] = &slow
	}
	s.InFlight = piled
}

// led lets a profile lead the run, or have led it until the hand came.
func led(s *bench.Snapshot, held bool) {
	p, err := bench.ParseProfile("4:90s, 8:1m, 16:1m, ramp 16..48 in 30s, 48:1m", bench.Closed)
	if err != nil {
		panic(err)
	}
	s.Following = &bench.Following{Profile: p, At: s.At, Held: held}
	s.Events = append(s.Events, bench.Event{At: time.Second, Kind: bench.EventProfile, Text: "profile " + p.Text + " begins"})
	for _, l := range s.Levels[1:] {
		l.Cause = bench.CauseProfile
	}
	if held {
		s.Following.At -= 12 * time.Second
		s.Events = append(s.Events, bench.Event{At: s.At - 12*time.Second, Kind: bench.EventProfile, N: bench.ProfileHeld, Text: "the hand has taken over from profile " + p.Text})
	}
}

// quotas are those of a server that has one of each kind, as it stated them half a second before an instant.
func quotas(at time.Duration) []bench.Quota {
	one := func(name string, kind bench.QuotaKind, per time.Duration, limit, remaining float64, reset time.Duration) bench.Quota {
		return bench.Quota{Name: name, Kind: kind, Per: per, Limit: bench.Some(limit), Remaining: bench.Some(remaining), Reset: bench.MarkAt(reset), At: at - 500*time.Millisecond}
	}
	return []bench.Quota{
		one("input-tokens", bench.QuotaInput, time.Minute, 400_000, 276_500, 19*time.Second),
		one("requests", bench.QuotaRequests, time.Minute, 3500, 2065, 12*time.Second),
		one("tokens", bench.QuotaTokens, time.Minute, 300_000, 26_000, 55*time.Second),
		one("requests-day", bench.QuotaRequests, bench.Day, 100_000, 96_900, 17*time.Hour),
	}
}

// settle makes the present level a young one: few samples, some lanes not ready.
func settle(s *bench.Snapshot, l *bench.Level) {
	l.State, l.ReadyAt = bench.Settles, bench.Mark{}
	for m := range l.Stats {
		st := &l.Stats[m]
		st.Readiness = bench.Few
		st.Need, st.Wait = 13, 14*time.Second
	}
	l.Stats[bench.RPM] = bench.Stat{N: 3, Need: 17, Wait: 9 * time.Second}
	l.Stats[bench.E2E] = bench.Stat{N: 3, Need: 17, Wait: 9 * time.Second}
	l.Verdicts = nil
	for _, t := range s.Run.Thresholds {
		l.Verdicts = append(l.Verdicts, t.Judge(&l.Summary))
	}
}
