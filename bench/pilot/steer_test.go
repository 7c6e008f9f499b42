package pilot

import (
	"math"
	"reflect"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/pilot/plant"
	"redline/bench/sim/model"
)

// answered is a request that ended well, of so many tokens after the first.
func answered(start, ttft, perToken time.Duration, tokens int) bench.Ended {
	first := start + ttft
	last := first + time.Duration(tokens)*perToken
	return bench.Ended{
		Request: bench.Request{Level: 1}, Outcome: bench.OK,
		Marks:  bench.Marks{Started: bench.MarkAt(start), FirstToken: bench.MarkAt(first), LastToken: bench.MarkAt(last), Ended: bench.MarkAt(last)},
		Counts: bench.Counts{Source: bench.FromUsage, Output: tokens + 1, Events: tokens + 1, Chunks: tokens + 1, FirstEvents: 1},
	}
}

func refusedAt(start, retry time.Duration) bench.Ended {
	return bench.Ended{Request: bench.Request{Level: 1}, Outcome: bench.RateLimited, Status: 429, RetryAfter: retry,
		Marks: bench.Marks{Started: bench.MarkAt(start), Ended: bench.MarkAt(start + 20*time.Millisecond)}}
}

// begun is a cruise from 16 in flight at instant 0.
func begun(t *testing.T, promise string) *Cruise {
	t.Helper()
	c, err := NewCruise(bench.Cruise{Threshold: promised(t, promise), Least: 1, Most: 64}, bench.Closed)
	if err != nil {
		t.Fatal(err)
	}
	c.Begin(0, bench.InFlight(16))
	return c
}

// second tells a cruise of the second that ends at an instant.
func second(c *Cruise, end time.Duration, state bench.RunState, ended ...bench.Ended) Order {
	b := &bench.Batch{Start: end - time.Second, Span: time.Second, Ended: ended, Starts: []bench.Starts{{Level: 1, Sent: len(ended)}}}
	return c.Second(&Second{Now: end + 100*time.Millisecond, Batches: []*bench.Batch{b}, State: state, Load: c.set, Level: 1})
}

func TestCruiseRefusesWhatItCannotHold(t *testing.T) {
	for _, one := range []struct {
		name        string
		promise     string
		least, most float64
		mode        bench.Mode
		ok          bool
	}{
		{"a percentile of a latency", "ttft.p95<=500ms", 1, 64, bench.Closed, true},
		{"a floor under the slow streams", "tps.p5>=20", 1, 64, bench.Closed, true},
		{"a rate below one a second", "e2e.p50<=5s", 0.1, 8, bench.Open, true},
		{"errors are of all requests together", "errors<=1%", 1, 64, bench.Closed, false},
		{"a quota is no promise", "rpm<=600", 1, 64, bench.Closed, false},
		{"a maximum has no share that may break it", "ttft.max<=2s", 1, 64, bench.Closed, false},
		{"no room between the bounds", "ttft.p95<=500ms", 8, 8, bench.Closed, false},
		{"part of a request", "ttft.p95<=500ms", 0.5, 8, bench.Closed, false},
	} {
		_, err := NewCruise(bench.Cruise{Threshold: promised(t, one.promise), Least: one.least, Most: one.most}, one.mode)
		if (err == nil) != one.ok {
			t.Errorf("%s: error %v", one.name, err)
		}
	}
}

// The paces of the last requests and the lengths of all answers are crossed: short answers that ended first do not make the share look small.
func TestCruiseCrossesPacesWithLengths(t *testing.T) {
	l := newLookout(promised(t, "e2e.p95<=5s"), 0.05)
	l.begin(0, bench.InFlight(16))
	// Ten lengths of 10, 20, ... 100 tokens are known from before.
	for n := range 100 {
		l.lengths.add(0, float64(10*(n%10)+10))
	}
	// Now each token takes 50 ms after a first one of 500 ms: more than 90 tokens are too many, though none of these has more than 10.
	for i := range 40 {
		e := answered(time.Second+time.Duration(i)*time.Millisecond, 500*time.Millisecond, 50*time.Millisecond, 10)
		l.end(&e)
	}
	gain := newElasticity()
	v := l.look(20*time.Second, 16, &gain)
	want := 10.0 / 140
	if math.Abs(v.share-want) > 1e-9 {
		t.Errorf("share %.4f, want the %.4f of the answers that are longer than 90 tokens", v.share, want)
	}
	if v.room > 0 || v.room < math.Log(4500.0/5000) {
		t.Errorf("room %.3f: a little less time a token would keep the promise", v.room)
	}
	if v.gross {
		t.Error("none of these requests was late")
	}
}

