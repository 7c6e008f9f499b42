package sim_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/memnet"
	"redline/bench/sim"
)

// These tests put the real client before every protocol: what it counts is what the server says that it sent.

const azureBase = "http://sim.invalid/openai/deployments/redline-sim-7b?api-version=2024-10-21"

type protocol struct {
	url string
	api bench.API
	// input is how many tokens the prompt has, and length how a full answer is said to end.
	input  int
	length string
	// channels tells whether reasoning has one of its own.
	channels bool
}

var protocols = map[string]protocol{
	"chat":        {"http://sim.invalid/v1", bench.Chat, 106, "length", true},
	"completions": {"http://sim.invalid/v1", bench.Completions, 100, "length", false},
	"responses":   {"http://sim.invalid/v1", bench.Responses, 106, "max_output_tokens", true},
	"anthropic":   {"http://sim.invalid/v1", bench.Anthropic, 106, "max_tokens", true},
	"azure":       {azureBase, bench.Chat, 106, "length", true},
}

var words = bench.Prompt{Text: strings.TrimSpace(strings.Repeat("word ", 100)), InputTokens: 100, MaxTokens: 40}

// witness is what a client told of one request.
type witness struct {
	quotas []bench.Quota
	events int
}

func (w *witness) Started(time.Duration)   {}
func (w *witness) Quotas(q []bench.Quota)  { w.quotas = q }
func (w *witness) Chunk(chunk bench.Chunk) { w.events += chunk.Events }

// meet puts a client before a server, in virtual time.
func meet(t *testing.T, p protocol, change func(*sim.Options, *client.Options), test func(t *testing.T, c *client.Client)) {
	synctest.Test(t, func(t *testing.T) {
		so := sim.Defaults()
		co := client.Options{
			URL: p.url, API: p.api, Model: so.Model, Concurrency: 2, NoProxy: true, Extra: map[string]any{"ignore_eos": true},
			Limits: bench.Limits{FirstToken: time.Minute, Idle: time.Minute, Total: 10 * time.Minute},
		}
		if change != nil {
			change(&so, &co)
		}
		server, err := sim.New(so)
		if err != nil {
			t.Fatal(err)
		}
		net := memnet.Listen()
		ctx, stop := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- server.Serve(ctx, net) }()
		co.Dial = net.Dial
		c, err := client.New(co)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			c.Close()
			stop()
			if err := <-served; err != nil {
				t.Error(err)
			}
		}()
		test(t, c)
	})
}

func TestClientCountsWhatEveryProtocolSends(t *testing.T) {
	for name, p := range protocols {
		t.Run(name, func(t *testing.T) {
			meet(t, p, func(so *sim.Options, _ *client.Options) { so.ReasoningShare, so.RPM, so.TPM = 0.25, 60, 100_000 }, func(t *testing.T, c *client.Client) {
				var seen witness
				e := c.Send(context.Background(), bench.Request{Prompt: words}, &seen)
				n, reasoning := e.Counts, 10
				if !p.channels {
					reasoning = 0
				}
				if e.Outcome != bench.OK || n.Input != p.input || n.Output != 40 || n.Events != 40 || n.Reasoning != reasoning || n.Hidden != 0 || n.Malformed != 0 {
					t.Fatalf("%v %q %+v", e.Outcome, e.Message, n)
				}
				if e.Finish != p.length || n.Source == bench.FromEvents || seen.events != 40 {
					t.Errorf("finish %q, source %v, %d events", e.Finish, n.Source, seen.events)
				}
				ttft, ok := e.TTFT()
				ttfa, alsoOK := e.TTFA()
				if !ok || !alsoOK || ttft < 5*time.Millisecond || p.channels && ttfa-ttft < 50*time.Millisecond || !p.channels && ttfa != ttft {
					t.Errorf("first token after %v, first answer after %v", ttft, ttfa)
				}
				units := ""
				for _, q := range seen.quotas {
					units += q.Name + " " + q.Unit() + " "
					if !q.Limit.OK || !q.Remaining.OK || !q.Reset.OK {
						t.Errorf("%+v", q)
					}
				}
				if units != "requests RPM tokens TPM " {
					t.Errorf("quotas %q", units)
				}
			})
		})
	}
}

func TestClientSeesTheFailuresOfEveryProtocol(t *testing.T) {
	for name, p := range protocols {
		for fault, tt := range map[string]struct {
			change func(*sim.Options, *client.Options)
			want   bench.Outcome
			status int
			text   string
		}{
			"an error before the stream": {func(o *sim.Options, _ *client.Options) { o.Faults.Error = 1 }, bench.ServerError, 500, "simulated failure"},
			"an error inside the stream": {func(o *sim.Options, _ *client.Options) { o.Faults.StreamError = 1 }, bench.StreamError, 200, "simulated failure in mid-stream"},
			"a stream that is cut":       {func(o *sim.Options, _ *client.Options) { o.Faults.Cut = 1 }, bench.Truncated, 200, ""},
			"a key that is wrong":        {func(o *sim.Options, _ *client.Options) { o.APIKey = "another" }, bench.Unauthorized, 401, ""},
			"no quota":                   {func(o *sim.Options, _ *client.Options) { o.TPM = 50 }, bench.RateLimited, 429, "Rate limit"},
		} {
			t.Run(name+"/"+fault, func(t *testing.T) {
				meet(t, p, tt.change, func(t *testing.T, c *client.Client) {
					e := c.Send(context.Background(), bench.Request{Prompt: words}, &witness{})
					if e.Outcome != tt.want || e.Status != tt.status || !strings.Contains(e.Message, tt.text) {
						t.Errorf("%v %d %q, want %v", e.Outcome, e.Status, e.Message, tt.want)
					}
				})
			})
		}
	}
}

func TestClientBringsItsKeyInEveryProtocol(t *testing.T) {
	for name, p := range protocols {
		t.Run(name, func(t *testing.T) {
			meet(t, p, func(so *sim.Options, co *client.Options) {
				so.APIKey, co.Key = "sk-hidden", client.NewSecret("sk-hidden")
			}, func(t *testing.T, c *client.Client) {
				if e := c.Send(context.Background(), bench.Request{Prompt: words}, &witness{}); e.Outcome != bench.OK {
					t.Errorf("%v %q", e.Outcome, e.Message)
				}
			})
		})
	}
}

func TestClientAdaptsToRefusedFields(t *testing.T) {
	for name, p := range protocols {
		for _, refuse := range []sim.Fields{"temperature", "ignore_eos", "stream_options", "temperature,ignore_eos"} {
			for _, as := range []int{http.StatusBadRequest, http.StatusUnprocessableEntity} {
				t.Run(name+"/"+string(refuse)+"/"+http.StatusText(as), func(t *testing.T) {
					meet(t, p, func(so *sim.Options, _ *client.Options) { so.Refuse, so.RefuseAs = refuse, as }, func(t *testing.T, c *client.Client) {
						if _, err := c.Preflight(context.Background(), words); err != nil {
							t.Fatal(err)
						}
						if e := c.Send(context.Background(), bench.Request{Prompt: words}, &witness{}); e.Outcome != bench.OK || e.Counts.Output == 0 {
							t.Errorf("%v %q", e.Outcome, e.Message)
						}
					})
				})
			}
		}
	}
}
