package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/memnet"
)

// network is a resolver and a dialer that say what they were asked.
type network struct {
	sync.Mutex
	addresses []netip.Addr
	slow      time.Duration
	lookUps   int
	dialled   []string
	// answer is what an address does: nil serves, an error fails, and errBlackHole swallows everything.
	answer map[string]error
	server *memnet.Listener
}

var errBlackHole = errors.New("black hole")

func (n *network) resolve(context.Context, string) ([]netip.Addr, error) {
	time.Sleep(n.slow)
	n.Lock()
	defer n.Unlock()
	n.lookUps++
	return n.addresses, nil
}

func (n *network) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, _ := net.SplitHostPort(address)
	n.Lock()
	n.dialled = append(n.dialled, host)
	err := n.answer[host]
	n.Unlock()
	switch {
	case err == errBlackHole:
		<-ctx.Done()
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: ctx.Err()}
	case err != nil:
		return nil, err
	}
	return n.server.Dial(ctx, network, address)
}

// took are the dials since the last call.
func (n *network) took() string {
	n.Lock()
	defer n.Unlock()
	list := strings.Join(n.dialled, " ")
	n.dialled = nil
	return list
}

func list(texts ...string) (addresses []netip.Addr) {
	for _, s := range texts {
		addresses = append(addresses, netip.MustParseAddr(s))
	}
	return addresses
}

// onNetwork is a client whose host is a name on a network; each of its requests has a connection of its own.
func onNetwork(t *testing.T, n *network, change func(*Options)) *Client {
	c, l := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		say(w, token, stop, usageEnd, doneLine)
	}, func(o *Options) {
		o.URL, o.Dial, o.Resolve = "http://gpu.example:8000", n.dial, n.resolve
		if change != nil {
			change(o)
		}
	})
	n.server = l
	return c
}

// send waits until the connection is idle again, or closed.
func send(t *testing.T, c *Client, want bench.Outcome) bench.Ended {
	t.Helper()
	e := sendBeside(t, c, want)
	synctest.Wait()
	return e
}

// sendBeside is send beside others, or over real connections.
func sendBeside(t *testing.T, c *Client, want bench.Outcome) bench.Ended {
	t.Helper()
	e := c.Send(context.Background(), request, nil)
	if e.Outcome != want {
		t.Errorf("%v %q, want %v", e.Outcome, e.Message, want)
	}
	return e
}

func TestNamesAreLookedUpOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &network{addresses: list("192.0.2.1", "192.0.2.2", "::ffff:192.0.2.1"), slow: 30 * ms}
		c := onNetwork(t, n, nil)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() { sendBeside(t, c, bench.OK) })
		}
		all.Wait()
		for range 5 {
			send(t, c, bench.OK)
		}
		if got := n.took(); n.lookUps != 1 || strings.Contains(got, "192.0.2.2") {
			t.Errorf("%d look-ups, dialled %s", n.lookUps, got)
		}
	})
}

func TestLookUpAndHandshakeAreTimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &network{addresses: list("192.0.2.1"), slow: 30 * ms}
		c := onNetwork(t, n, func(o *Options) {
			dial := o.Dial
			o.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				time.Sleep(7 * ms)
				return dial(ctx, network, address)
			}
		})
		if e := send(t, c, bench.OK); e.Connect != (bench.Connect{DNS: 30 * ms, TCP: 7 * ms}) || e.Reused {
			t.Errorf("the first connection took %+v", e.Connect)
		}
		if e := send(t, c, bench.OK); e.Connect != (bench.Connect{TCP: 7 * ms}) {
			t.Errorf("the second connection took %+v", e.Connect)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, threeTokens, nil)
		c.Send(context.Background(), request, nil)
		time.Sleep(ms)
		if e := c.Send(context.Background(), request, nil); !e.Reused || e.Connect != (bench.Connect{}) {
			t.Errorf("a kept connection took %+v", e.Connect)
		}
	})
}

