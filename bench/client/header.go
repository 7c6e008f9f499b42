package client

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"

	"redline/bench"
)

// anthropicVersion is the version of the Messages API that requests are written for.
const anthropicVersion = "2023-06-01"

// headers are those of all requests. They are made once and shared, since the transport only reads them.
type headers struct {
	// post is for requests, get for lists.
	post, get http.Header
	// host is the Host header where the operator gives one, else empty.
	host string
	// repeats: a header of the operator's tells the transport that requests may be sent again, which it would do without a word.
	repeats bool
}

// newHeaders are the operator's headers, and ours where the operator has none of the name. An empty one takes ours away. The operator's
// Authorization is a credential of its own, so that the key stays at home.
func newHeaders(opt Options, base *url.URL) headers {
	given := make(http.Header, len(opt.Header)+6)
	for name, values := range opt.Header {
		name = http.CanonicalHeaderKey(name)
		given[name] = append(given[name], values...)
	}
	_, own := given["Idempotency-Key"]
	_, odd := given["X-Idempotency-Key"]
	h := headers{host: given.Get("Host"), repeats: own || odd}
	given.Del("Host")
	ours := http.Header{}
	ours.Set("User-Agent", "redline/"+opt.Version)
	if opt.API == bench.Anthropic {
		ours.Set("Anthropic-Version", anthropicVersion)
	}
	if _, own := given["Authorization"]; !own {
		if name, value := credential(opt, base); value != "" {
			ours.Set(name, value)
		}
	}
	h.get = laid(given, ours)
	ours.Set("Content-Type", "application/json")
	ours.Set("Accept", "text/event-stream")
	h.post = laid(given, ours)
	return h
}

// laid are given headers over ours.
func laid(given, ours http.Header) http.Header {
	h := ours.Clone()
	for name, values := range given {
		h[name] = values
	}
	for name, values := range h {
		empty := true
		for _, v := range values {
			empty = empty && v == ""
		}
		// Of the user agent the transport has one of its own, which only an empty one takes away.
		if empty && name != "User-Agent" {
			delete(h, name)
		}
	}
	return h
}

// credential is the header in which an endpoint takes its key, or, without a key, user and password of its URL; value is empty if there
// are neither.
func credential(opt Options, base *url.URL) (name, value string) {
	switch {
	case opt.Key.Empty():
		if base.User == nil {
			return "", ""
		}
		password, _ := base.User.Password()
		return "Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte(base.User.Username()+":"+password))
	case opt.API == bench.Anthropic:
		return "X-Api-Key", opt.Key.reveal()
	case deployment(base) != "" || isAzure(base):
		return "Api-Key", opt.Key.reveal()
	}
	return "Authorization", "Bearer " + opt.Key.reveal()
}

// hostOf is the Host of requests to a URL.
func (h *headers) hostOf(u *url.URL) string {
	if h.host != "" {
		return h.host
	}
	return u.Host
}

// Authorize puts into a header what proves to the endpoint who we are, as requests to it have it; for what else is asked of the same origin.
func (c *Client) Authorize(h http.Header) {
	for _, name := range []string{"Authorization", "X-Api-Key", "Api-Key"} {
		if values := c.headers.get[name]; len(values) > 0 {
			h[name] = slices.Clone(values)
		}
	}
}
