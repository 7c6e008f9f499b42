package remote

import (
	"crypto/sha256"
	"crypto/subtle"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
)

// gate lets through who may ask. A page in a browser may not, whatever it knows: it says where it is from, or asks by a name that has been made to lead
// here (DNS rebinding). There is no answer for other origins, so that none is shared with them.
func (s *Server) gate(next http.Handler) http.Handler {
	want := sha256.Sum256([]byte(s.o.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		site := r.Header.Get("Sec-Fetch-Site")
		switch {
		case r.Header.Get("Origin") != "" || site != "" && site != "none":
			refuse(w, http.StatusForbidden, "pages in browsers may not ask")
		case !s.ours(r):
			refuse(w, http.StatusForbidden, "want an address, localhost or this machine's name as the host")
		case s.o.OpenMetrics && r.URL.Path == "/metrics":
			next.ServeHTTP(w, r)
		case !shows(r, want):
			h.Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "want the token of this run, as Authorization: Bearer TOKEN")
		default:
			trusted(r)
			r.Body = http.MaxBytesReader(w, r.Body, mostBody)
			next.ServeHTTP(w, r)
		}
	})
}

// shows tells whether a request shows the token. Sums are compared, so that the time tells neither its length nor how much of it was right.
func shows(r *http.Request, want [sha256.Size]byte) bool {
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && strings.EqualFold(kind, "Bearer")
}

// ours tells whether the host that is asked for is one of ours. An address cannot be made to lead elsewhere, and through a socket of the file system no page
// asks.
func (s *Server) ours(r *http.Request) bool {
	if a, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && a.Network() == "unix" {
		return true
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if address, _, _ := strings.Cut(host, "%"); net.ParseIP(address) != nil || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	machine, _ := os.Hostname()
	for _, name := range append([]string{machine}, s.o.Names...) {
		if name = strings.ToLower(strings.TrimSuffix(name, ".")); name != "" && host == name {
			return true
		}
	}
	return false
}

// silent is a log that nobody reads.
func silent() *log.Logger { return log.New(io.Discard, "", 0) }
