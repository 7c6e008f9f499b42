package script_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/engine"
	"redline/bench/sim/script"
	"redline/bench/workload"
)

// stormLimits are short, so that what hangs comes round more than once.
var stormLimits = bench.Limits{Connect: time.Second, FirstToken: 10 * time.Second, Idle: 5 * time.Second, Total: 20 * time.Second}

// calm is how long an answer may take at most to be read to its end under stormLimits.
const calm = 4 * time.Second

// unreached are scripts whose requests do not all reach the server: it may close a connection in the very instant in which one is written to
// it, or send an answer too many, which the next request on the connection takes for its own.
var unreached = map[string]bool{"idle-close": true, "idle-close-early": true, "answers-twice": true}

// stormOf is one script of all answers that anybody may get in any order.
func stormOf(t *testing.T, keep func(*script.Answer) bool) *script.Script {
	storm := &script.Script{Title: "all at once", Order: script.AtRandom, Seed: 7, Client: script.Client{API: "chat", Requests: 1}}
	for _, name := range script.Names() {
		s, err := script.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if s.Client.API != "chat" || s.Client.Preflight || unreached[name] {
			continue
		}
		for i := range s.Answers {
			a := &s.Answers[i]
			if a.Expect != nil && (short(a) || slices.Contains(timed, a.Expect.Outcome)) && (keep == nil || keep(a)) {
				storm.Answers = append(storm.Answers, *a)
			}
		}
	}
	return storm
}

// timed are the classes of answers that may take longer: limits end them.
var timed = []string{"stalled", "first-token timeout", "total timeout", "cancelled", "5xx"}

func short(a *script.Answer) bool {
	span, ends := a.Span()
	return span <= calm && (ends || a.Expect.Took.D <= calm)
}

// witness stands between engine and client, and remembers what it saw.
type witness struct {
	engine.Sender
	mu      sync.Mutex
	started map[uint64]time.Duration
	ended   []bench.Ended
}

func (w *witness) Send(ctx context.Context, r bench.Request, obs bench.Observer) bench.Ended {
	e := w.Sender.Send(ctx, r, &starts{obs, w, r.ID})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = append(w.ended, e)
	return e
}

type starts struct {
	bench.Observer
	w  *witness
	id uint64
}

func (s *starts) Started(at time.Duration) {
	s.w.mu.Lock()
	if _, twice := s.w.started[s.id]; twice {
		at = -1
	}
	s.w.started[s.id] = at
	s.w.mu.Unlock()
	s.Observer.Started(at)
}

// at is how many requests had started, and how many had ended, before an instant.
func (w *witness) at(t time.Duration) (started, ended int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.started {
		if s < t {
			started++
		}
	}
	for i := range w.ended {
		if w.ended[i].Marks.Ended.At < t {
			ended++
		}
	}
	return started, ended
}

