package analysis_test

import (
	"bufio"
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/engine"
	"redline/bench/health"
	"redline/bench/memnet"
	"redline/bench/sim"
)

// drive is a run against a simulated server: which loads it goes through, and what it asks.
type drive struct {
	server  func(*sim.Options)
	options func(*engine.Options)
	// serve, where it is set, is another server in place of the simulated one.
	serve func(context.Context, net.Listener) error
	// words are the lengths of prompts, from least to most; twice keeps the first part of them alike.
	least, most, answer int
	alike               bool
	// loads are held so long each.
	loads []float64
	hold  time.Duration
	// mode is that of the loads.
	mode bench.Mode
	// promises are held to; gauges reads the server's own metrics; during happens while the last load is held.
	promises []string
	gauges   bool
	during   func(*bed)
}

// bed is a run in progress.
type bed struct {
	*engine.Engine
	net  *memnet.Listener
	stop context.CancelFunc
	t    *testing.T
}

// lengthy makes prompts of words that differ from their first on, or from their last.
type lengthy struct {
	least, most, answer int
	alike               bool
	mu                  sync.Mutex
	r                   *rand.Rand
	made                atomic.Int64
}

func (p *lengthy) Next(time.Duration) (bench.Prompt, bool) {
	p.mu.Lock()
	n := p.least
	if p.most > p.least {
		n += p.r.IntN(p.most - p.least)
	}
	p.mu.Unlock()
	head, tail := strconv.FormatInt(p.made.Add(1), 10), ""
	if p.alike {
		head, tail = "same", " "+head
	}
	return bench.Prompt{Text: head + strings.Repeat(" word", n-1) + tail, InputTokens: n, Counted: n, MaxTokens: p.answer}, true
}

func (p *lengthy) Ended(time.Duration, *bench.Ended) {}
func (p *lengthy) Pending() int                      { return 0 }
func (p *lengthy) Gap() float64                      { return 1 }

// run drives and gives the run's last snapshot.
func (d drive) run(t *testing.T) *bench.Snapshot {
	t.Helper()
	bare, told := d.both(t)
	if d.gauges {
		return told
	}
	return bare
}

// both drives and gives the run's last snapshot: without what the server tells, and with as much of it as was read.
func (d drive) both(t *testing.T) (bare, told *bench.Snapshot) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		so := sim.Defaults()
		o := engine.Options{Load: bench.Setpoint{Mode: d.mode, N: d.loads[0]}, Run: bench.Run{Max: 512, MaxRate: 1000, Stall: time.Second,
			Works: []bench.Workload{{Name: "test"}}, Arrivals: bench.Arrivals{Shape: bench.Poisson}}}
		for _, p := range d.promises {
			th, err := bench.ParseThreshold(p)
			if err != nil {
				t.Fatal(err)
			}
			o.Run.Thresholds = append(o.Run.Thresholds, th)
		}
		if d.server != nil {
			d.server(&so)
		}
		if d.options != nil {
			d.options(&o)
		}
		serve := d.serve
		if serve == nil {
			server, err := sim.New(so)
			if err != nil {
				t.Fatal(err)
			}
			serve = server.Serve
		}
		b := &bed{net: memnet.Listen(), t: t}
		ctx, stop := context.WithCancel(context.Background())
		b.stop = stop
		served := make(chan error, 1)
		go func() { served <- serve(ctx, b.net) }()
		clock := bench.NewClock(time.Now())
		c, err := client.New(client.Options{URL: "http://192.0.2.1/v1", Model: so.Model, Concurrency: o.Run.Max, Stall: time.Second, NoProxy: true,
			Clock: clock, Dial: b.net.Dial, Limits: bench.Limits{FirstToken: time.Minute, Idle: time.Minute, Total: 10 * time.Minute}})
		if err != nil {
			t.Fatal(err)
		}
		o.Clean = c.CleanPart
		if d.hold == 0 {
			d.hold = 25 * time.Second
		}
		if d.answer == 0 {
			d.answer = 256
		}
		b.Engine = engine.New(o, clock, c, []engine.Prompts{&lengthy{least: max(d.least, 1), most: d.most, answer: d.answer, alike: d.alike, r: rand.New(rand.NewPCG(1, 2))}}, nil)
		ran := make(chan error, 1)
		go func() { ran <- b.Run(context.Background()) }()
		defer func() {
			b.Post(bench.Kill{})
			if err := <-ran; err != nil {
				t.Error(err)
			}
			c.Close()
			stop()
			<-served
			time.Sleep(time.Minute) // what still writes to nobody ends
		}()
		bare, told = d.through(b)
	})
	return bare, told
}

