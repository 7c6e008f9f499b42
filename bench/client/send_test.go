package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

const ms = time.Millisecond

const (
	role     = `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}` + "\n\n"
	token    = `data: {"choices":[{"index":0,"delta":{"content":" a"}}]}` + "\n\n"
	stop     = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	usageEnd = `data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}}` + "\n\n"
	doneLine = "data: [DONE]\n\n"
)

// say writes texts at once, and flushes.
func say(w http.ResponseWriter, texts ...string) {
	for _, s := range texts {
		_, _ = io.WriteString(w, s)
	}
	w.(http.Flusher).Flush()
}

// threeTokens is a well-behaved server: role after 50 ms, tokens after 100, 110 and 120 ms, then the rest.
func threeTokens(w http.ResponseWriter, _ *http.Request) {
	time.Sleep(50 * ms)
	say(w, role)
	time.Sleep(50 * ms)
	say(w, token)
	time.Sleep(10 * ms)
	say(w, token)
	time.Sleep(10 * ms)
	say(w, token)
	say(w, stop, usageEnd, doneLine)
}

var request = bench.Request{ID: 7, Prompt: bench.Prompt{Text: "say <a>", MaxTokens: 20}}

type chunks struct {
	sync.Mutex
	started []time.Duration
	all     []bench.Chunk
}

func (c *chunks) Started(at time.Duration) {
	c.Lock()
	c.started = append(c.started, at)
	c.Unlock()
}

func (c *chunks) Quotas([]bench.Quota) {}

func (c *chunks) Chunk(k bench.Chunk) {
	c.Lock()
	c.all = append(c.all, k)
	c.Unlock()
}

func TestSendMeasuresAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, l := serve(t, threeTokens, nil)
		for i := range 3 {
			var seen chunks
			before := c.now()
			e := c.Send(context.Background(), request, &seen)
			if e.Outcome != bench.OK || e.ID != 7 || e.Status != 200 || e.Finish != "stop" {
				t.Fatalf("%v %q status %d finish %q", e.Outcome, e.Message, e.Status, e.Finish)
			}
			ttft, _ := e.TTFT()
			tpot, _ := e.TPOT()
			e2e, _ := e.E2E()
			if ttft != 100*ms || tpot != 10 || e2e != 120*ms || e.Marks.Headers.At != before+50*ms || e.Marks.Started.At != before {
				t.Errorf("TTFT %v, TPOT %v ms, E2E %v, marks %+v", ttft, tpot, e2e, e.Marks)
			}
			if len(seen.started) != 1 || seen.started[0] != before {
				t.Errorf("started %v, want %v once", seen.started, before)
			}
			if len(seen.all) != 3 || !seen.all[0].First || seen.all[2].Gap != 10*ms {
				t.Errorf("chunks %+v", seen.all)
			}
			if e.Counts.Input != 9 || e.Counts.Output != 3 || e.Counts.Source != bench.FromUsage {
				t.Errorf("counts %+v", e.Counts)
			}
			if m := e.Marks; !m.Connected.OK || !m.Written.OK || e.Reused != (i > 0) {
				t.Errorf("request %d: reused %v, marks %+v", i, e.Reused, m)
			}
			time.Sleep(time.Second)
		}
		if n := l.Dials(); n != 1 {
			t.Errorf("%d connections for three requests in a row", n)
		}
	})
}

