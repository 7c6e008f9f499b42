package script

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench/memnet"
)

func parsed(t *testing.T, text string) *Script {
	t.Helper()
	s, err := Parse([]byte(head+text), "x")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// served runs a test against a script in virtual time.
func served(t *testing.T, text string, test func(t *testing.T, s *Server, post func(body string) string)) {
	synctest.Test(t, func(t *testing.T) {
		s, ln := New(parsed(t, text)), memnet.Listen()
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- s.Serve(ctx, ln) }()
		tr := &http.Transport{DialContext: ln.Dial, DisableCompression: true}
		c := &http.Client{Transport: tr}
		test(t, s, func(body string) string {
			res, err := c.Post("http://script/v1/messages", "application/json", strings.NewReader(body))
			if err != nil {
				return err.Error()
			}
			defer res.Body.Close()
			all, err := io.ReadAll(res.Body)
			if err != nil {
				return string(all) + " " + err.Error()
			}
			return string(all)
		})
		tr.CloseIdleConnections()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		tr.CloseIdleConnections()
	})
}

func TestAnswersFollowTheirOrder(t *testing.T) {
	const three = "[[answer]]\nbody = \"a\"\n[[answer]]\nbody = \"b\"\n[[answer]]\nbody = \"c\"\n"
	tests := []struct{ name, top, want string }{
		{"in turn they begin again", "", "abcabcabcabc"},
		{"once they end with the last", "order = \"once\"\n", "abcccccccccc"},
		{"at random they follow the seed", "order = \"random\"\nseed = 5\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var runs [2]string
			for i := range runs {
				served(t, tt.top+three, func(t *testing.T, s *Server, post func(string) string) {
					for range 12 {
						runs[i] += post("{}")
					}
					if s.Requests() != 12 {
						t.Errorf("%d requests counted", s.Requests())
					}
				})
			}
			if runs[0] != runs[1] || tt.want != "" && runs[0] != tt.want {
				t.Errorf("%v, want %s", runs, tt.want)
			}
			if tt.want == "" && (!strings.Contains(runs[0], "a") || !strings.Contains(runs[0], "b") || strings.Contains(runs[0], "abcabcabc")) {
				t.Errorf("not at random: %s", runs[0])
			}
		})
	}
}

func TestHealthyAnswersComeFirst(t *testing.T) {
	served(t, "healthy = 2\n[[answer]]\nbody = \"ill\"\n", func(t *testing.T, s *Server, post func(string) string) {
		for i := range 4 {
			if got := post("{}"); strings.Contains(got, "[DONE]") != (i < 2) {
				t.Errorf("request %d: %q", i+1, got)
			}
		}
		if begun, whole := s.Played(0); begun != 2 || whole != 2 {
			t.Errorf("%d begun, %d whole", begun, whole)
		}
	})
}

func TestConditionsChooseRequests(t *testing.T) {
	served(t, `
[[answer]]
when = { field = "stream_options.include_usage" }
body = "refused"
[[answer]]
unless = { field = "stream_options" }
body = "fine {{request}}"
`, func(t *testing.T, _ *Server, post func(string) string) {
		for body, want := range map[string]string{
			`{"stream_options":{"include_usage":true}}`: "refused", `{"stream_options":null}`: "fine", `not JSON`: "fine",
			`{"stream_options":{}}`: "no answer of the script",
		} {
			if got := post(body); !strings.Contains(got, want) {
				t.Errorf("%s: %q, want %q", body, got, want)
			}
		}
	})
}

