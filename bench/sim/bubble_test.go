package sim

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench/memnet"
)

// world is a served server and its client inside a bubble.
type world struct {
	t      *testing.T
	server *Server
	client *http.Client
	stop   context.CancelFunc
	served chan error
}

// inBubble runs a test against a server in virtual time, and checks that the server ends.
func inBubble(t *testing.T, change func(*Options), test func(*testing.T, *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o := Defaults()
		if change != nil {
			change(&o)
		}
		s, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		ln := memnet.Listen()
		ctx, stop := context.WithCancel(context.Background())
		tr := &http.Transport{DialContext: ln.Dial, MaxIdleConnsPerHost: 1000, DisableCompression: true}
		w := &world{t: t, server: s, client: &http.Client{Transport: tr}, stop: stop, served: make(chan error, 1)}
		go func() { w.served <- s.Serve(ctx, ln) }()
		test(t, w)
		tr.CloseIdleConnections()
		stop()
		if err := <-w.served; err != nil {
			t.Error(err)
		}
		tr.CloseIdleConnections()
	})
}

// ask is a chat completion's body.
type ask map[string]any

func chat(change ask) ask {
	q := ask{
		"model": "redline-sim-7b", "stream": true, "max_tokens": 512,
		"messages":       []any{ask{"role": "user", "content": strings.Repeat("word ", 100)}},
		"stream_options": ask{"include_usage": true},
	}
	for k, v := range change {
		if v == nil {
			delete(q, k)
		} else {
			q[k] = v
		}
	}
	return q
}

func (w *world) post(ctx context.Context, q ask) (*http.Response, error) {
	body, err := json.Marshal(q)
	if err != nil {
		w.t.Error(err)
	}
	return w.raw(ctx, body, "")
}

func (w *world) raw(ctx context.Context, body []byte, key string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://sim/v1/chat/completions", bytes.NewReader(body))
	if err != nil {
		w.t.Error(err)
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	return w.client.Do(r)
}

func (w *world) get(path string) (int, string) {
	w.t.Helper()
	res, err := w.client.Get("http://sim" + path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// metric is one sample's value as the metrics page writes it; "" when it is not there.
func (w *world) metric(prefix string) string {
	_, page := w.get("/metrics")
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, prefix) {
			return strings.TrimSpace(line[strings.LastIndexByte(line, ' '):])
		}
	}
	return ""
}

// event is one event of a stream.
type event struct {
	Choices []struct {
		Delta struct {
			Role             *string `json:"role"`
			Content          *string `json:"content"`
			ReasoningContent *string `json:"reasoning_content"`
		} `json:"delta"`
		FinishReason *string `json:"finish_reason"`
	} `json:"choices"`
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`
	Sent  int64           `json:"sent_ns"`
	at    time.Time
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
	Details    struct {
		Reasoning int `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

// seen is a stream as its client saw it.
type seen struct {
	status int
	header http.Header
	events []event
	// text and thought are the two channels; tokens are all token events.
	text, thought string
	tokens        []event
	finish        string
	usage         *usage
	failed, done  bool
	began         time.Time
	err           error
}

// read posts and reads a stream to its end.
func (w *world) read(ctx context.Context, q ask) seen {
	v := seen{began: time.Now()}
	res, err := w.post(ctx, q)
	if err != nil {
		v.err = err
		return v
	}
	defer res.Body.Close()
	v.status, v.header = res.StatusCode, res.Header
	sc := bufio.NewScanner(res.Body)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok {
			continue
		}
		if data == "[DONE]" {
			v.done = true
			continue
		}
		e := event{at: time.Now()}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			w.t.Errorf("event %s: %v", data, err)
		}
		v.take(e)
	}
	v.err = sc.Err()
	return v
}

func (v *seen) take(e event) {
	v.events = append(v.events, e)
	v.failed = v.failed || e.Error != nil
	if e.Usage != nil {
		v.usage = e.Usage
	}
	for _, c := range e.Choices {
		switch {
		case c.FinishReason != nil:
			v.finish = *c.FinishReason
		case c.Delta.Role != nil:
		case c.Delta.ReasoningContent != nil:
			v.thought += *c.Delta.ReasoningContent
			v.tokens = append(v.tokens, e)
		case c.Delta.Content != nil:
			v.text += *c.Delta.Content
			v.tokens = append(v.tokens, e)
		}
	}
}