func TestRequestOnTheWire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got map[string]any
		var header http.Header
		c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			header = r.Header
			if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
				t.Error(err)
			}
			say(w, token, stop, doneLine)
		}, func(o *Options) {
			o.Model = "o1-local"
			o.Extra = map[string]any{"ignore_eos": true, "top_k": 5, "stream_options": map[string]any{"continuous_usage_stats": true}}
			o.Header = http.Header{"X-Team": {"blue"}}
		})
		c.Send(context.Background(), request, nil)
		want := map[string]any{"model": "o1-local", "stream": true, "temperature": 0.0, "max_tokens": 20.0, "ignore_eos": true, "top_k": 5.0,
			"stream_options": map[string]any{"include_usage": true, "continuous_usage_stats": true},
			"messages":       []any{map[string]any{"role": "user", "content": "say <a>"}}}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("body\n got %v\nwant %v", got, want)
		}
		for name, value := range map[string]string{"Authorization": "Bearer " + testKey, "User-Agent": "redline/test", "X-Team": "blue", "Accept-Encoding": "", "Content-Type": "application/json"} {
			if header.Get(name) != value {
				t.Errorf("%s: %q, want %q", name, header.Get(name), value)
			}
		}
	})
}

func TestSendReturnsWhenTheAnswerIsComplete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			say(w, token, stop, doneLine)
			<-r.Context().Done()
		}, nil)
		began := time.Now()
		e := c.Send(context.Background(), request, nil)
		if took := time.Since(began); took != 0 || e.Outcome != bench.OK {
			t.Errorf("%v after %v", e.Outcome, took)
		}
		c.Close()
		if took := time.Since(began); took > drainTime {
			t.Errorf("closing took %v", took)
		}
	})
}

func TestConnectionsAreReusedThoughTheBodyEndsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, l := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			say(w, token, stop, doneLine)
			time.Sleep(2 * ms)
		}, nil)
		for range 20 {
			c.Send(context.Background(), request, nil)
			time.Sleep(ms)
		}
		if n := l.Dials(); n > 4 {
			t.Errorf("%d connections for 20 requests of one slot", n)
		}
	})
}

func TestIdleConnectionsAreClosedBeforeTheServersDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, l := serve(t, threeTokens, nil)
		c.Send(context.Background(), request, nil)
		time.Sleep(4900 * ms)
		if e := c.Send(context.Background(), request, nil); e.Reused || e.Outcome != bench.OK || l.Dials() != 2 {
			t.Errorf("%v, reused %v, %d connections", e.Outcome, e.Reused, l.Dials())
		}
	})
}

func TestCancelKeepsWhatCame(t *testing.T) {
	tests := []struct {
		name  string
		cause error
		want  bench.Outcome
	}{
		{"by the operator", errors.New("stopped by the operator"), bench.Cancelled},
		{"by a plain cancel", nil, bench.Cancelled},
		{"by a gap in time", fmt.Errorf("slept: %w", ErrInterrupted), bench.Interrupted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
					say(w, token, token)
					<-r.Context().Done()
				}, nil)
				ctx, cancel := context.WithCancelCause(context.Background())
				time.AfterFunc(300*ms, func() { cancel(tt.cause) })
				e := c.Send(ctx, request, nil)
				if e.Outcome != tt.want || e.Counts.Events != 2 || e.Counts.Source != bench.FromPart {
					t.Errorf("%v %q, %+v", e.Outcome, e.Message, e.Counts)
				}
				if took, _ := e.Marks.Ended.Since(e.Marks.Started); took != 300*ms {
					t.Errorf("ended after %v", took)
				}
			})
		})
	}
}

func TestCloseEndsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			func(o *Options) { o.Limits.Total = time.Hour })
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if e := c.Send(context.Background(), request, nil); e.Outcome != bench.Cancelled {
					t.Errorf("%v %q", e.Outcome, e.Message)
				}
			})
		}
		synctest.Wait()
		c.Close()
		all.Wait()
		if e := c.Send(context.Background(), request, nil); e.Outcome != bench.Cancelled || !e.Marks.Ended.OK {
			t.Errorf("after closing: %v", e.Outcome)
		}
	})
}

func TestManyRequestsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, l := serve(t, threeTokens, func(o *Options) {
			o.Concurrency = 50
			o.Limits = bench.Limits{Connect: time.Second, FirstToken: time.Second, Idle: time.Second, Total: time.Second}
		})
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				for range 10 {
					e := c.Send(context.Background(), request, &chunks{})
					if ttft, _ := e.TTFT(); e.Outcome != bench.OK || ttft != 100*ms {
						t.Errorf("%v %q TTFT %v", e.Outcome, e.Message, ttft)
					}
				}
			})
		}
		all.Wait()
		if n := l.Dials(); n > 100 {
			t.Errorf("%d connections for 50 slots", n)
		}
	})
}