func TestModelsAreListedUnlessTheScriptSaysOtherwise(t *testing.T) {
	list := func(text string) string {
		w := httptest.NewRecorder()
		New(parsed(t, text)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/models", nil))
		return w.Body.String()
	}
	if got := list("[[answer]]\nbody = \"x\"\n"); !strings.Contains(got, `"id":"scripted"`) {
		t.Error(got)
	}
	if got := list("[[answer]]\npath = \"/v1/models\"\nbody = \"none\"\n"); got != "none" {
		t.Error(got)
	}
}

func TestPlacesAreFilledIn(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f := filling{r: &request{number: 3, body: []byte(`{"content": "a b"}`), header: http.Header{"Authorization": {`Bearer a"b&c`}}}, now: now, n: 4, pad: 3}
	for text, want := range map[string]string{
		"{{n}} {{n*4}} {{n+1}} {{n*2+1}}": "4 16 5 9", "{{request}}": "3", "{{words}} {{words*2+1}}": "3 7", "[{{pad}}]": "[xxx]", "{{hex e282ac}}": "€",
		"{{authorization}} {{key}}": `Bearer a"b&c a"b&c`, "{{key json}} {{key url}}": `a\"b\u0026c a%22b%26c`,
		"{{date 30s}}": "Fri, 02 Jan 2026 03:04:35 GMT", "{{rfc3339 -5s}}": "2026-01-02T03:04:00Z", "{{unix 1m}}": "1767323105", "{{unixms 0s}}": "1767323045000",
		"{{ n }} {{name}} {{{n}}}": "{{ n }} {{name}} {4}",
	} {
		if got := f.fill(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestConnectionsAreClosedWhenTheyIdle(t *testing.T) {
	served(t, "[[answer]]\nkeep = \"5s\"\nbody = \"x\"\n", func(t *testing.T, _ *Server, post func(string) string) {
		for range 4 { // a connection that is used again in time lives on
			if got := post("{}"); got != "x" {
				t.Error(got)
			}
			time.Sleep(3 * time.Second)
		}
		time.Sleep(3 * time.Second)
		if got := post("{}"); got != "x" {
			t.Error(got)
		}
	})
}

func TestServeEndsThoughAnswersHang(t *testing.T) {
	served(t, "[[answer]]\naccept = \"hang\"\n[[answer]]\nframe = \"none\"\nsteps = [ { send = \"HTTP/1.1 200 OK\\r\\n\" }, { hang = true } ]\n", func(t *testing.T, _ *Server, post func(string) string) {
		for range 2 {
			go post("{}")
		}
		time.Sleep(time.Second)
	})
}

func TestServeEndsThoughNobodyReads(t *testing.T) {
	for _, frame := range []string{"chunked", "none", "1.0"} {
		synctest.Test(t, func(t *testing.T) {
			s, ln := New(parsed(t, "[[answer]]\nframe = \""+frame+"\"\nsteps = [ { pad = 4000000 } ]\n")), memnet.Listen()
			ctx, stop := context.WithCancel(context.Background())
			done := make(chan error, 1)
			go func() { done <- s.Serve(ctx, ln) }()
			c, err := ln.Dial(ctx, "", "")
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
			time.Sleep(time.Second)
			stop()
			if err := <-done; err != nil {
				t.Error(err)
			}
			_ = c.Close()
		})
	}
}

// TestPacketsAreReadsOnARealSocket checks on the loopback what virtual time cannot: that each send is a packet of its own, and that a reset
// is one.
func TestPacketsAreReadsOnARealSocket(t *testing.T) {
	s := New(parsed(t, `
[[answer]]
end = "reset"
steps = [ { send = "one\n" }, { send = "two\n" }, { wait = "5ms", send = "three\n" }, { send = "four4four4\n", split = 5 } ]
`))
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, ln) }()
	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
	var chunks []string
	r := bufio.NewReader(c)
	for err == nil {
		var line string
		line, err = r.ReadString('\n')
		chunks = append(chunks, strings.TrimSpace(line))
	}
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("ended with %v, want a reset", err)
	}
	// Each packet is a chunk of HTTP: its length, its bytes.
	for _, want := range []string{"one", "two", "three", "four4", "four4", ""} {
		if !slices.Contains(chunks, want) {
			t.Errorf("no packet %q in %q", want, chunks)
		}
	}
	_ = c.Close()
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestStreamsAreCutOverHTTP2 checks that where there is no connection of its own the stream is reset instead.
func TestStreamsAreCutOverHTTP2(t *testing.T) {
	h := httptest.NewUnstartedServer(New(parsed(t, "[[answer]]\nend = \"cut\"\nsteps = [ { send = \"one\" } ]\n[[answer]]\naccept = \"close\"\n")))
	h.EnableHTTP2 = true
	h.Config.ErrorLog = log.New(io.Discard, "", 0)
	h.StartTLS()
	defer h.Close()
	for i := range 2 {
		res, err := h.Client().Post(h.URL, "application/json", strings.NewReader("{}"))
		if err == nil {
			_, err = io.ReadAll(res.Body)
			if res.ProtoMajor != 2 {
				t.Errorf("answered by %s", res.Proto)
			}
		}
		if err == nil || !strings.Contains(err.Error(), "INTERNAL_ERROR") {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
}