func TestElasticityIsLearnedFromNeighbouringEpochs(t *testing.T) {
	for _, slope := range []float64{0.5, 2, 6} {
		e := newElasticity()
		drift := 0.0
		for i := range 40 {
			x := 3 + 0.1*math.Sin(float64(i))
			drift += 0.002
			e.learn(x, slope*x+drift, 0.02)
		}
		if got := e.value(); math.Abs(got/slope-1) > 0.15 {
			t.Errorf("%.2f learned, want about %.1f", got, slope)
		}
	}
	e := newElasticity()
	e.learn(3, 1, 0.02)
	e.skip()
	e.learn(3.1, 9, 0.02)
	if got := e.value(); got != 1 {
		t.Errorf("%.2f learned over a change of the server", got)
	}
}

func TestCruiseTakesAnOutageForNoLoadsDoing(t *testing.T) {
	for good := 5; good < 40; good++ {
		c := begun(t, "ttft.p95<=500ms")
		load, at := 0.0, time.Duration(0)
		for i := range good + 3 {
			var ended []bench.Ended
			for j := range 32 {
				e := answered(at+time.Duration(j)*time.Second/32, 100*time.Millisecond, time.Millisecond, 20)
				if i >= good {
					e.Outcome, e.Marks.FirstToken, e.Marks.LastToken, e.Counts = bench.Refused, bench.Mark{}, bench.Mark{}, bench.Counts{}
				}
				ended = append(ended, e)
			}
			at += time.Second
			o := second(c, at, bench.Running, ended...)
			if i >= good && o.Load.N < load {
				t.Fatalf("down after %d s: from %g to %s, before the run knows that the target is down", good, load, o.Load)
			}
			load = o.Load.N
		}
	}
}

func TestCruiseFreezesUntilTheServerMayBeAskedAgain(t *testing.T) {
	c := begun(t, "ttft.p95<=500ms")
	second(c, time.Second, bench.Running)
	o := second(c, 2*time.Second, bench.Running, refusedAt(1500*time.Millisecond, 10*time.Second))
	until := 11520 * time.Millisecond
	if o.Cruising.Frozen != bench.MarkAt(until) {
		t.Fatalf("frozen until %+v, want 10 s after the refusal", o.Cruising.Frozen)
	}
	for at := 3 * time.Second; at < 40*time.Second; at += time.Second {
		// Each second ten more are refused: for the sake of those it must not stay frozen.
		var all []bench.Ended
		for i := range 10 {
			all = append(all, refusedAt(at-time.Duration(i+1)*50*time.Millisecond, 10*time.Second))
		}
		o = second(c, at, bench.Running, all...)
		if o.Cruising.Epoch > 0 {
			if at < until {
				t.Errorf("judged at %v, and was to wait until %v", at, until)
			}
			if o.Load.N >= 16 || o.Cruising.Share.V != 1 {
				t.Errorf("judged to %v at a share of %+v: refused requests break the promise", o.Load, o.Cruising.Share)
			}
			return
		}
	}
	t.Error("it never thawed")
}

