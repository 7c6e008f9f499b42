package selftest

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
)

// serve starts a server in this process, which ends with the test.
func serve(t *testing.T) (host string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- new(Server).Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

func TestBothReadersCountEveryToken(t *testing.T) {
	g := rig{host: serve(t)}
	for _, r := range []reader{raw{}, path{}} {
		for _, p := range []Plan{{Streams: 1, Tokens: 1, Rate: 1000}, {Streams: 20, Tokens: 30, Rate: 1000}, {Streams: 20, Tokens: 30, Rate: 1000, Burst: true}} {
			g.id++
			e := newEar()
			got, err := r.run(context.Background(), g.host+p.Path(g.id), p, e)
			if err != nil {
				t.Fatalf("%s, %v: %v", r.name(), p, err)
			}
			sent, err := g.sent(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			want := p.Streams * p.Tokens
			if got != want || int(e.tokens.Load()) != want || sent.Tokens != want || sent.Broken != 0 || int(e.begun.Load()) != p.Streams {
				t.Errorf("%s, %v: %d tokens counted, %d stamps, %+v, want %d", r.name(), p, got, e.tokens.Load(), sent, want)
			}
		}
	}
}

func TestAStreamTooManyBreaksOff(t *testing.T) {
	host := serve(t)
	p := Plan{Streams: 1, Tokens: 3, Rate: 1000}
	if _, err := (raw{}).run(context.Background(), host+p.Path(1), p, newEar()); err != nil {
		t.Fatal(err)
	}
	for _, r := range []reader{raw{}, path{}} {
		if _, err := r.run(context.Background(), host+p.Path(1), p, newEar()); err == nil {
			t.Errorf("%s: a stream that the plan does not have ended well", r.name())
		}
	}
}

func TestServerRefusesWhatIsNoPlan(t *testing.T) {
	host := serve(t)
	resp, err := http.Post("http://"+host+"/v1/chat/completions", "application/json", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusNotFound {
		t.Errorf("status %d, %v", resp.StatusCode, err)
	}
}

func TestReadersEndWithTheirContext(t *testing.T) {
	host := serve(t)
	for i, r := range []reader{raw{}, path{}} {
		ctx, cancel := context.WithCancel(context.Background())
		p := Plan{Streams: 2, Tokens: maxTokens, Rate: 1000}
		e := newEar()
		var wg sync.WaitGroup
		wg.Go(func() {
			<-e.windows // a second has been told of, while the streams go on
			cancel()
		})
		if _, err := r.run(ctx, host+p.Path(i+1), p, e); err == nil {
			t.Errorf("%s: it ended well", r.name())
		}
		wg.Wait()
	}
}
