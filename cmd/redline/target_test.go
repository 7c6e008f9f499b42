package main

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"redline/bench/report"
)

func TestPublicHosts(t *testing.T) {
	names := map[string][]string{
		"gpu-7": {"10.0.0.7"}, "both": {"10.0.0.7", "203.0.113.9"}, "outside": {"203.0.113.9"}, "six": {"fd00::7"},
	}
	resolve := func(_ context.Context, _, host string) ([]netip.Addr, error) {
		if strings.Contains(host, ".") {
			t.Errorf("%s was looked up", host)
		}
		var out []netip.Addr
		for _, a := range names[host] {
			out = append(out, netip.MustParseAddr(a))
		}
		if len(out) == 0 {
			return nil, errors.New("no such host")
		}
		return out, nil
	}
	for _, row := range []struct {
		host     string
		public   bool
		sentence string
	}{
		{"127.0.0.1", false, "loopback"},
		{"127.8.8.8", false, "all of 127/8 is loopback"},
		{"::1", false, "loopback"},
		{"::ffff:10.0.0.1", false, "a private address in the clothes of IPv6"},
		{"::ffff:8.8.8.8", true, "a public one in them"},
		{"0.0.0.0", false, "this machine"},
		{"localhost", false, "loopback by name"},
		{"LOCALHOST.", false, "however it is written"},
		{"10.1.2.3", false, "private"},
		{"172.16.0.1", false, "private"},
		{"172.32.0.1", true, "just outside the private range"},
		{"192.168.178.2", false, "private"},
		{"169.254.1.1", false, "link-local"},
		{"fe80::1%eth0", false, "link-local with a zone"},
		{"fd12::1", false, "unique local"},
		{"100.64.0.9", false, "shared space, as overlay networks use it"},
		{"100.128.0.9", true, "just outside it"},
		{"8.8.8.8", true, "public"},
		{"2001:4860:4860::8888", true, "public"},
		{"box.local", false, "multicast DNS"},
		{"dev.localhost", false, "loopback"},
		{"svc.corp.internal", false, "reserved for private use"},
		{"api.openai.com", true, "a provider"},
		{"gpu-7.example.com", true, "a name with a dot is not looked up"},
		{"gpu-7", false, "a plain name with a private address"},
		{"six", false, "a plain name with a unique local address"},
		{"both", true, "one public address is enough"},
		{"outside", true, "a plain name with a public address"},
		{"unknown", true, "what cannot be looked up is treated with care"},
	} {
		if got := public(t.Context(), row.host, resolve); got != row.public {
			t.Errorf("%s: public %v, want %v (%s)", row.host, got, row.public, row.sentence)
		}
	}
}

func TestURLsAreShownWithoutWhatPeopleHideInThem(t *testing.T) {
	for text, want := range map[string]string{
		"http://user:hunter2@host/v1":         "http://***@host/v1",
		"https://host/v1?key=hunter2":         "https://host/v1?***",
		"ftp://a:hunter2@host:99":             "ftp://***@host:99",
		"http://host/a@b":                     "http://host/a@b",
		"http://127.0.0.1:8000/v1":            "http://127.0.0.1:8000/v1",
		"http://user:hun@ter2@host/?x=hunter": "http://***@host/?***",
	} {
		if got := report.ShownURL(text); got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
	}
	_, err := parseTarget("http://user:hunter2@host/v1")
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a password in the URL: %v", err)
	}
}