func TestCruiseStandsStillWhileTheRunDoesNotSend(t *testing.T) {
	c := begun(t, "ttft.p95<=500ms")
	late := func(at time.Duration) (all []bench.Ended) {
		for i := range 30 {
			all = append(all, refusedAt(at-time.Duration(i+1)*10*time.Millisecond, 0))
		}
		return all
	}
	second(c, time.Second, bench.Running)
	for at := 2 * time.Second; at <= 30*time.Second; at += time.Second {
		if o := second(c, at, bench.Paused, late(at)...); o.Load.N != 16 || o.Cruising.Epoch != 0 || o.Level || o.Over {
			t.Fatalf("at %v, paused: %+v", at, o)
		}
	}
	// What was seen in the pause is no part of the epoch that begins now.
	if o := second(c, 31*time.Second, bench.Running); o.Cruising.Epoch != 0 {
		t.Errorf("the first second after the pause was judged: %+v", o.Cruising)
	}
	for at := 32 * time.Second; at <= 34*time.Second; at += time.Second {
		if o := second(c, at, bench.Running, late(at)...); o.Cruising.Epoch > 0 {
			return
		}
	}
	t.Error("it did not go on after the pause")
}

func TestCruiseTellsHowItEnds(t *testing.T) {
	c := begun(t, "tps.p5>=20")
	before := second(c, time.Second, bench.Running).Cruising
	kept := *before
	o := c.End(5*time.Second, "taken over by hand")
	if s := o.Cruising; s.Ended != bench.MarkAt(5*time.Second) || s.Why != "taken over by hand" || len(o.Events) != 1 || o.Events[0].N != bench.CruiseOver {
		t.Errorf("the end is told as %+v, %+v", s, o.Events)
	}
	if !reflect.DeepEqual(kept, *before) {
		t.Error("what was shown before has changed")
	}
}

func TestCruiseStaysWithinItsBounds(t *testing.T) {
	small := model.SmallGPU.Params()
	for _, one := range []struct {
		name    string
		options plant.Options
		promise string
		c       bench.Cruise
		// end is where it comes to.
		end float64
	}{
		{"a promise that every load keeps", plant.Options{Model: small, Load: bench.InFlight(4)}, "e2e.p95<=60s", bench.Cruise{Least: 2, Most: 24}, 24},
		{"one that none keeps", plant.Options{Model: small, Load: bench.InFlight(16)}, "ttft.p95<=1ms", bench.Cruise{Least: 2, Most: 24}, 2},
		{"a rate that all keep", plant.Options{Model: small, Load: bench.PerSecond(0.5)}, "e2e.p95<=60s", bench.Cruise{Least: 0.2, Most: 2}, 2},
		{"a fifth of the requests fail", plant.Options{Model: small, Load: bench.InFlight(16), Fail: 0.2}, "ttft.p95<=5s", bench.Cruise{Least: 2, Most: 24}, 2},
		{"a load outside", plant.Options{Model: small, Load: bench.InFlight(40)}, "e2e.p95<=60s", bench.Cruise{Least: 2, Most: 24}, 24},
	} {
		one.c.Threshold = promised(t, one.promise)
		v := embark(t, one.options, one.c)
		for _, n := range v.sail(900).loads {
			if n < one.c.Least || n > one.c.Most {
				t.Fatalf("%s: at %v", one.name, n)
			}
		}
		if got := v.plant.Load().N; got != one.end {
			t.Errorf("%s: came to %v, want %v", one.name, got, one.end)
		}
	}
}

// A server that gives nothing at all is asked less, though no request ever tells.
func TestCruiseGivesWayToAServerThatHangs(t *testing.T) {
	c := begun(t, "ttft.p95<=500ms")
	for at := time.Second; at <= 20*time.Second; at += time.Second {
		b := &bench.Batch{Start: at - time.Second, Span: time.Second}
		if at == time.Second {
			b.Starts = []bench.Starts{{Level: 1, Sent: 16}}
		}
		if o := c.Second(&Second{Now: at + 100*time.Millisecond, Batches: []*bench.Batch{b}, State: bench.Running, Load: c.set, Level: 1}); o.Load.N < 16 {
			return
		}
	}
	t.Error("twenty seconds without a first token, and the load is what it was")
}

