package engine_test

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/engine"
	"redline/bench/gauges"
	"redline/bench/memnet"
	"redline/bench/sim"
)

// bed is an engine that drives the simulated server over an in-memory network, all in one bubble.
type bed struct {
	*engine.Engine
	net *memnet.Listener
	t   *testing.T
}

func overSim(t *testing.T, change func(*engine.Options, *sim.Options), test func(t *testing.T, b *bed)) {
	synctest.Test(t, func(t *testing.T) {
		o := engine.Options{Load: bench.InFlight(8), Run: bench.Run{Max: 256, Stall: time.Second}}
		so := sim.Defaults()
		if change != nil {
			change(&o, &so)
		}
		server, err := sim.New(so)
		if err != nil {
			t.Fatal(err)
		}
		b := &bed{net: memnet.Listen(), t: t}
		ctx, stop := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- server.Serve(ctx, b.net) }()
		clock := bench.NewClock(time.Now())
		c, err := client.New(client.Options{URL: "http://192.0.2.1/v1", Model: so.Model, Concurrency: o.Run.Max, Stall: time.Second, NoProxy: true,
			Clock: clock, Dial: b.net.Dial, Limits: bench.Limits{FirstToken: time.Minute, Idle: time.Minute, Total: 10 * time.Minute}})
		if err != nil {
			t.Fatal(err)
		}
		o.Clean = c.CleanPart
		if scraped, ok := o.Gauges.(*overNet); ok {
			scraped.Scraper = gauges.New(gauges.Options{URLs: []*url.URL{{Scheme: "http", Host: "192.0.2.1"}}, Dial: b.net.Dial}, clock)
		}
		b.Engine = engine.New(o, clock, c, equalPrompts(512, 512), nil)
		ran := make(chan error, 1)
		go func() { ran <- b.Run(context.Background()) }()
		// A test that gives up must not leave its bubble running.
		defer func() {
			b.Post(bench.Kill{})
			if err := <-ran; err != nil {
				t.Error(err)
			}
			c.Close()
			stop()
			if err := <-served; err != nil {
				t.Error(err)
			}
		}()
		test(t, b)
	})
}

func (b *bed) after(d time.Duration) *bench.Snapshot {
	time.Sleep(d)
	synctest.Wait()
	return b.Snapshot()
}

// gauge reads one of the server's own numbers.
func (b *bed) gauge(name string) int {
	b.t.Helper()
	c := &http.Client{Transport: &http.Transport{DialContext: b.net.Dial, DisableKeepAlives: true}}
	resp, err := c.Get("http://192.0.2.1/metrics")
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	for line := range strings.Lines(string(body)) {
		fields := strings.Fields(line)
		if len(fields) == 2 && (fields[0] == name || strings.HasPrefix(fields[0], name+"{")) {
			v, err := strconv.ParseFloat(fields[1], 64)
			if err != nil {
				b.t.Fatal(err)
			}
			return int(v)
		}
	}
	b.t.Fatalf("no %s in the server's metrics", name)
	return 0
}

func TestServerNeverSeesMoreInFlightThanWasSet(t *testing.T) {
	overSim(t, nil, func(t *testing.T, b *bed) {
		most := 0
		for _, load := range []int{8, 16, 12, 20, 3, 30, 0, 8} {
			b.Post(bench.Set{N: float64(load)})
			b.after(50 * time.Millisecond)
			if ask := b.Snapshot().Ask; ask != nil {
				b.Post(bench.Answer{ID: ask.ID, Yes: true})
			}
			most = max(most, load)
			s := b.after(20 * time.Second)
			if got := b.gauge("redline_sim_in_flight"); got > load || s.InFlight > load {
				t.Errorf("load %d, once drained: the server has %d in flight, we say %d", load, got, s.InFlight)
			}
			if got := b.gauge("redline_sim_in_flight_max"); got > most {
				t.Errorf("the server once had %d in flight, the load was never above %d", got, most)
			}
		}
	})
}

