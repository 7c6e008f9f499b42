package client

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"redline/bench"
)

// movedTo is where a redirect points; nil for an answer that is none, or points nowhere that can be read. Redirects are not followed: the key
// would go along, and each request would pay for two.
func movedTo(resp *http.Response) *url.URL {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil
	}
	from := &url.URL{}
	if resp.Request != nil && resp.Request.URL != nil {
		from = resp.Request.URL
	}
	to, err := from.Parse(resp.Header.Get("Location"))
	if err != nil || to.Host == "" || resp.Header.Get("Location") == "" {
		return nil
	}
	to.Fragment, to.RawFragment = "", "" // where logins put their tokens
	return to
}

// redirected says where a path below a base URL redirects to; empty if it does not.
func redirected(base *url.URL, path string, e *bench.Ended, a *answer) string {
	if a.moved == nil {
		return ""
	}
	at, to := shown(endpoint(base, path)), *a.moved
	below, ok := strings.CutSuffix(strings.TrimRight(to.EscapedPath(), "/"), path)
	if !ok {
		return fmt.Sprintf("%s redirects to %s (%s): check the base URL, and whether something before the server wants a login", at, shown(&to), statusWord(e.Status))
	}
	slash := strings.HasSuffix(to.EscapedPath(), "/")
	setPath(&to, below)
	switch same := shown(&to) == shown(base); {
	case same && slash:
		return fmt.Sprintf("%s redirects to the same path with a slash behind it (%s), which is not what is asked for: mend the paths of the server, or of the proxy before it",
			at, statusWord(e.Status))
	case same:
		return fmt.Sprintf("%s redirects to itself (%s): check whether something before the server wants a login", at, statusWord(e.Status))
	}
	return fmt.Sprintf("%s redirects to %s: use that base URL", at, shown(&to))
}
