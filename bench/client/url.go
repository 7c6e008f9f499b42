package client

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// ParseURL reads a base URL as people write and paste it: spaces and trailing slashes go, so does a pasted /chat/completions or
// /models; an empty path becomes /v1, any other is used as it is, but /v1/v1 never. Without a scheme it is http for a name without
// a dot, an address or localhost, else https.
func ParseURL(text string) (*url.URL, error) {
	s := strings.TrimSpace(text)
	if s == "" {
		return nil, fmt.Errorf("no base URL: want for example http://localhost:8000/v1")
	}
	if !strings.Contains(s, "://") {
		s = guessScheme(s) + "://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		// The parser's own error quotes the URL, which may hold a password.
		return nil, fmt.Errorf("base URL is not one of http or https: want for example http://localhost:8000/v1")
	}
	u.Fragment, u.RawFragment = "", ""
	path := strings.TrimRight(strings.ReplaceAll(u.EscapedPath(), "%20", " "), "/ ")
	for _, pasted := range []string{"/chat/completions", "/completions", "/models"} {
		path = strings.TrimRight(strings.TrimSuffix(path, pasted), "/")
	}
	for strings.HasSuffix(path, "/v1/v1") {
		path = strings.TrimSuffix(path, "/v1")
	}
	if path == "" {
		path = "/v1"
	}
	setPath(u, strings.ReplaceAll(path, " ", "%20"))
	return u, nil
}

// setPath sets a path as it is written: an escaped slash in it stays one.
func setPath(u *url.URL, escaped string) {
	path, err := url.PathUnescape(escaped)
	if err != nil {
		path = escaped
	}
	u.Path, u.RawPath = path, escaped
}

func guessScheme(s string) string {
	host, _, _ := strings.Cut(s, "/")
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if net.ParseIP(strings.Trim(host, "[]")) != nil || !strings.Contains(host, ".") {
		return "http"
	}
	return "https"
}

// otherForm is the base URL with /v1 where it has none, without where it has.
func otherForm(u *url.URL) *url.URL {
	other := *u
	if path, ok := strings.CutSuffix(u.EscapedPath(), "/v1"); ok {
		setPath(&other, path)
	} else {
		setPath(&other, strings.TrimRight(u.EscapedPath(), "/")+"/v1")
	}
	return &other
}

// endpoint is a path below the base URL; the query of the base (Azure's api-version) stays.
func endpoint(base *url.URL, path string) *url.URL {
	u := *base
	setPath(&u, strings.TrimRight(base.EscapedPath(), "/")+path)
	return &u
}

// versionParam is the one query parameter that is known to be no secret (Azure).
const versionParam = "api-version"

// shown is a URL fit to print: without user, password and the values of its query.
func shown(u *url.URL) string {
	s := *u
	s.User = nil
	if query := s.Query(); len(query) > 0 {
		for name := range query {
			if name != versionParam {
				query.Set(name, redacted)
			}
		}
		s.RawQuery = strings.ReplaceAll(query.Encode(), url.QueryEscape(redacted), redacted)
	}
	return s.String()
}
