package gauges

import (
	"net/url"
	"strings"
)

// Beside is where the metrics of a base URL are looked for: next to its /v1.
func Beside(base *url.URL) *url.URL {
	u := *base
	u.User, u.RawQuery, u.Fragment, u.RawFragment, u.ForceQuery = nil, "", "", "", false
	path := strings.TrimRight(base.EscapedPath(), "/")
	path = strings.TrimSuffix(path, "/v1")
	put(&u, path+plainPath)
	return &u
}

const (
	// plainPath is where most engines have their metrics; trtllm-serve has JSON there, and its metrics at promPath.
	plainPath = "/metrics"
	promPath  = "/prometheus/metrics"
)

// candidates are the URLs to try in place of one, in order.
func candidates(u *url.URL) []*url.URL {
	path := strings.TrimRight(u.EscapedPath(), "/")
	plain, prom := *u, *u
	switch {
	case strings.HasSuffix(path, promPath):
		return []*url.URL{&plain}
	case path == "":
		put(&plain, plainPath)
	case !strings.HasSuffix(path, plainPath):
		return []*url.URL{&plain}
	}
	put(&prom, strings.TrimSuffix(path, plainPath)+promPath)
	return []*url.URL{&plain, &prom}
}

// put sets a path as it is written.
func put(u *url.URL, escaped string) {
	u.Path, u.RawPath = escaped, ""
	if path, err := url.PathUnescape(escaped); err == nil && path != escaped {
		u.Path, u.RawPath = path, escaped
	}
}

// shown is a URL fit to print.
func shown(u *url.URL) string {
	s := *u
	s.User, s.RawQuery, s.ForceQuery, s.Fragment, s.RawFragment = nil, "", false, "", ""
	return s.String()
}

// origin is what a key belongs to.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") + ":" + port
}