func TestOurNumbersAreTheServers(t *testing.T) {
	overSim(t, nil, func(t *testing.T, b *bed) {
		b.after(60 * time.Second)
		b.Post(bench.Stop{})
		<-b.Done()
		s := b.Snapshot()
		for name, ours := range map[string]int{
			`vllm:generation_tokens_total`:           s.Spend.Out,
			`vllm:prompt_tokens_total`:               s.Spend.In,
			`vllm:time_to_first_token_seconds_count`: s.Total.Tally.OK,
		} {
			if got := b.gauge(name); got != ours {
				t.Errorf("%s: the server says %d, we say %d", name, got, ours)
			}
		}
		if s.Total.Tally.Sent != s.Total.Tally.OK || s.Total.Tally.OK < 100 {
			t.Errorf("tally %+v", s.Total.Tally)
		}
		if out := bucketTokens(s); out != s.Spend.In+s.Spend.Out {
			t.Errorf("buckets hold %d tokens, usage says %d", out, s.Spend.In+s.Spend.Out)
		}
	})
}

func bucketTokens(s *bench.Snapshot) (n int) {
	for _, b := range s.Buckets {
		n += b.Tokens()
	}
	return n
}

func TestDemoShowsAKnee(t *testing.T) {
	at := func(load int) (l *bench.Level) {
		overSim(t, func(o *engine.Options, _ *sim.Options) { o.Load = bench.InFlight(load) }, func(t *testing.T, b *bed) {
			l = b.after(100 * time.Second).Level()
		})
		return l
	}
	stat := func(l *bench.Level, m bench.Metric, p bench.Percentile) float64 { return l.Stats[m].At(p).V }
	low, knee, high := at(8), at(32), at(64)
	for _, l := range []*bench.Level{low, knee, high} {
		if l.State != bench.Settled {
			t.Errorf("at %s: %v", l.Load, l.State)
		}
	}
	if e2e := stat(low, bench.E2E, bench.P50); e2e < 3000 || e2e > 5000 {
		t.Errorf("answers at 8 take %.0f ms, want about 4 s", e2e)
	}
	if gain := knee.OutputRate.V / low.OutputRate.V; gain < 2.5 {
		t.Errorf("from 8 to 32 the output rate grew by %.2f, want most of fourfold", gain)
	}
	if gain := high.OutputRate.V / knee.OutputRate.V; gain > 1.15 {
		t.Errorf("from 32 to 64 the output rate grew by %.2f, want it flat", gain)
	}
	if stat(high, bench.TTFT, bench.P95) < 5*stat(knee, bench.TTFT, bench.P95) {
		t.Error("past the knee TTFT does not climb")
	}
	if !(stat(low, bench.ITL, bench.P50) < stat(knee, bench.ITL, bench.P50) && stat(knee, bench.ITL, bench.P50) < stat(high, bench.ITL, bench.P50)) {
		t.Error("ITL does not stretch with the load")
	}
	if !(stat(low, bench.TPS, bench.Mean) > stat(knee, bench.TPS, bench.Mean) && stat(knee, bench.TPS, bench.Mean) > stat(high, bench.TPS, bench.Mean)) {
		t.Error("a stream's TPS does not fall with the load")
	}
}

func TestQuotaHoldsSlotsAndIsNotAFailure(t *testing.T) {
	overSim(t, func(_ *engine.Options, so *sim.Options) { so.RPM, so.Speed = 60, 4 }, func(t *testing.T, b *bed) {
		s := b.after(90 * time.Second)
		y := s.Total.Tally
		if y.Limited == 0 || y.Failed != 0 {
			t.Fatalf("tally %+v, want 429s and no failures", y)
		}
		// The server asks for at least a second, and eight slots keep to it.
		if y.Limited > 8*90 {
			t.Fatalf("%d refused in 90 s: a flood", y.Limited)
		}
		if s.InFlight+s.Held != 8 {
			t.Fatalf("in flight %d + held %d, want 8", s.InFlight, s.Held)
		}
	})
}

func TestLittlesLawHolds(t *testing.T) {
	overSim(t, func(o *engine.Options, _ *sim.Options) { o.Load = bench.InFlight(24) }, func(t *testing.T, b *bed) {
		l := b.after(120 * time.Second).Level()
		rate := l.RPS.V
		if got, want := l.InFlight.V, rate*l.Residence.V; got < 0.97*want || got > 1.03*want {
			t.Errorf("mean in flight %.2f, rate × mean time in flight %.2f", got, want)
		}
		if l.InFlight.V < 23.9 || l.InFlight.V > 24.01 {
			t.Errorf("mean in flight %.3f at a load of 24", l.InFlight.V)
		}
		if tps, itl := l.Stats[bench.TPS].Mean.V, l.Stats[bench.ITL].Mean.V; tps*itl < 980 || tps*itl > 1020 {
			t.Errorf("TPS %.2f × ITL %.2f ms = %.0f, want 1000", tps, itl, tps*itl)
		}
	})
}