// prompts are of about 64 tokens, for answers of at most 4,096.
func prompts(t *testing.T) *workload.Source {
	t.Helper()
	spec, err := workload.Parse("synthetic,in=64,max=4096")
	if err != nil {
		t.Fatal(err)
	}
	source, err := workload.Open(t.Context(), spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// storm runs an engine over a script in virtual time for a minute, looks at it every second, and at what is left when it has ended.
func storm(t *testing.T, s *script.Script, load int, each func(*bench.Snapshot, *witness), last func(*bench.Snapshot, *witness, *script.Server)) {
	inBubble(t, s, func(o *client.Options) {
		o.Concurrency, o.Limits, o.Clock = 256, stormLimits, bench.NewClock(time.Now())
	}, func(t *testing.T, b *stand) {
		clock := bench.NewClock(time.Now())
		b.client.Restart(clock)
		w := &witness{Sender: b.client, started: map[uint64]time.Duration{}}
		source := prompts(t)
		e := engine.New(engine.Options{Load: bench.InFlight(load), DrainTimeout: time.Minute, Run: bench.Run{Max: 256, Stall: time.Second}},
			clock, w, []engine.Prompts{source}, nil)
		ran := make(chan error, 1)
		go func() { ran <- e.Run(context.Background()) }()
		for second := range 60 {
			time.Sleep(time.Second)
			synctest.Wait()
			each(e.Snapshot(), w)
			// The load moves with requests in flight, down and up again.
			switch second {
			case 20:
				e.Post(bench.Set{N: float64(load / 2)})
			case 40:
				e.Post(bench.Set{N: float64(load)})
			}
			if ask := e.Snapshot().Ask; ask != nil {
				e.Post(bench.Answer{ID: ask.ID, Yes: true})
			}
			if e.Snapshot().State == bench.Paused {
				e.Post(bench.Resume{})
			}
		}
		e.Post(bench.Stop{})
		if err := <-ran; err != nil {
			t.Error(err)
		}
		each(e.Snapshot(), w)
		last(e.Snapshot(), w, b.server)
	})
}

func TestStormOfFaultsIsCountedToTheLast(t *testing.T) {
	s := stormOf(t, nil)
	storm(t, s, 200, func(v *bench.Snapshot, w *witness) {
		y := v.Total.Tally
		began, ended := w.at(v.Folded)
		if in := y.Sent - y.OK - y.Failed - y.Limited - y.Cancelled; y.Sent != began || in != began-ended || in < 0 || in > 256 {
			t.Errorf("at %v: sent %d, in flight %d by the tally; %d began and %d ended", v.Folded, y.Sent, in, began, ended)
		}
	}, func(v *bench.Snapshot, w *witness, server *script.Server) {
		y := v.Total.Tally
		if y.Sent < 2000 || y.Cancelled != 0 || y.Sent != len(w.ended) || y.Sent != server.Requests() {
			t.Errorf("%d sent, %d cancelled, %d ended, %d requests came", y.Sent, y.Cancelled, len(w.ended), server.Requests())
		}
		var ours, theirs, all sums
		outcomes, byAnswer := map[string]int{}, map[string]int{}
		for i := range w.ended {
			e := &w.ended[i]
			outcomes[e.Outcome.String()]++
			all.add(e.Counts.Input, e.Counts.Output, 1)
			if e.Outcome == bench.OK {
				ours.add(e.Counts.Input, e.Counts.Output, 1)
			}
		}
		for i := range s.Answers {
			n, _ := server.Played(i)
			byAnswer[s.Answers[i].Expect.Outcome] += n
			if x := s.Answers[i].Expect; x.Outcome == "ok" {
				theirs.add(n*x.In, n*x.Out, n)
			}
		}
		if ours != theirs || y.OK != ours.requests {
			t.Errorf("good answers: read %+v, sent %+v, tallied %d", ours, theirs, y.OK)
		}
		// Prompts that the server did not count are booked as they were asked.
		if v.Spend.In < all.in || v.Spend.Out != all.out {
			t.Errorf("spent %d and %d tokens, read %d and %d", v.Spend.In, v.Spend.Out, all.in, all.out)
		}
		for _, group := range alike {
			if got, want := total(outcomes, group), total(byAnswer, group); got != want || got == 0 {
				t.Errorf("%v: %d ended so, %d were answered so", group, got, want)
			}
		}
		t.Logf("%d requests, %d ok", y.Sent, y.OK)
	})
}

// alike are the classes that cannot be told from one another in a storm: whether a connection is new depends on what came before, and
// which limit ends a request on how short it is.
var alike = [][]string{{"ok"}, {"429"}, {"overloaded"}, {"unauthorized"}, {"4xx"}, {"stream error"}, {"truncated"}, {"malformed"}, {"not streaming"}, {"stalled"},
	{"network"}, {"reset", "stale connection"}, {"5xx", "first-token timeout", "total timeout", "cancelled"}}

func total(counts map[string]int, names []string) (n int) {
	for _, name := range names {
		n += counts[name]
	}
	return n
}

type sums struct{ in, out, requests int }

func (s *sums) add(in, out, requests int) { s.in += in; s.out += out; s.requests += requests }

// TestNothingSucceeds runs against a server of which no answer is good: what has no sample is absent, and nothing is divided by it.
func TestNothingSucceeds(t *testing.T) {
	s := stormOf(t, func(a *script.Answer) bool { return a.Expect.Status/100 == 5 || a.Expect.Outcome == "429" })
	storm(t, s, 16, func(v *bench.Snapshot, _ *witness) {
		for m, stat := range statsOf(v, bench.P50, bench.P95, bench.Mean) {
			for _, got := range stat {
				if got.OK && got.V != 0 && m != bench.Errors {
					t.Errorf("at %v: %v is %v though nothing succeeded", v.Folded, m, got.V)
				}
			}
		}
	}, func(v *bench.Snapshot, w *witness, _ *script.Server) {
		if y := v.Total.Tally; y.OK != 0 || y.Failed+y.Limited != y.Sent || y.Sent < 100 {
			t.Errorf("%+v", y)
		}
	})
}

// TestKnownAnswersGiveKnownNumbers runs against a server whose every answer is the same: each number that is shown is known beforehand, and
// all percentiles of a metric are equal.
func TestKnownAnswersGiveKnownNumbers(t *testing.T) {
	s, err := script.Load("openai")
	if err != nil {
		t.Fatal(err)
	}
	const load, cycle = 4, 605.0 // ms: from one request's start to the next
	storm(t, s, load, func(*bench.Snapshot, *witness) {}, func(v *bench.Snapshot, w *witness, _ *script.Server) {
		want := map[bench.Metric]float64{bench.TTFT: 510, bench.ITL: 10, bench.TPOT: 10, bench.TPS: 100, bench.E2E: 600, bench.TTFA: 510}
		for m, v := range statsOf(v, bench.P50, bench.P95, bench.P99, bench.Mean) {
			for _, got := range v {
				if x, known := want[m]; known && (!got.OK || got.V < 0.985*x || got.V > 1.015*x) {
					t.Errorf("%v is %v, want %v", m, v, x)
				}
			}
		}
		y := v.Total.Tally
		// A third of the time at half the load.
		if n := 60000 / cycle * load * 5 / 6; float64(y.OK) < n-load || float64(y.OK) > n+load || y.Failed+y.Limited+y.Cancelled != 0 {
			t.Errorf("%+v, want %.0f that went well", y, n)
		}
		if v.Spend.In != 9*y.OK || v.Spend.Out != 10*y.OK {
			t.Errorf("spent %d and %d tokens in %d requests", v.Spend.In, v.Spend.Out, y.OK)
		}
	})
}

func statsOf(v *bench.Snapshot, of ...bench.Percentile) map[bench.Metric][]bench.Value {
	out := map[bench.Metric][]bench.Value{}
	for m, stat := range v.Total.Stats {
		for _, p := range of {
			out[bench.Metric(m)] = append(out[bench.Metric(m)], stat.At(p))
		}
	}
	return out
}
