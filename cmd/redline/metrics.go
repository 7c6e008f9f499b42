package main

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/gauges"
	"redline/bench/report"
)

// metrics are where the server's own gauges are read.
type metrics struct {
	urls []*url.URL
	// none: nowhere. keyed: with the target's key, where they are of its origin.
	none, keyed bool
}

func (s *metrics) define(f flags) {
	f.VarP(&metricsFlag{to: s, found: f.found}, "metrics-url", "",
		"`URL` of a server's or an exporter's metrics, repeatable; what several tell is added up (default: /metrics beside the /v1 of a target that is not public)")
	f.BoolVar(&s.none, "no-metrics", false, "do not read the server's metrics")
	f.BoolVar(&s.keyed, "metrics-key", false, "send the target's key with a --metrics-url of the target's own scheme, host and port; no other gets one")
}

// metricsFlag reads --metrics-url. A problem shows a URL without what may be a secret in it.
type metricsFlag struct {
	to    *metrics
	found *problems
}

// String is empty: there is no default.
func (f *metricsFlag) String() string { return "" }

// Type is the kind of value as help shows it.
func (f *metricsFlag) Type() string { return "URL" }

// Set reads one URL; it never fails (see option).
func (f *metricsFlag) Set(text string) error {
	u, err := parseTarget(text)
	switch {
	case err != nil:
		f.found.add("metrics-url", report.ShownURL(text), strings.ReplaceAll(err.Error(), "http://gpu-7:8000/v1", "http://gpu-7:8000/metrics"))
	case slices.ContainsFunc(f.to.urls, func(o *url.URL) bool { return o.String() == u.String() }):
		f.found.add("metrics-url", report.ShownURL(text), "want each address once: what several tell is added up")
	default:
		f.to.urls = append(f.to.urls, u)
	}
	return nil
}

// check holds the flags against the target; u is nil where its URL cannot be read, demo says that there is none.
func (s *metrics) check(u *url.URL, demo bool, given func(string) bool, found *problems) {
	const wantURL = "want --url with it; without --url the embedded simulated server is driven"
	switch {
	case demo:
		for _, m := range s.urls {
			found.add("metrics-url", report.ShownURL(m.String()), wantURL)
		}
		if given("metrics-key") {
			found.addSwitch("metrics-key", wantURL)
		}
	case s.keyed && u != nil && !slices.ContainsFunc(s.urls, func(m *url.URL) bool { return originOf(m) == originOf(u) }):
		found.addSwitch("metrics-key", "want a --metrics-url of the target's own scheme, host and port with it; the key goes nowhere else")
	}
}

// checkSeveral refuses addresses that are said for all of several targets: each belongs to one of them.
func (s *metrics) checkSeveral(others contenders, found *problems) {
	if from := found.from["metrics-url"].source; len(others) > 0 && (from == fromFlag || from == fromEnvironment) {
		for _, u := range s.urls {
			found.add("metrics-url", report.ShownURL(u.String()), "want it in [targets.NAME] of a file of settings where there are several targets: it belongs to one of them")
		}
	}
}

// shownURLs are the addresses as they may be printed.
func (s *metrics) shownURLs() string {
	var out []string
	for _, u := range s.urls {
		out = append(out, report.ShownURL(u.String()))
	}
	return strings.Join(out, " ")
}

// scraper reads the gauges of a target, whose base URL is what the client uses; nil where none are to be read.
func (s *settings) scraper(t target, base string, clock bench.Clock, authorize func(http.Header)) engine.Gauges {
	u, err := url.Parse(base)
	if s.metrics.none || err != nil {
		return nil
	}
	o := gauges.Options{URLs: s.metrics.urls, Version: version(), TLS: s.tls, HTTP2: s.http2, Origin: gauges.Origin(u), Proxy: http.ProxyFromEnvironment}
	if s.noProxy {
		o.Proxy = nil
	}
	if s.metrics.keyed {
		o.Authorize = authorize
	}
	if len(o.URLs) == 0 {
		if t.outside {
			return nil
		}
		o.URLs, o.Guessed = []*url.URL{gauges.Beside(u)}, true
	}
	return gauges.New(o, clock)
}
