package client

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

// eavesdropper listens to a stream, and looks after each piece at what may be shown of it.
type eavesdropper struct {
	sync.Mutex
	clean func(text string, late, goesOn bool) string
	text  string
	shown []string
}

func (e *eavesdropper) Started(time.Duration) {}
func (e *eavesdropper) Quotas([]bench.Quota)  {}
func (e *eavesdropper) Chunk(bench.Chunk)     {}
func (e *eavesdropper) Listens() bool         { return true }

func (e *eavesdropper) Text(b []byte, _ bool) {
	e.text += string(b)
	e.shown = append(e.shown, e.clean(e.text, false, true))
}

// escaped is a text as it stands in a string of JSON.
func escaped(s string) string { return strings.ReplaceAll(s, `"`, `\"`) }

// A server that repeats the key gets it into no text, wherever it is cut: neither as it is kept, nor while it comes.
func TestAnEchoedKeyIsInNoReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for cut := range len(testKey) + 1 {
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("X-Echo", "Bearer "+testKey)
				for _, part := range []string{"it is ", testKey[:cut], testKey[cut:], " indeed"} {
					say(w, strings.ReplaceAll(token, `" a"`, `"`+escaped(part)+`"`))
					time.Sleep(time.Millisecond)
				}
				say(w, stop, doneLine)
			}, nil)
			ear := &eavesdropper{clean: c.CleanPart}
			e := c.Send(context.Background(), request, ear)
			if e.Outcome != bench.OK || e.Reply != "it is *** indeed" {
				t.Errorf("cut at %d: %v %q", cut, e.Outcome, e.Reply)
			}
			if text := fmt.Sprintf("%+v", e); strings.Contains(text, "0123456789") || strings.Contains(text, "te&st") {
				t.Errorf("cut at %d: %s", cut, text)
			}
			if got := e.Header["X-Echo"]; !reflect.DeepEqual(got, []string{"Bearer ***"}) && !reflect.DeepEqual(got, []string{"***"}) {
				t.Errorf("header %q", got)
			}
			whole := "it is *** indeed"
			for _, s := range append(ear.shown, c.CleanPart(ear.text, false, false)) {
				if !strings.HasPrefix(whole, s) {
					t.Errorf("cut at %d: %q was shown", cut, s)
				}
			}
			if n := len(ear.shown); n < 3 || ear.text != "it is "+testKey+" indeed" {
				t.Errorf("cut at %d: %q in %d pieces", cut, ear.text, n)
			}
		}
	})
}

func TestTheHeadOfAnAnswerIsKept(t *testing.T) {
	r := newRedactor("sk-0123456789", "tiny-key")
	many := http.Header{}
	for i := range 200 {
		many.Set(fmt.Sprintf("X-Field-%03d", i), strings.Repeat("v", 100))
	}
	plain := http.Header{"Content-Type": {"text/event-stream"}, "X-Request-Id": {"7c1e"}, "X-Ratelimit-Remaining-Tokens": {"149984"}}
	for _, tt := range []struct {
		sentence string
		given    http.Header
		want     http.Header
	}{
		{"harmless fields as they are", plain, plain},
		{"none", nil, nil},
		{"the values of cookies never", http.Header{"Set-Cookie": {"sid=abc; Path=/", "b=c"}, "X": {"y"}}, http.Header{"Set-Cookie": {"***", "***"}, "X": {"y"}}},
		{"nor what is a token by its name", http.Header{"X-Amz-Security-Token": {"abcdef"}, "X-Session-Id": {"12"}}, http.Header{"X-Amz-Security-Token": {"***"}, "X-Session-Id": {"***"}}},
		{"nor a key that is echoed, in whatever case", http.Header{"X-Echo": {"a SK-0123456789 b", "tiny-key"}}, http.Header{"X-Echo": {"a *** b", "***"}}},
		{"in a name neither", http.Header{"X-Sk-0123456789": {"a"}}, http.Header{"X-***": {"a"}}},
		{"control characters go", http.Header{"X": {"a\x1b[31mb\xff"}}, http.Header{"X": {"a [31mb\uFFFD"}}},
		{"a long value is cut", http.Header{"X": {strings.Repeat("x", 5000)}}, http.Header{"X": {strings.Repeat("x", 253) + "…"}}},
	} {
		if got := r.head(tt.given); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.sentence, got, tt.want)
		}
	}
	size := 0
	got := r.head(many)
	for name, values := range got {
		size += len(name) + len(values[0])
	}
	if size > maxHead || len(got) < 30 {
		t.Errorf("%d fields of %d bytes", len(got), size)
	}
}

// A map has no order: what is kept of a head must not depend on which of its fields comes last.
func TestTheSameHeadIsKeptInOneWay(t *testing.T) {
	r := newRedactor("sk-live-A1b2C3d4E5f6G7h8")
	want := http.Header{"X-Echo": {"***"}, "Server": {"nginx"}, "X-A": {"1"}, "Date": {"x"}}
	for range 100 {
		h := want.Clone()
		h.Set("X-Echo", "sk-live-A1b2")
		if got := r.head(h); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q", got)
		}
	}
}

// BenchmarkHead is what an answer's fields cost each request.
func BenchmarkHead(b *testing.B) {
	r := newRedactor("sk-" + "0123456789abcdefghijklmnop")
	h := http.Header{"Content-Type": {"text/event-stream"}, "X-Request-Id": {"7c1e"}, "Date": {"Mon, 30 Nov 2026 12:00:00 GMT"}, "Server": {"uvicorn"}, "Cache-Control": {"no-cache"},
		"X-Ratelimit-Remaining-Tokens": {"149984"}, "X-Ratelimit-Remaining-Requests": {"99"}, "X-Ratelimit-Limit-Tokens": {"150000"}}
	b.ReportAllocs()
	for b.Loop() {
		if len(r.head(h)) != len(h) {
			b.Fatal()
		}
	}
}