func TestAddressesAreTriedInOrder(t *testing.T) {
	refused := dialError("connect", syscall.ECONNREFUSED)
	noIPv6 := dialError("connect", syscall.EADDRNOTAVAIL)
	tests := []struct {
		sentence  string
		addresses []netip.Addr
		answer    map[string]error
		rotate    bool
		want      bench.Outcome
		dialled   []string // of one request after the other
		longest   time.Duration
	}{
		{"the first serves all", list("192.0.2.1", "192.0.2.2"), nil, false, bench.OK, []string{"192.0.2.1", "192.0.2.1", "192.0.2.1"}, 0},
		{"where asked, each connection takes the next", list("192.0.2.1", "192.0.2.2"), nil, true, bench.OK, []string{"192.0.2.1", "192.0.2.2", "192.0.2.1"}, 0},
		{"one that refuses is passed over, and tried last from then on", list("192.0.2.1", "192.0.2.2"), map[string]error{"192.0.2.1": refused}, false, bench.OK,
			[]string{"192.0.2.1 192.0.2.2", "192.0.2.2"}, 0},
		{"IPv6 that swallows everything costs half the limit, once", list("2001:db8::1", "192.0.2.1"), map[string]error{"2001:db8::1": errBlackHole}, false, bench.OK,
			[]string{"2001:db8::1 192.0.2.1", "192.0.2.1"}, 5 * time.Second},
		{"IPv6 where there is none is passed over", list("2001:db8::1", "192.0.2.1"), map[string]error{"2001:db8::1": noIPv6}, false, bench.OK, []string{"2001:db8::1 192.0.2.1", "192.0.2.1"}, 0},
		{"it does not hide why the others fail", list("2001:db8::1", "192.0.2.1"), map[string]error{"2001:db8::1": noIPv6, "192.0.2.1": refused}, false, bench.Refused, []string{"2001:db8::1 192.0.2.1"}, 0},
		{"nor does it as the last one", list("192.0.2.1", "2001:db8::1"), map[string]error{"2001:db8::1": noIPv6, "192.0.2.1": refused}, false, bench.Refused, []string{"192.0.2.1 2001:db8::1"}, 0},
		{"without a port left here no other address is tried", list("192.0.2.1", "192.0.2.2"), map[string]error{"192.0.2.1": noIPv6}, false, bench.NoDescriptors, []string{"192.0.2.1"}, 0},
		{"nor without a descriptor", list("192.0.2.1", "192.0.2.2"), map[string]error{"192.0.2.1": dialError("socket", syscall.EMFILE)}, false, bench.NoDescriptors, []string{"192.0.2.1"}, 0},
		{"when all swallow everything, the limit holds", list("192.0.2.1", "192.0.2.2", "192.0.2.3"), map[string]error{"192.0.2.1": errBlackHole, "192.0.2.2": errBlackHole, "192.0.2.3": errBlackHole}, false,
			bench.TimeoutConnect, []string{"192.0.2.1 192.0.2.2 192.0.2.3"}, 10 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := &network{addresses: tt.addresses, answer: tt.answer}
				c := onNetwork(t, n, func(o *Options) { o.Rotate, o.Limits.Connect = tt.rotate, 10*time.Second })
				for i, want := range tt.dialled {
					e := send(t, c, tt.want)
					took, _ := e.Marks.Ended.Since(e.Marks.Started)
					if got := n.took(); got != want || took > tt.longest || i == 0 && took != tt.longest {
						t.Errorf("request %d after %v dialled %s, want %s after %v", i, took, got, want, tt.longest)
					}
				}
			})
		})
	}
}

func TestAMovedHostIsFoundAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := dialError("connect", syscall.ECONNREFUSED)
		n := &network{addresses: list("192.0.2.1", "192.0.2.2"), answer: map[string]error{}}
		c := onNetwork(t, n, nil)
		send(t, c, bench.OK)
		n.answer["192.0.2.1"], n.answer["192.0.2.2"], n.addresses = refused, refused, list("192.0.2.9")
		send(t, c, bench.Refused)
		send(t, c, bench.OK)
		if got := n.took(); n.lookUps != 2 || !strings.HasSuffix(got, "192.0.2.2 192.0.2.9") {
			t.Errorf("%d look-ups, dialled %s", n.lookUps, got)
		}
	})
}

func TestACancelledDialForgetsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &network{addresses: list("192.0.2.1"), answer: map[string]error{}}
		c := onNetwork(t, n, nil)
		send(t, c, bench.OK)
		n.answer["192.0.2.1"] = errBlackHole
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(ms, cancel)
		if e := c.Send(ctx, request, nil); e.Outcome != bench.Cancelled {
			t.Errorf("%v %q", e.Outcome, e.Message)
		}
		c.Close()
		if n.lookUps != 1 || c.hosts.count() != 1 {
			t.Errorf("%d look-ups, %d addresses kept", n.lookUps, c.hosts.count())
		}
	})
}

func TestAFailedLookUpServesAllThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &network{slow: 5 * time.Second}
		c := onNetwork(t, n, func(o *Options) { o.Limits.Connect = 10 * time.Second })
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if e := sendBeside(t, c, bench.DNS); e.Marks.Ended.At != 5*time.Second {
					t.Errorf("after %v", e.Marks.Ended.At)
				}
			})
		}
		all.Wait()
		if n.lookUps != 1 {
			t.Errorf("%d look-ups", n.lookUps)
		}
	})
}

func TestFailedLookUpsAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &network{}
		c := onNetwork(t, n, nil)
		send(t, c, bench.DNS)
		n.addresses = list("192.0.2.1")
		send(t, c, bench.OK)
	})
}

func TestAddressesAreReported(t *testing.T) {
	for _, tt := range []struct {
		addresses []netip.Addr
		rotate    bool
		note      string
	}{
		{list("192.0.2.1"), false, ""},
		{list("192.0.2.1", "192.0.2.2"), false, "gpu.example has 2 addresses: connections go to 192.0.2.1"},
		{list("192.0.2.1", "192.0.2.2"), true, "gpu.example has 2 addresses: each new connection takes the next one"},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := &network{addresses: tt.addresses}
			c := onNetwork(t, n, func(o *Options) { o.Rotate = tt.rotate })
			r, err := c.Preflight(context.Background(), request.Prompt)
			notes := strings.Join(r.Notes, "\n")
			if err != nil || r.Address != "192.0.2.1:80" || r.Protocol != "HTTP/1.1" || !strings.Contains(notes, tt.note) || (tt.note == "") == strings.Contains(notes, "addresses") {
				t.Errorf("%v, address %q, protocol %q, notes %q", err, r.Address, r.Protocol, notes)
			}
		})
	}
}

func TestNoPortLeftIsSaidSo(t *testing.T) {
	for _, tt := range []struct {
		err               error
		message, sentence string
	}{
		{dialError("connect", syscall.EADDRNOTAVAIL), "no local port left: ", "no local port left to reach http://192.0.2.1"},
		{dialError("socket", syscall.EMFILE), "no file descriptor left: ", "no file descriptor left to reach http://192.0.2.1"},
	} {
		synctest.Test(t, func(t *testing.T) {
			dials := 0
			c, _ := serve(t, threeTokens, func(o *Options) {
				o.Dial = func(context.Context, string, string) (net.Conn, error) { dials++; return nil, tt.err }
			})
			e := send(t, c, bench.NoDescriptors)
			if !strings.HasPrefix(e.Message, tt.message) || dials != 1 {
				t.Errorf("%q after %d dials", e.Message, dials)
			}
			if _, err := c.Preflight(context.Background(), request.Prompt); !strings.Contains(fmt.Sprint(err), tt.sentence) {
				t.Error(err)
			}
		})
	}
}