// through goes through the loads.
func (d drive) through(b *bed) (bare, told *bench.Snapshot) {
	read := &reader{b: b, facts: map[int]*bench.ServerFacts{}}
	second := func() {
		time.Sleep(time.Second)
		synctest.Wait()
		if d.gauges {
			read.second()
		}
	}
	for i, n := range d.loads {
		if i > 0 {
			b.Post(bench.Set{N: n})
			time.Sleep(50 * time.Millisecond)
			synctest.Wait()
			if ask := b.Snapshot().Ask; ask != nil {
				b.Post(bench.Answer{ID: ask.ID, Yes: true})
			}
		}
		if i == len(d.loads)-1 && d.during != nil {
			d.during(b)
		}
		for range int(d.hold / time.Second) {
			second()
		}
	}
	bare = b.Snapshot()
	return bare, read.into(bare)
}

// reader reads the simulated server's metrics into the facts of the level in force.
type reader struct {
	b     *bed
	was   map[string]float64
	facts map[int]*bench.ServerFacts
}

func (r *reader) second() {
	now := r.b.metrics()
	l := r.b.Snapshot().Level()
	if was := r.was; was != nil && l != nil && l.Reached.OK && now != nil {
		f := r.facts[l.ID]
		if f == nil {
			f = &bench.ServerFacts{}
			r.facts[l.ID] = f
		}
		f.Scrapes++
		add := func(g bench.Gauge, v, weight float64) {
			a := &f.Gauges[g]
			a.Sum, a.Weight, a.Max = a.Sum+v, a.Weight+weight, max(a.Max, v)
		}
		grew := func(name string) float64 { return now[name] - was[name] }
		add(bench.ServerRunning, now["vllm:num_requests_running"], 1)
		add(bench.ServerWaiting, now["vllm:num_requests_waiting"], 1)
		add(bench.KVUsage, now["vllm:kv_cache_usage_perc"], 1)
		add(bench.Preemptions, grew("vllm:num_preemptions_total"), 1)
		add(bench.GenerationRate, grew("vllm:generation_tokens_total"), 1)
		add(bench.PrefixHits, grew("vllm:prefix_cache_hits_total"), grew("vllm:prefix_cache_queries_total"))
		add(bench.ServerTTFT, 1000*grew("vllm:time_to_first_token_seconds_sum"), grew("vllm:time_to_first_token_seconds_count"))
	}
	if now != nil {
		r.was = now
	}
}

// into gives the facts to the levels of a copy of the snapshot.
func (r *reader) into(s *bench.Snapshot) *bench.Snapshot {
	out := *s
	out.Levels = make([]*bench.Level, len(s.Levels))
	for i, l := range s.Levels {
		copied := *l
		if f := r.facts[l.ID]; f != nil {
			copied.Server = f
		}
		out.Levels[i] = &copied
	}
	return &out
}

// metrics are the server's own numbers, nil where it does not answer.
func (b *bed) metrics() map[string]float64 {
	c := &http.Client{Transport: &http.Transport{DialContext: b.net.Dial, DisableKeepAlives: true}}
	resp, err := c.Get("http://192.0.2.1/metrics")
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	out := map[string]float64{}
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		name, _, _ = strings.Cut(name, "{")
		if v, err := strconv.ParseFloat(value[strings.LastIndex(value, " ")+1:], 64); err == nil && !strings.HasSuffix(name, "_bucket") {
			out[name] += v
		}
	}
	return out
}

// after lets time pass.
func (b *bed) after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// off switches the server off.
func (b *bed) off() {
	b.stop()
	synctest.Wait()
}

// crowd sends requests of somebody else, so many at a time, as long as the server answers.
func (b *bed) crowd(n int) {
	for range n {
		go func() {
			c := &http.Client{Transport: &http.Transport{DialContext: b.net.Dial, DisableKeepAlives: true}}
			for {
				resp, err := c.Post("http://192.0.2.1/v1/completions", "application/json", strings.NewReader(`{"model":"redline-sim-7b","prompt":"a few words","max_tokens":200}`))
				if err != nil {
					return
				}
				_, err = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode != http.StatusOK {
					return
				}
			}
		}()
	}
}

// weak is a client that is busy in every other second.
type weak struct{ n int }

func (*weak) Run(ctx context.Context) { <-ctx.Done() }

func (w *weak) Second(health.Traffic) bench.Health {
	if w.n++; w.n%2 == 0 {
		return bench.Health{}
	}
	return bench.Health{Strain: bench.Busy, Why: "cpu 94%"}
}
