package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/client"
)

// protocol is how the target is asked, and over what.
type protocol struct {
	api     bench.API
	headers []header
	// body are the fields that --body lays over our own; bodyKeys the keys as they were given.
	body     map[string]any
	bodyKeys []string

	http2, insecure, noProxy, rotate bool
	caFile, certFile, keyFile        string

	// The rest is what check made of it: the headers with their values, those that came from files, and whom TLS trusts (nil: as usual).
	header  http.Header
	secrets []client.Secret
	tls     *tls.Config
}

func apiNames() []string {
	var names []string
	for a := range bench.NumAPIs {
		names = append(names, a.String())
	}
	return names
}

func (p *protocol) define(f flags) {
	define(f, &p.api, "api", "", "NAME", "protocol: "+strings.Join(apiNames(), ", ")+" (default chat)", func(name string) (bench.API, error) {
		api, ok := bench.ParseAPI(name)
		if !ok {
			return 0, fmt.Errorf("want one of %s", strings.Join(apiNames(), ", "))
		}
		return api, nil
	})
	f.VarP(&headerFlag{to: &p.headers, found: f.found}, "header", "H", "header of each request, repeatable; 'NAME: @PATH' takes the value from a file, which no list of processes shows; 'NAME:' sends none")
	p.body = map[string]any{}
	f.Var(&bodyFlag{to: p, found: f.found}, "body", "field of each request's body, repeatable; a.b=1 sets a field of an object")
	f.BoolVar(&p.http2, "http2", false, "ask for HTTP/2 instead of HTTP/1.1")
	f.BoolVar(&p.insecure, "insecure", false, "believe any certificate of the server")
	f.StringVar(&p.caFile, "ca-file", "", "trust the certificates in the file `PATH` as well")
	f.StringVar(&p.certFile, "client-cert", "", "show the server the certificate in the file `PATH`")
	f.StringVar(&p.keyFile, "client-key", "", "the key of --client-cert is in the file `PATH`")
	f.BoolVar(&p.noProxy, "no-proxy", false, "ignore the proxies of the environment")
	f.BoolVar(&p.rotate, "rotate-addresses", false, "spread new connections over all addresses of the host")
}

// check reads the files that the flags name and holds the flags against the target; u is nil where --url cannot be read, demo says that there is
// none.
func (p *protocol) check(ctx context.Context, u *url.URL, demo bool, given func(string) bool, found *problems) {
	for _, f := range []struct{ name, value string }{
		{"http2", ""}, {"insecure", ""}, {"ca-file", p.caFile}, {"client-cert", p.certFile}, {"client-key", p.keyFile}, {"no-proxy", ""}, {"rotate-addresses", ""},
	} {
		tell := func(want string) { found.add(f.name, f.value, want) }
		if slices.Contains([]string{"http2", "insecure", "no-proxy", "rotate-addresses"}, f.name) {
			tell = func(want string) { found.addSwitch(f.name, want) }
		}
		secured := slices.Contains([]string{"insecure", "ca-file", "client-cert", "client-key"}, f.name)
		switch {
		case !given(f.name):
		case demo:
			tell("want --url with it; without --url the embedded simulated server is driven")
		case secured && u != nil && u.Scheme != "https":
			tell("want an https:// URL with it; " + u.Scheme + ":// knows no certificates")
		}
	}
	p.header, p.secrets = p.readHeaders(ctx, found)
	p.tls = p.trust(ctx, given, found)
}

// notes are what the operator must not forget of these flags.
func (p *protocol) notes() []string {
	var out []string
	if p.insecure {
		out = append(out, "--insecure: the server's certificate is not checked, so that anybody on the way could answer, and read the key")
	}
	for _, h := range p.headers {
		if h.value != "" && secretName(h.name) {
			out = append(out, fmt.Sprintf("the value of -H %s stands in this machine's list of processes; -H '%s: @PATH' keeps it out", h.name, h.name))
		}
	}
	var sent []string
	if len(p.headers) > 0 {
		var names []string
		for _, h := range p.headers {
			names = append(names, h.name)
		}
		sent = append(sent, "the headers "+strings.Join(names, ", "))
	}
	if len(p.bodyKeys) > 0 {
		sent = append(sent, "the fields "+strings.Join(p.bodyKeys, ", "))
	}
	if len(sent) > 0 {
		out = append(out, "each request has "+strings.Join(sent, " and ")+" of the command line")
	}
	return out
}

// secretMarks are in the names of what must not be shown.
var secretMarks = []string{"auth", "key", "token", "secret", "cookie", "password"}

// secretName tells whether a header or field is named like something that must not be shown.
func secretName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(secretMarks, func(mark string) bool { return strings.Contains(name, mark) })
}
