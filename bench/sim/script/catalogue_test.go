package script_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/memnet"
	"redline/bench/sim/script"
)

// testKey is what no answer may bring to light, in any of the forms in which answers write it.
const testKey = `rk-"te&st"/0123456789`

// pending are entries whose expectation is true and not met yet, each with the reason.
var pending = map[string]string{}

// TestClientReadsTheCatalogue plays every built-in script in virtual time, and holds what the real client reads against what the script
// says of itself.
func TestClientReadsTheCatalogue(t *testing.T) {
	for _, name := range script.Names() {
		t.Run(name, func(t *testing.T) {
			s, err := script.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			wrong := playAll(t, s)
			switch why, known := pending[name]; {
			case known && len(wrong) == 0:
				t.Errorf("is no longer pending: %s", why)
			case known:
				t.Logf("pending: %s\n%s", why, strings.Join(wrong, "\n"))
			case len(wrong) > 0:
				t.Errorf("%s: %s\n%s", s.Title, s.Why, strings.Join(wrong, "\n"))
			}
		})
	}
}

// TestCatalogueMeetsEveryOutcome checks that the classes which a script can name are those of the benchmark, and that each is met.
func TestCatalogueMeetsEveryOutcome(t *testing.T) {
	met := map[string]bool{}
	for _, name := range script.Names() {
		s, err := script.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Answers {
			if x := s.Answers[i].Expect; x != nil {
				met[x.Outcome] = true
			}
		}
	}
	known := map[string]bool{}
	for o := range bench.NumOutcomes {
		known[o.String()] = true
	}
	for _, name := range script.Outcomes {
		if !known[name] || !met[name] {
			t.Errorf("%s: an outcome %v, met %v", name, known[name], met[name])
		}
	}
}

// stand is a script's server and a client of it, in one bubble.
type stand struct {
	server *script.Server
	script *script.Script
	client *client.Client
	net    *memnet.Listener
}

// inBubble serves a script in virtual time, and checks that server and client end.
func inBubble(t *testing.T, s *script.Script, change func(*client.Options), test func(t *testing.T, b *stand)) {
	// net/http says on the log that a server answers twice.
	log.SetOutput(io.Discard)
	defer log.SetOutput(os.Stderr)
	synctest.Test(t, func(t *testing.T) {
		// The clock of a bubble begins in 2000, when an epoch in milliseconds still had twelve digits.
		time.Sleep(26 * 365 * 24 * time.Hour)
		b := &stand{server: script.New(s), script: s, net: memnet.Listen()}
		ctx, stop := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- b.server.Serve(ctx, b.net) }()
		api, ok := bench.ParseAPI(s.Client.API)
		if !ok {
			t.Errorf("no such API: %q", s.Client.API)
		}
		o := client.Options{
			URL: "http://192.0.2.1/v1", API: api, Model: "scripted", Key: client.NewSecret(testKey), Concurrency: 4, Version: "test", NoProxy: true,
			Stall: time.Second, Dial: b.net.Dial,
			Limits: bench.Limits{Connect: 10 * time.Second, FirstToken: orElse(s.Client.FirstToken, 10*time.Minute), Idle: orElse(s.Client.Idle, time.Minute), Total: s.Client.Total},
		}
		if change != nil {
			change(&o)
		}
		c, err := client.New(o)
		if err != nil {
			t.Fatal(err)
		}
		b.client = c
		test(t, b)
		c.Close()
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

func orElse(d, other time.Duration) time.Duration {
	if d == 0 {
		return other
	}
	return d
}

// playAll sends a script's requests one after the other, and returns what was not as expected.
func playAll(t *testing.T, s *script.Script) (wrong []string) {
	inBubble(t, s, nil, func(t *testing.T, b *stand) {
		if s.Client.Preflight {
			if _, err := b.client.Preflight(context.Background(), prompt); err != nil {
				wrong = append(wrong, "preflight: "+err.Error())
				return
			}
		}
		for n := range s.Client.Requests {
			if n > 0 {
				time.Sleep(orElse(s.Client.Pause, time.Second))
			}
			before := b.begun()
			e, seen := b.send(s.Client.Cancel)
			synctest.Wait()
			i := slices.Index(b.since(before), 1)
			if i < 0 || s.Answers[i].Expect == nil {
				wrong = append(wrong, fmt.Sprintf("request %d: answer %d, which expects nothing (%v %q)", n+1, i+1, e.Outcome, e.Message))
				continue
			}
			for _, w := range compare(s.Answers[i].Expect, e, seen) {
				wrong = append(wrong, fmt.Sprintf("request %d, answer %d: %s", n+1, i+1, w))
			}
			if text := fmt.Sprintf("%q %+v", e.Message+e.Head+e.Finish, e) + fmt.Sprint(seen.quotas); leaks(text) {
				wrong = append(wrong, fmt.Sprintf("request %d: the key is in %s", n+1, text))
			}
		}
	})
	return wrong
}

var prompt = bench.Prompt{Text: "say a word", InputTokens: 9, MaxTokens: 4096}

// leaks tells whether a text holds the key in any form, or enough of it to be of use.
func leaks(text string) bool {
	return strings.Contains(text, "0123456789") || strings.Contains(text, "te&st") || strings.Contains(text, "te%26st") || strings.Contains(text, "cmstInRlJn")
}

func (b *stand) begun() (out []int) {
	for i := range b.script.Answers {
		n, _ := b.server.Played(i)
		out = append(out, n)
	}
	return out
}

func (b *stand) since(before []int) []int {
	now := b.begun()
	for i := range now {
		now[i] -= before[i]
	}
	return now
}

func (b *stand) send(cancel time.Duration) (bench.Ended, *observed) {
	ctx := context.Background()
	if cancel > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, cancel)
		defer stop()
	}
	seen := &observed{}
	return b.client.Send(ctx, bench.Request{ID: 1, Prompt: prompt}, seen), seen
}

// observed is what an observer was told.
type observed struct {
	started int
	chunks  []bench.Chunk
	quotas  []bench.Quota
}

func (o *observed) Started(time.Duration)  { o.started++ }
func (o *observed) Quotas(q []bench.Quota) { o.quotas = slices.Clone(q) }
func (o *observed) Chunk(c bench.Chunk)    { o.chunks = append(o.chunks, c) }
