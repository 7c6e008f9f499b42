package remote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"redline/bench"
)

const testToken = "a-token-of-the-tests-0123"

// run is an engine that does what the tests need of one: it sets loads, and asks before one above 32.
type run struct {
	mu   sync.Mutex
	s    bench.Snapshot
	got  []bench.Command
	asks int
	// deaf: it takes no commands.
	deaf bool
	// says is what it says against each command.
	says string
	// under and behind are what happens before the next command is taken, and after it.
	under, behind func(*bench.Snapshot)
	done          chan struct{}
}

func newRun() *run {
	r := &run{done: make(chan struct{})}
	r.s = bench.Snapshot{Run: &bench.Run{Version: "dev", Target: "http://gpu-7:8000/v1", Host: "gpu-7:8000", Model: "qwen", Max: 64, MaxRate: 50, Works: []bench.Workload{{Name: "w"}}}}
	r.s.State, r.s.Target, r.s.At = bench.Running, bench.InFlight(8), 10*time.Second
	r.s.Events = []bench.Event{{Kind: bench.EventOpen, Level: 1}}
	return r
}

func (r *run) Snapshot() *bench.Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.s
	return &s
}

func (r *run) Done() <-chan struct{} { return r.done }

// change changes what the run shows.
func (r *run) change(f func(*bench.Snapshot)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(&r.s)
}

func (r *run) Post(c bench.Command) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, c)
	m, ok := c.(bench.Remote)
	if !ok || r.deaf {
		return
	}
	r.note(bench.Event{Kind: bench.EventRemote, Text: m.Text})
	if r.under != nil {
		r.under(&r.s)
	}
	r.take(m.Command)
	if r.says != "" {
		r.note(bench.Event{Kind: bench.EventWarn, Text: r.says})
	}
	if r.behind != nil {
		r.behind(&r.s)
	}
	r.under, r.behind = nil, nil
	close(m.Taken)
}

func (r *run) note(e bench.Event) {
	e.At = r.s.At
	r.s.Events = append(r.s.Events[:len(r.s.Events):len(r.s.Events)], e)
}

func (r *run) take(c bench.Command) {
	switch c := c.(type) {
	case bench.Locked:
		if set, ok := c.Command.(bench.Set); ok && set.N > r.s.Target.N {
			r.note(bench.Event{Kind: bench.EventWarn, Locked: true, Text: "locked"})
			return
		}
		r.take(c.Command)
	case bench.Agreed:
		before := r.asks
		if r.take(c.Command); r.asks != before {
			r.take(bench.Answer{ID: r.asks, Yes: true})
		}
	case bench.Set:
		if c.N > 32 {
			r.asks++
			r.s.Ask = &bench.Ask{ID: r.asks, Text: "raise?", To: bench.InFlight(int(c.N)), Load: true, Raises: true}
			return
		}
		r.s.Target = bench.InFlight(int(c.N))
	case bench.Answer:
		if a := r.s.Ask; a != nil && a.ID == c.ID {
			r.note(bench.Event{Kind: bench.EventAnswer})
			if r.s.Ask = nil; c.Yes {
				r.s.Target = a.To
			}
		}
	case bench.Pause:
		r.s.State = bench.Paused
	}
}

// did are the commands that were taken, without what is about them.
func (r *run) did() []bench.Command {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []bench.Command
	for _, c := range r.got {
		if m, ok := c.(bench.Remote); ok {
			c = m.Command
		}
		out = append(out, c)
	}
	return out
}

// serve is a server of a run, changed as a test needs it.
func serve(r *run, change func(*Options)) *Server {
	o := Options{Engine: r, Token: testToken,
		Report: func(s *bench.Snapshot, private bool) ([]byte, error) {
			return fmt.Appendf(nil, `{"report":%q,"private":%v}`, s.Run.Host, private), nil
		},
		Second: func(s *bench.Snapshot) ([]byte, error) { return []byte(`{"type":"second"}`), nil },
		News: func(s *bench.Snapshot) [][]byte {
			return [][]byte{fmt.Appendf(nil, `{"type":"second","at_s":%v}`, s.Folded.Seconds())}
		},
	}
	if change != nil {
		change(&o)
	}
	return New(o)
}

// asked is the answer to a request with the token.
func asked(t *testing.T, s *Server, method, path, body string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1:7777"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+testToken)
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	s.http.Handler.ServeHTTP(w, r)
	if got := w.Header().Get("Content-Type"); path != "/metrics" && got != "application/json" && got != "text/event-stream" {
		t.Errorf("%s %s: content type %q", method, path, got)
	}
	return w
}

// told is the document of an answer.
func told[T any](t *testing.T, w *httptest.ResponseRecorder) (out T) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Fatalf("%v in %s", err, w.Body)
	}
	return out
}
