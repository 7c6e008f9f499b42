package client

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"redline/bench"
)

// pasted are the paths below a base URL that people paste with it, and the protocol that each names.
var pasted = []struct {
	path  string
	api   bench.API
	names bool
}{
	{"/chat/completions", bench.Chat, true},
	{"/completions", bench.Completions, true},
	{"/responses", bench.Responses, true},
	{"/messages", bench.Anthropic, true},
	{"/models", 0, false},
}

// ParseURL reads a base URL as people write and paste it: spaces and surplus slashes go, so does a pasted /chat/completions,
// /completions, /responses, /messages or /models; an empty path becomes /v1 (/openai/v1 at Azure), any other is used as it is, but
// /v1/v1 never. Without a scheme it is http for a name without a dot, an address or localhost, else https. What it returns, written
// out, reads as itself.
func ParseURL(text string) (*url.URL, error) {
	u, _, _, err := parseURL(text)
	return u, err
}

// parseURL also tells which protocol a pasted path names.
func parseURL(text string) (u *url.URL, api bench.API, names bool, err error) {
	s := strings.TrimSpace(text)
	if s == "" {
		return nil, 0, false, fmt.Errorf("no base URL: want for example http://localhost:8000/v1")
	}
	if !strings.Contains(s, "://") {
		s = guessScheme(s) + "://" + s
	}
	u, err = url.Parse(s)
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		// The parser's own error quotes the URL, which may hold a password.
		return nil, 0, false, fmt.Errorf("base URL is not one of http or https: want for example http://localhost:8000/v1")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return nil, 0, false, fmt.Errorf("port %s of the base URL is none: want 1 to 65535", port)
		}
	}
	u.Fragment, u.RawFragment, u.ForceQuery, u.RawQuery = "", "", false, strings.TrimSpace(u.RawQuery)
	path, api, names := basePath(u)
	setPath(u, path)
	return u, api, names, nil
}

// basePath is the path of a URL without what was pasted behind the base.
func basePath(u *url.URL) (path string, api bench.API, names bool) {
	var parts []string
	for part := range strings.SplitSeq(strings.ReplaceAll(u.EscapedPath(), "%20", " "), "/") {
		part = strings.TrimSpace(part)
		if part == "" || part == "v1" && len(parts) > 0 && parts[len(parts)-1] == "v1" {
			continue
		}
		parts = append(parts, strings.ReplaceAll(part, " ", "%20"))
	}
	for again := true; again; {
		again = false
		for _, p := range pasted {
			suffix := strings.Split(p.path[1:], "/")
			n := len(parts) - len(suffix)
			if n < 0 || !slices.Equal(parts[n:], suffix) || !p.names && isFoundry(u) {
				continue
			}
			if p.names && !names {
				api, names = p.api, true
			}
			parts, again = parts[:n], true
			break
		}
	}
	switch {
	case len(parts) > 0:
		return "/" + strings.Join(parts, "/"), api, names
	case isAzure(u):
		return "/openai/v1", api, names
	}
	return "/v1", api, names
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

// hostPort is where a URL's connections go.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

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
	} else {
		s.RawQuery = ""
	}
	return s.String()
}
