package client

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// triedFor bounds the try of one address of several where nothing else bounds it.
const triedFor = 5 * time.Second

// hosts keeps the addresses of the target's name, so that connections do not each ask for them, and a load of short ones is not one on the
// resolver.
type hosts struct {
	name    string
	resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	rotate  bool

	kept atomic.Pointer[[]netip.Addr]
	next atomic.Uint32
	// turn is held by whoever asks the resolver: one question serves all that wait, with addresses or with an error. failed is the last one's
	// error, and asked counts the questions.
	turn   chan struct{}
	failed error
	asked  atomic.Int64
}

func newHosts(name string, rotate bool, resolve func(context.Context, string) ([]netip.Addr, error)) *hosts {
	return &hosts{name: name, rotate: rotate, resolve: resolve, turn: make(chan struct{}, 1)}
}

// lookUp asks the system's resolver, which orders what it finds by how well it can be reached.
func lookUp(ctx context.Context, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// serves tells whether a host is the one whose addresses are kept.
func (h *hosts) serves(host string) bool { return h != nil && strings.EqualFold(host, h.name) }

// count is how many addresses are known.
func (h *hosts) count() int {
	if h == nil || h.kept.Load() == nil {
		return 0
	}
	return len(*h.kept.Load())
}

// addresses are those to try, in order.
func (h *hosts) addresses(ctx context.Context) ([]netip.Addr, error) {
	kept := h.kept.Load()
	if kept == nil {
		var err error
		if kept, err = h.ask(ctx); err != nil {
			return nil, err
		}
	}
	if !h.rotate {
		return *kept, nil
	}
	first := int(h.next.Add(1)-1) % len(*kept)
	return slices.Concat((*kept)[first:], (*kept)[:first]), nil
}

// ask asks the resolver, or waits for the answer to somebody else's question.
func (h *hosts) ask(ctx context.Context) (*[]netip.Addr, error) {
	asked := h.asked.Load()
	select {
	case h.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-h.turn }()
	if kept := h.kept.Load(); kept != nil {
		return kept, nil
	}
	if h.failed != nil && h.asked.Load() != asked {
		return nil, h.failed
	}
	found, err := h.resolve(ctx, h.name)
	if err == nil && len(found) == 0 {
		err = &net.DNSError{Err: "no address", Name: h.name, IsNotFound: true}
	}
	if h.failed = err; err != nil {
		if ctx.Err() != nil {
			h.failed = nil // it was not the resolver who gave up
		}
		h.asked.Add(1)
		return nil, err
	}
	kept := unique(found)
	h.kept.Store(kept)
	return kept, nil
}

func unique(found []netip.Addr) *[]netip.Addr {
	var list []netip.Addr
	for _, a := range found {
		if a = a.Unmap(); !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	return &list
}

// answered puts an address that was connected to first, so that those which do not answer cost later connections nothing.
func (h *hosts) answered(a netip.Addr) {
	kept := h.kept.Load()
	if h.rotate || kept == nil || (*kept)[0] == a {
		return
	}
	list := []netip.Addr{a}
	for _, other := range *kept {
		if other != a {
			list = append(list, other)
		}
	}
	h.kept.CompareAndSwap(kept, &list)
}

// forget makes the next connection ask anew: none of the addresses answers, so that the host may have moved.
func (h *hosts) forget() { h.kept.Store(nil) }

// dial tries the addresses in order until one answers. Each has an even share of the time that is left, so that one that swallows packets
// does not use up all of it.
func (h *hosts) dial(ctx context.Context, dial dialFunc, network, port string, list []netip.Addr) (net.Conn, error) {
	var failed error
	for i, a := range list {
		try, done := ctx, context.CancelFunc(func() {})
		if left := len(list) - i; left > 1 {
			share := triedFor
			if deadline, ok := ctx.Deadline(); ok {
				share = time.Until(deadline) / time.Duration(left)
			}
			try, done = context.WithTimeout(ctx, share)
		}
		conn, err := dial(try, network, net.JoinHostPort(a.String(), port))
		done()
		if err == nil {
			h.answered(a)
			return conn, nil
		}
		// With no descriptor or port left here, another address is no better; but an address of IPv6 is not assigned where there is no IPv6.
		if isAny(err, noDescriptors) && !(a.Is6() && isAny(err, noPorts)) {
			return nil, err
		}
		if failed == nil || isAny(failed, noRoute) {
			failed = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	var limit *limitError
	if ctx.Err() == nil || errors.As(context.Cause(ctx), &limit) {
		h.forget()
	}
	return nil, failed
}
