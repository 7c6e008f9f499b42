package sim

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// tongue is how a test speaks one of the protocols.
type tongue struct {
	path   string
	header map[string]string
	// keyHeader is the protocol's own header of keys, and limit its field of the longest answer.
	keyHeader, limit string
	body             ask
	// prompt is how many tokens the body's prompt has.
	prompt int
	// errorType is the word in errors of the server's own making.
	errorType string
}

const hundred = 100

func tongues() map[string]tongue {
	text := strings.TrimSpace(strings.Repeat("word ", hundred))
	said := []any{ask{"role": "user", "content": text}}
	usage := ask{"include_usage": true}
	return map[string]tongue{
		"chat": {
			path: "/v1/chat/completions", limit: "max_tokens", prompt: hundred + templateTokens, errorType: "InternalServerError",
			body: ask{"model": "redline-sim-7b", "messages": said, "stream_options": usage},
		},
		"completions": {
			path: "/v1/completions", limit: "max_tokens", prompt: hundred, errorType: "InternalServerError",
			body: ask{"model": "redline-sim-7b", "prompt": text, "stream_options": usage},
		},
		"responses": {
			path: "/v1/responses", limit: "max_output_tokens", prompt: hundred + templateTokens, errorType: "InternalServerError",
			body: ask{"model": "redline-sim-7b", "input": text},
		},
		"anthropic": {
			path: "/v1/messages", limit: "max_tokens", prompt: hundred + templateTokens, errorType: "api_error",
			header: map[string]string{"anthropic-version": "2023-06-01"}, keyHeader: "x-api-key",
			body: ask{"model": "redline-sim-7b", "messages": said},
		},
		"azure": {
			path: "/openai/deployments/redline-sim-7b/chat/completions?api-version=2024-10-21", limit: "max_tokens", prompt: hundred + templateTokens,
			errorType: "InternalServerError", keyHeader: "api-key",
			body: ask{"messages": said, "stream_options": usage},
		},
	}
}

// told is one event as it came.
type told struct {
	name string
	data []byte
	at   time.Time
}

// reply is an answer in any protocol.
type reply struct {
	status int
	header http.Header
	events []told
	body   []byte
	done   bool
	err    error
}

// say posts in a protocol, with changes to the body; a nil takes a field away.
func (w *world) say(g tongue, change ask) reply {
	w.t.Helper()
	q := ask{"stream": true, g.limit: 40, "ignore_eos": true}
	for _, fields := range []ask{g.body, change} {
		for k, v := range fields {
			if q[k] = v; v == nil {
				delete(q, k)
			}
		}
	}
	if q["stream"] == false {
		delete(q, "stream_options")
	}
	body, err := json.Marshal(q)
	if err != nil {
		w.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, "http://sim"+g.path, bytes.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	for k, v := range g.header {
		r.Header.Set(k, v)
	}
	res, err := w.client.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	v := reply{status: res.StatusCode, header: res.Header}
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		v.body, v.err = io.ReadAll(res.Body)
		return v
	}
	v.read(w.t, res.Body)
	return v
}

func (v *reply) read(t *testing.T, body io.Reader) {
	sc, name := bufio.NewScanner(body), ""
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		if rest, ok := strings.CutPrefix(sc.Text(), "event: "); ok {
			name = rest
		}
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok {
			continue
		}
		if v.done {
			t.Errorf("%s comes after the end", data)
		}
		if data == "[DONE]" {
			v.done = true
			continue
		}
		if !json.Valid([]byte(data)) {
			t.Errorf("event %s", data)
		}
		v.events = append(v.events, told{name, []byte(data), time.Now()})
		name = ""
	}
	v.err = sc.Err()
}

// into reads an event or a body.
func into[T any](t *testing.T, data []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}

// inEach runs a test in every protocol.
func inEach(t *testing.T, change func(*Options), test func(*testing.T, *world, tongue)) {
	for name, g := range tongues() {
		t.Run(name, func(t *testing.T) {
			inBubble(t, change, func(t *testing.T, w *world) {
				w.t = t
				test(t, w, g)
			})
		})
	}
}
