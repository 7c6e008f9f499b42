package main

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// parseTarget reads --url. The error says what is wrong with it, in words that never repeat the value.
func parseTarget(text string) (*url.URL, error) {
	const want = "want http:// or https:// and a host, as in http://gpu-7:8000/v1"
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil:
		return nil, errors.New(want)
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, errors.New(want)
	case u.User != nil:
		return nil, errors.New("want no user or password in it; name a key with --api-key-env or --api-key-file")
	case u.Fragment != "":
		return nil, errors.New("want no # in it")
	}
	return u, nil
}

// originOf is what a key belongs to: scheme, host and port.
func originOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") + ":" + port
}

// resolver finds the addresses of a name.
type resolver func(ctx context.Context, network, host string) ([]netip.Addr, error)

// resolveLimit bounds the look-up of a plain name.
const resolveLimit = 3 * time.Second

// privateSuffixes end names that no public server can have.
var privateSuffixes = []string{".localhost", ".local", ".internal", ".home.arpa", ".lan"}

// sharedSpace is carrier-grade address space, which overlay networks use too; it is not reachable from outside.
var sharedSpace = netip.MustParsePrefix("100.64.0.0/10")

// public tells whether a host may be a stranger's, or cost money, so that the stricter bounds hold. Addresses are judged by their kind.
// A name with a dot is public, unless its ending cannot be (.local and the like): what is decided must not depend on which network the
// operator is in today. Only a plain name, as networks give to their own machines, is looked up, and is private if all of its addresses are.
func public(ctx context.Context, host string, resolve resolver) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if a, err := netip.ParseAddr(host); err == nil {
		return !privateAddr(a)
	}
	if host == "localhost" {
		return false
	}
	for _, s := range privateSuffixes {
		if strings.HasSuffix(host, s) {
			return false
		}
	}
	if strings.Contains(host, ".") {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, resolveLimit)
	defer cancel()
	found, err := resolve(ctx, "ip", host)
	if err != nil || len(found) == 0 {
		return true
	}
	for _, a := range found {
		if !privateAddr(a) {
			return true
		}
	}
	return false
}

func privateAddr(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified() || sharedSpace.Contains(a)
}

// loopback tells whether a URL names this machine without a look-up.
func loopback(u *url.URL) bool {
	if u.Hostname() == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(u.Hostname())
	return err == nil && a.Unmap().IsLoopback()
}

// lookUp is the resolver of a process.
func lookUp(ctx context.Context, network, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, network, host)
}