func TestLimits(t *testing.T) {
	hang := func(texts ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if len(texts) > 0 {
				say(w, texts...)
			}
			<-r.Context().Done()
		}
	}
	drip := func(text string, gap time.Duration) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			for range 100 {
				if time.Sleep(gap); r.Context().Err() != nil {
					return
				}
				say(w, text)
			}
			say(w, stop, doneLine)
		}
	}
	first := func(w http.ResponseWriter, r *http.Request) {
		say(w, token)
		drip(": keep-alive\n\n", 900*ms)(w, r)
	}
	tests := []struct {
		name    string
		handler http.HandlerFunc
		limits  bench.Limits
		want    bench.Outcome
		after   time.Duration
		events  int
	}{
		{"a server that never answers is over the first-token limit", hang(), bench.Limits{FirstToken: 2 * time.Second, Idle: time.Second}, bench.TimeoutFirst, 2 * time.Second, 0},
		{"so is one that sends headers and a role only", hang(role), bench.Limits{FirstToken: 2 * time.Second, Idle: time.Second}, bench.TimeoutFirst, 2 * time.Second, 0},
		{"so is one that only keeps alive", drip(": hold\n\n", 100*ms), bench.Limits{FirstToken: 3 * time.Second, Idle: time.Second}, bench.TimeoutFirst, 3 * time.Second, 0},
		{"a stall after three tokens is over the idle limit, and keeps them", hang(token, token, token), bench.Limits{FirstToken: time.Minute, Idle: time.Second}, bench.Stalled, time.Second, 3},
		{"comments hold the idle limit off", first, bench.Limits{Idle: time.Second}, bench.OK, 90 * time.Second, 1},
		{"a healthy stream can still be over the total limit", drip(token, 900*ms), bench.Limits{Idle: time.Second, Total: 10 * time.Second}, bench.TimeoutTotal, 10 * time.Second, 11},
		{"before the first token the idle limit does not hold", drip(token, 1200*ms), bench.Limits{Idle: 2 * time.Second}, bench.OK, 120 * time.Second, 100},
		{"a limit of zero is off", drip(token, 10*time.Minute), bench.Limits{}, bench.OK, 1000 * time.Minute, 100},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := serve(t, tt.handler, func(o *Options) { o.Limits = tt.limits })
				e := c.Send(context.Background(), request, nil)
				took, _ := e.Marks.Ended.Since(e.Marks.Started)
				if e.Outcome != tt.want || e.Counts.Events != tt.events || took < tt.after || took > tt.after+2*sweep {
					t.Errorf("%v %q after %v with %d events", e.Outcome, e.Message, took, e.Counts.Events)
				}
				if (tt.want == bench.OK) != (e.Message == "") {
					t.Errorf("message %q", e.Message)
				}
			})
		})
	}
}

func TestCompleteAnswerOutlivesItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			say(w, token, stop) // no [DONE], and no end
			<-r.Context().Done()
		}, func(o *Options) { o.Limits.Idle = time.Second })
		if e := c.Send(context.Background(), request, nil); e.Outcome != bench.OK {
			t.Errorf("%v %q", e.Outcome, e.Message)
		}
	})
}

func TestHugeErrorBodyIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(500)
			for range 1000 {
				if _, err := io.WriteString(w, strings.Repeat("x", 1<<10)); err != nil {
					return
				}
			}
		}, nil)
		if e := c.Send(context.Background(), request, nil); e.Outcome != bench.ServerError || len(e.Message) > 512 {
			t.Errorf("%v, message of %d bytes", e.Outcome, len(e.Message))
		}
	})
}
