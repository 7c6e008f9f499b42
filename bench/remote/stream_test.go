package remote

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/memnet"
)

// pipes is a listener whose connections a test makes.
type pipes struct {
	come   chan net.Conn
	closed chan struct{}
}

func newPipes() *pipes { return &pipes{make(chan net.Conn), make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.come:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	select {
	case <-p.closed:
	default:
		close(p.closed)
	}
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7777} }

// dial is a connection to whoever accepts.
func (p *pipes) dial() net.Conn {
	here, there := memnet.Pipe()
	p.come <- there
	return here
}

// asks writes a request.
func asks(t *testing.T, c net.Conn, path string, headers ...string) {
	t.Helper()
	text := "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + testToken + "\r\n"
	for _, h := range headers {
		text += h + "\r\n"
	}
	if _, err := c.Write([]byte(text + "\r\n")); err != nil {
		t.Error(err)
	}
}

// served runs a test against a server of a run in virtual time, and checks that nothing of it is left: synctest waits for every goroutine.
func served(t *testing.T, test func(t *testing.T, r *run, p *pipes)) {
	synctest.Test(t, func(t *testing.T) {
		r, p := newRun(), newPipes()
		shown := time.Duration(-1)
		s := serve(r, func(o *Options) {
			o.News = func(s *bench.Snapshot) [][]byte {
				if s.Folded == shown {
					return nil
				}
				shown = s.Folded
				return [][]byte{fmt.Appendf(nil, `{"type":"second","at_s":%v,"pad":%q}`, s.Folded.Seconds(), strings.Repeat("x", 1000))}
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx, p) }()
		ticks, still := context.WithCancel(t.Context())
		ticked := make(chan struct{})
		go func() {
			defer close(ticked)
			for ticks.Err() == nil {
				time.Sleep(time.Second)
				r.change(func(s *bench.Snapshot) { s.Folded += time.Second })
			}
		}()
		test(t, r, p)
		still()
		<-ticked
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// events are the ids and types that come in a stream until there are so many, or it ends.
func events(c net.Conn, most int) []string {
	in := bufio.NewScanner(c)
	var out []string
	id := ""
	for len(out) < most && in.Scan() {
		if text, ok := strings.CutPrefix(in.Text(), "id: "); ok {
			id = text
		}
		if text, ok := strings.CutPrefix(in.Text(), "event: "); ok {
			out = append(out, text+id)
			id = ""
		}
	}
	return out
}

func TestAStreamHasEachSecondAndGoesOnBehindWhatItHad(t *testing.T) {
	served(t, func(t *testing.T, r *run, p *pipes) {
		c := p.dial()
		asks(t, c, "/v1/stream")
		if got := fmt.Sprint(events(c, 30)); !strings.HasPrefix(got, "[second1 second2 second3") || !strings.HasSuffix(got, "second30]") {
			t.Errorf("half a minute of seconds: %s", got)
		}
		_ = c.Close()
		time.Sleep(5 * time.Second)
		again := p.dial()
		asks(t, again, "/v1/stream", "Last-Event-ID: 30")
		if got := fmt.Sprint(events(again, 3)); got != "[second31 second32 second33]" {
			t.Errorf("behind the thirtieth: %s", got)
		}
		_ = again.Close()
	})
}

// TestWhatWasToldBeforeIsNotToldInPrivate: objects that were made in the open stay back while what is private is hidden, and the start is made anew.
func TestWhatWasToldBeforeIsNotToldInPrivate(t *testing.T) {
	r := newRun()
	var private atomic.Bool
	s := serve(r, func(o *Options) {
		o.Private = private.Load
		o.Start = func(s *bench.Snapshot, private bool) []byte {
			return fmt.Appendf(nil, `{"type":"start","host":%q,"private":%v}`, s.Run.Host, private)
		}
		o.News = func(s *bench.Snapshot) [][]byte {
			return [][]byte{fmt.Appendf(nil, `{"type":"second","host":%q}`, s.Run.Host)}
		}
	})
	told := func(last string) string {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		return asked(t, s, "GET", "/v1/stream", "", func(r *http.Request) {
			*r = *r.WithContext(ctx)
			if last != "" {
				r.Header.Set("Last-Event-ID", last)
			}
		}).Body.String()
	}
	if text := told(""); strings.Count(text, "gpu-7") != 2 || !strings.Contains(text, `"private":false`) {
		t.Errorf("in the open: %s", text)
	}
	private.Store(true)
	for _, last := range []string{"", "0"} {
		if text := told(last); strings.Contains(text, "gpu-7") || !strings.Contains(text, "event: second") || strings.Contains(text, `"private":true`) != (last == "") {
			t.Errorf("in private, behind %q: %s", last, text)
		}
	}
	private.Store(false)
	if text := told("0"); !strings.Contains(text, "gpu-7") {
		t.Errorf("in the open again: %s", text)
	}
}

// TestWhoJoinsIsToldOfEveryTarget: the present second of each.
func TestWhoJoinsIsToldOfEveryTarget(t *testing.T) {
	s := serve(newRun(), func(o *Options) {
		o.News = func(*bench.Snapshot) [][]byte {
			return [][]byte{[]byte(`{"type":"second","of":"A"}`), []byte(`{"type":"level","of":"B"}`), []byte(`{"type":"second","of":"B"}`)}
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		text := asked(t, s, "GET", "/v1/stream", "", func(r *http.Request) { *r = *r.WithContext(ctx) }).Body.String()
		if strings.Count(text, `"A"`) != 1 || strings.Count(text, `"B"`) != 2 {
			t.Error(text)
		}
	}
}

func TestAStreamEndsWithItsRun(t *testing.T) {
	served(t, func(t *testing.T, r *run, p *pipes) {
		c := p.dial()
		asks(t, c, "/v1/stream")
		time.Sleep(3500 * time.Millisecond)
		close(r.done)
		got := events(c, 100)
		if len(got) < 4 || got[len(got)-1] != "end" {
			t.Errorf("%v", got)
		}
		_ = c.Close()
	})
}

func TestAReaderWhoTakesNothingIsDropped(t *testing.T) {
	served(t, func(t *testing.T, r *run, p *pipes) {
		// What is written to it waits until it is read, or for its deadline.
		slow, there := net.Pipe()
		p.come <- there
		quick := p.dial()
		asks(t, slow, "/v1/stream")
		asks(t, quick, "/v1/stream")
		if got := events(quick, 200); len(got) != 200 {
			t.Errorf("the quick one has %d", len(got))
		}
		if got := events(slow, 200); len(got) >= 200 {
			t.Errorf("the slow one is served: %d", len(got))
		}
		_, _ = slow.Close(), quick.Close()
	})
}

func TestOnlySoManyStreamsAreServed(t *testing.T) {
	served(t, func(t *testing.T, r *run, p *pipes) {
		var all []net.Conn
		for range mostStreams {
			c := p.dial()
			asks(t, c, "/v1/stream")
			all = append(all, c)
			synctest.Wait()
		}
		c := p.dial()
		asks(t, c, "/v1/stream")
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || answer.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("one more: %v %v", answer, err)
		}
		for _, c := range append(all, c) {
			_ = c.Close()
		}
	})
}

func TestAConnectionThatSaysNothingIsClosed(t *testing.T) {
	served(t, func(t *testing.T, r *run, p *pipes) {
		c := p.dial()
		began := time.Now()
		_, _ = c.Read(make([]byte, 1))
		if took := time.Since(began); took > readWait+time.Second {
			t.Errorf("closed after %v", took)
		}
		_ = c.Close()
	})
}

// TestWhoSaysNothingKeepsNobodyOut: however many connections are open, who shows the token is heard, and a stream that is read stays.
func TestWhoSaysNothingKeepsNobodyOut(t *testing.T) {
	served(t, func(t *testing.T, r *run, p *pipes) {
		reader := p.dial()
		asks(t, reader, "/v1/stream")
		if got := events(reader, 1); len(got) != 1 {
			t.Fatalf("the stream has %v", got)
		}
		var idle []net.Conn
		for range 3 * mostCrowd {
			idle = append(idle, p.dial())
		}
		synctest.Wait()
		for range 3 {
			c := p.dial()
			asks(t, c, "/v1/status")
			if answer, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || answer.StatusCode != 200 {
				t.Errorf("who shows the token: %v", err)
			}
			idle = append(idle, c)
		}
		if got := events(reader, 3); len(got) != 3 {
			t.Errorf("the stream goes on with %v", got)
		}
		_ = reader.Close()
		for _, c := range idle {
			_ = c.Close()
		}
	})
}

func TestThereIsRoomForSoManyConnections(t *testing.T) {
	p := newPipes()
	c := newCrowd(p, 2)
	accepted := make(chan *guest, 4)
	go func() {
		defer close(accepted)
		for {
			conn, err := c.Accept()
			if err != nil {
				return
			}
			accepted <- conn.(*guest)
		}
	}()
	closed := func(conn net.Conn) bool {
		_, err := conn.Read(make([]byte, 1))
		return err != nil
	}
	one := p.dial()
	first := <-accepted
	first.trust()
	two := p.dial()
	<-accepted
	p.dial()
	third := <-accepted
	if !closed(two) {
		t.Error("a third is let in, and the one that has shown nothing stays")
	}
	third.trust()
	if !closed(p.dial()) {
		t.Error("a fourth is let in, though both have shown the token")
	}
	_, _ = first.Close(), first.Close()
	if !closed(one) {
		t.Error("the first stays open")
	}
	p.dial()
	<-accepted
	if c.friends != 1 || len(c.strangers) != 1 {
		t.Errorf("%d friends and %d strangers, want one of each", c.friends, len(c.strangers))
	}
	_ = p.Close()
	<-accepted
}