// Streams that stand in the middle of their answers break no promise on the first token, and keep none.
func TestCruiseStandsStillWhileNoTokenComes(t *testing.T) {
	c := begun(t, "ttft.p95<=500ms")
	first := func(at time.Duration) (all []bench.FirstToken) {
		for i := range 10 {
			began := at - time.Duration(i+2)*50*time.Millisecond
			all = append(all, bench.FirstToken{Level: 1, Started: began, At: began + 100*time.Millisecond, TTFT: 100 * time.Millisecond})
		}
		return all
	}
	tell := func(end time.Duration, silent bench.Mark, firsts ...bench.FirstToken) Order {
		b := &bench.Batch{Start: end - time.Second, Span: time.Second, FirstTokens: firsts, Starts: []bench.Starts{{Level: 1, Sent: len(firsts)}}}
		return c.Second(&Second{Now: end + 100*time.Millisecond, Batches: []*bench.Batch{b}, State: bench.Running, Load: c.set, Level: 1, Silent: silent})
	}
	tell(time.Second, bench.Mark{}, first(time.Second)...)
	for at := 2 * time.Second; at <= 100*time.Second; at += time.Second {
		if o := tell(at, bench.MarkAt(time.Second)); o.Load.N != 16 || o.Cruising.Epoch != 0 {
			t.Fatalf("at %v, after %v without a token: %v, judged %d times", at, at-time.Second, o.Load, o.Cruising.Epoch)
		}
	}
	if o := tell(101*time.Second, bench.Mark{}, first(101*time.Second)...); o.Cruising.Epoch != 0 {
		t.Error("the silence was judged when it was over")
	}
	for at := 102 * time.Second; at <= 110*time.Second; at += time.Second {
		if o := tell(at, bench.Mark{}, first(at)...); o.Cruising.Epoch > 0 {
			return
		}
	}
	t.Error("it did not go on when tokens came again")
}

// A server that was started again is another one: that the one before was fast raises no load.
func TestCruiseForgetsTheServerFromBeforeARestart(t *testing.T) {
	restart := []bench.Event{{Kind: bench.EventServer, N: bench.ServerRestarted}}
	for _, one := range []struct {
		name   string
		events []bench.Event
		state  bench.RunState
	}{{"its counters began anew", restart, bench.Running}, {"the target was down", nil, bench.Down}} {
		c := begun(t, "tps.p5>=20")
		fast := func(at time.Duration) (all []bench.Ended) {
			for i := range 10 {
				all = append(all, answered(at-time.Duration(i+20)*50*time.Millisecond, 100*time.Millisecond, 10*time.Millisecond, 20))
			}
			return all
		}
		at := time.Second
		for ; at <= 20*time.Second; at += time.Second {
			second(c, at, bench.Running, fast(at)...)
		}
		load := c.set
		if load.N <= 16 || len(c.sight.recent) == 0 {
			t.Fatalf("a fast server: %v", load)
		}
		b := &bench.Batch{Start: at - time.Second, Span: time.Second, Events: one.events}
		c.Second(&Second{Now: at + 100*time.Millisecond, Batches: []*bench.Batch{b}, State: one.state, Load: c.set, Level: 1})
		o := second(c, at+time.Second, bench.Running)
		if len(c.sight.recent) != 0 || o.Load != load {
			t.Errorf("%s: %d requests of the one before are kept, and the load goes to %v", one.name, len(c.sight.recent), o.Load)
		}
		for i := range 20 {
			if o = second(c, at+time.Duration(i+2)*time.Second, bench.Running); o.Load != load {
				t.Fatalf("%s: the load went from %v to %v though nothing has ended since", one.name, load, o.Load)
			}
		}
	}
}

func TestCruiseDoesTheSameForTheSameSeconds(t *testing.T) {
	run := func() (out []bench.Cruising) {
		o := rows()[0].options
		o.Seed, o.Load = 5, bench.InFlight(12)
		v := embark(t, o, bench.Cruise{Threshold: promised(t, "e2e.p95<=5s"), Least: 1, Most: 64})
		for range 300 {
			v.second()
			shown := *v.order.Cruising
			shown.Cruise = nil
			out = append(out, shown)
		}
		return out
	}
	if !reflect.DeepEqual(run(), run()) {
		t.Error("two cruises over the same seconds differ")
	}
}
