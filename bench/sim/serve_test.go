package sim

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"redline/bench/memnet"
	"redline/bench/sim/host"
)

func TestEndLetsShortAnswersFinishAndCutsLongOnes(t *testing.T) {
	for name, c := range map[string]struct {
		q    ask
		done bool
	}{
		"an answer with half a second to go": {ask{"max_tokens": 60, "ignore_eos": true}, true},
		"an answer of many seconds":          {ask{"max_tokens": 2000, "ignore_eos": true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, nil, func(t *testing.T, w *world) {
				var told time.Time
				time.AfterFunc(600*time.Millisecond, func() {
					told = time.Now()
					w.stop()
				})
				v := w.read(t.Context(), chat(c.q))
				if v.done != c.done || (v.err == nil) != c.done {
					t.Errorf("done %v, %v", v.done, v.err)
				}
				err := <-w.served
				if took := time.Since(told); err != nil || took > host.Grace+200*time.Millisecond {
					t.Errorf("ended after %v, %v", took, err)
				}
				w.served <- err
			})
		})
	}
}

func TestSpeedScalesTheEngine(t *testing.T) {
	took := func(speed float64) (d time.Duration) {
		inBubble(t, func(o *Options) { o.Speed = speed }, func(t *testing.T, w *world) {
			v := w.read(t.Context(), chat(nil))
			d = v.tokens[len(v.tokens)-1].at.Sub(v.began)
		})
		return d
	}
	if slow, fast := took(0.5), took(10); slow < 19*fast || slow > 21*fast {
		t.Errorf("%v at half speed, %v at ten times", slow, fast)
	}
}

// broken is a listener that fails.
type broken struct{ *memnet.Listener }

func (broken) Accept() (net.Conn, error) { return nil, io.ErrUnexpectedEOF }

func TestBrokenListenerIsTold(t *testing.T) {
	s, err := New(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(t.Context(), broken{memnet.Listen()}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
}

// TestLoopback goes over real sockets once, at a speed that takes no time to speak of.
func TestLoopback(t *testing.T) {
	o := Defaults()
	o.Speed = 200
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	hs := httptest.NewServer(s.Handler())
	defer hs.Close()
	res, err := http.Post(hs.URL+"/v1/chat/completions", "application/json",
		strings.NewReader(`{"model":"redline-sim-7b","stream":true,"messages":[{"role":"user","content":"hello"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || !strings.HasSuffix(string(body), "data: [DONE]\n\n") {
		t.Errorf("%v: ...%s", err, body[max(0, len(body)-100):])
	}
}

func TestProseIsReadableAndNeedsNoEscape(t *testing.T) {
	p := newProse(1)
	if len(p.tokens) < 4000 {
		t.Errorf("only %d tokens", len(p.tokens))
	}
	for _, token := range p.tokens {
		if strings.Trim(token[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ,.") != "" || token[0] != ' ' {
			t.Fatalf("token %q", token)
		}
	}
}

func TestServesHTTP2InPlainText(t *testing.T) {
	s, err := New(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, ln) }()
	transport := &http.Transport{Protocols: new(http.Protocols)}
	transport.Protocols.SetUnencryptedHTTP2(true)
	resp, err := (&http.Client{Transport: transport}).Get("http://" + ln.Addr().String() + "/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.ProtoMajor != 2 || resp.StatusCode != http.StatusOK {
		t.Errorf("%s, status %d; want HTTP/2, 200", resp.Proto, resp.StatusCode)
	}
	transport.CloseIdleConnections()
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
