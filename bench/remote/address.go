package remote

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
)

// Address is where a run listens.
type Address struct {
	// Network is tcp or unix, Host and Port are those of tcp, Path is the socket's of unix.
	Network, Host, Port, Path string
	// Wide tells that others than this machine may reach it.
	Wide bool
}

// ParseAddress reads where to listen: a port (":7777", "7777", ":0" for any that is free) is one of this machine alone; "HOST:PORT" is what it says; what has a
// slash in it, or begins with "unix:", is a socket in the file system.
func ParseAddress(text string) (Address, error) {
	text = strings.TrimSpace(text)
	bad := errors.New("want HOST:PORT, :PORT on this machine alone (:0 takes a free one), or the path of a socket, as in 127.0.0.1:7777, :0 or /run/redline.sock")
	if path, ok := strings.CutPrefix(text, "unix:"); ok || strings.Contains(text, "/") && !strings.Contains(text, "://") {
		if path == "" {
			return Address{}, bad
		}
		return Address{Network: "unix", Path: path}, nil
	}
	if !strings.Contains(text, ":") {
		text = ":" + text
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return Address{}, bad
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
		return Address{}, bad
	}
	if strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r > '~' || r == '/' || r == '@' }) {
		return Address{}, bad
	}
	a := Address{Network: "tcp", Host: host, Port: port}
	switch ip := net.ParseIP(host); {
	case host == "":
		a.Host = "127.0.0.1"
	case ip != nil:
		a.Wide = !ip.IsLoopback()
	default:
		a.Wide = !strings.EqualFold(host, "localhost")
	}
	return a, nil
}

// String is the address as ParseAddress reads it.
func (a Address) String() string {
	if a.Network == "unix" {
		return "unix:" + a.Path
	}
	return net.JoinHostPort(a.Host, a.Port)
}

// Listen takes the address. One that is in use is an error that says so.
func (a Address) Listen() (net.Listener, error) {
	where := net.JoinHostPort(a.Host, a.Port)
	if a.Network == "unix" {
		return listenUnix(a.Path)
	}
	ln, err := net.Listen("tcp", where)
	if err != nil {
		return nil, fmt.Errorf("want an address that can be listened at (%w)", innermost(err))
	}
	return ln, nil
}

// Of is the address with what a listener has really taken: the port where any was asked for, and an address that can be asked.
func (a Address) Of(ln net.Listener) Address {
	if at, ok := ln.Addr().(*net.TCPAddr); ok && a.Network == "tcp" {
		a.Port = strconv.Itoa(at.Port)
	}
	return a
}

// Reach is the address by which this machine reaches it: one that stands for all of a machine's is not one to ask.
func (a Address) Reach() Address {
	if ip := net.ParseIP(a.Host); ip != nil && ip.IsUnspecified() {
		if a.Host = "127.0.0.1"; ip.To4() == nil {
			a.Host = "::1"
		}
	}
	return a
}

// innermost is what went wrong, without where.
func innermost(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
