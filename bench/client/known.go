package client

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"redline/bench"
)

// known is the sentence for a refusal that tells its cause by itself, whatever path below the base URL was asked; else it is empty.
func (c *Client) known(base *url.URL, path string, e *bench.Ended, a *answer) string {
	at := shown(endpoint(base, path))
	switch {
	case a.proxied:
	case a.moved != nil:
		return redirected(base, path, e, a)
	case wantsTLS(e, a):
		return fmt.Sprintf("%s wants TLS (%s): write https:// instead of http://", at, said(e))
	case wantsCertificate(e, a) && c.anonymous():
		return fmt.Sprintf("%s wants a client certificate (%s): give one with --client-cert and --client-key", at, said(e))
	case wantsCertificate(e, a):
		return fmt.Sprintf("%s does not accept the client certificate (%s): check the one of --client-cert and --client-key, and who has to sign it", at, said(e))
	case e.Status == http.StatusBadRequest && a.fault.Type == "no_db_connection":
		return fmt.Sprintf("%s does not accept the API key (%s): without a database LiteLLM knows its master key only", at, said(e))
	case e.Status == http.StatusRequestEntityTooLarge && !tooLong(e, a):
		return fmt.Sprintf("%s, or a proxy before it, takes no request as large as this (%s): lower --input-tokens", at, said(e))
	case e.Outcome == bench.RateLimited:
		return fmt.Sprintf("%s limits requests already (%s)%s: wait, or use another key", at, said(e), after(e))
	case e.Outcome == bench.Overloaded:
		if text := c.proxySentence(at, e, a); text != "" {
			return text
		}
		return fmt.Sprintf("%s is overloaded or still loading (%s)%s: wait for it", at, said(e), after(e))
	}
	return ""
}

// anonymous tells whether there is no client certificate to show.
func (c *Client) anonymous() bool {
	return c.opt.TLS == nil || len(c.opt.TLS.Certificates) == 0 && c.opt.TLS.GetClientCertificate == nil
}

// wantsTLS tells whether a server that speaks TLS was asked without.
func wantsTLS(e *bench.Ended, a *answer) bool {
	text := strings.ToLower(a.body)
	return e.Status == http.StatusBadRequest && (strings.Contains(text, "http request to an https server") || strings.Contains(text, "plain http request was sent to https port"))
}

// wantsCertificate tells whether a server whose handshake lets everybody in (nginx, IIS) misses a client certificate, or refuses the one it got.
func wantsCertificate(e *bench.Ended, a *answer) bool {
	switch e.Status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, 495, 496:
		text := strings.ToLower(a.fault.Message)
		return strings.Contains(text, "ssl certificate") || strings.Contains(text, "client certificate")
	}
	return false
}

// challenges are the schemes of authentication that an answer offers, in lower case.
func challenges(h http.Header) (schemes []string) {
	for _, value := range h.Values("Www-Authenticate") {
		for part := range strings.SplitSeq(value, ",") {
			if scheme, _, _ := strings.Cut(strings.TrimSpace(part), " "); scheme != "" && !strings.Contains(scheme, "=") {
				schemes = append(schemes, strings.ToLower(scheme))
			}
		}
	}
	return schemes
}

// loginSentence is for a server, or a proxy before it, that wants another credential than a key; else it is empty.
func (c *Client) loginSentence(at string, e *bench.Ended, a *answer) string {
	if e.Status != http.StatusUnauthorized || len(a.schemes) == 0 || slices.Contains(a.schemes, "bearer") {
		return ""
	}
	scheme, _, _ := strings.Cut(c.headers.get.Get("Authorization"), " ")
	switch basic := slices.Contains(a.schemes, "basic"); {
	case basic && strings.EqualFold(scheme, "basic"):
		return fmt.Sprintf("%s does not accept user and password (%s): check them", at, said(e))
	case basic:
		return fmt.Sprintf("%s wants HTTP basic authentication (%s): give it with -H 'Authorization: @PATH', a file that holds Basic and, behind a space, USER:PASSWORD in base64",
			at, said(e))
	}
	for _, scheme := range []string{"digest", "negotiate", "ntlm"} {
		if slices.Contains(a.schemes, scheme) {
			return fmt.Sprintf("%s wants authentication by %s (%s), which redline cannot do: go round the proxy that asks for it", at, scheme, said(e))
		}
	}
	return ""
}

// said is an answer's status with its words, which often begin with the same number.
func said(e *bench.Ended) string {
	status := statusWord(e.Status)
	if e.Message == "" || "HTTP "+e.Message == status {
		return status
	}
	if strings.HasPrefix("HTTP "+e.Message, status+" ") {
		return "HTTP " + e.Message
	}
	return status + ", " + e.Message
}
