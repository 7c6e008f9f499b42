package main

import (
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// secured is a server with a certificate of its own, over HTTP/2 where it is asked for, which keeps what it was sent; file holds its certificate.
func secured(t *testing.T) (base, file string, sent func() (*http.Request, string)) {
	t.Helper()
	var mu sync.Mutex
	var last *http.Request
	var body string
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		text, _ := io.ReadAll(r.Body)
		mu.Lock()
		last, body = r, string(text)
		mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Ratelimit-Limit-Requests", "3500")
		w.Header().Set("X-Ratelimit-Remaining-Requests", "2065")
		w.Header().Set("X-Ratelimit-Reset-Requests", "12s")
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n"+
			"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":1,\"total_tokens\":10}}\n\ndata: [DONE]\n\n")
	}))
	s.EnableHTTP2, s.Config.ErrorLog = true, log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	s.StartTLS()
	t.Cleanup(s.Close)
	file = filepath.Join(t.TempDir(), "server.crt")
	writeFile(t, file, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})))
	return s.URL + "/v1", file, func() (*http.Request, string) {
		mu.Lock()
		defer mu.Unlock()
		return last, body
	}
}

func TestTheFlagsReachTheWireAndTheSummary(t *testing.T) {
	base, ca, sent := secured(t)
	cert, key := certificate(t, t.TempDir(), "me")
	for _, row := range []struct {
		sentence string
		args     []string
		protocol int
		want     []string
	}{
		{"trusted, known, over HTTP/2", []string{"--ca-file", ca, "--client-cert", cert, "--client-key", key, "--http2"}, 2,
			[]string{"\nwire      chat stream over HTTP/2 to 127.0.0.1"}},
		{"believed, over HTTP/1.1", []string{"--insecure"}, 1, []string{"\nwire      chat stream over HTTP/1.1 to 127.0.0.1", "\nnote      --insecure: the server's certificate is not checked"}},
	} {
		o := start(t, nil, small(base, append(row.args, "--model", "m", "--requests", "3", "-H", "X-Team: search", "--body", "metadata.user=\"bob\"", "--quota-reserve", "10%",
			"--timeout", "20s", "--no-proxy")...)...)
		if code := o.run(t); code != exitOK {
			t.Errorf("%s: exit code %d\n%s%s", row.sentence, code, o.out.String(), o.errs.String())
			continue
		}
		text := o.out.String()
		for _, want := range append(row.want, "\nlimits    connect 10s, first token 20s, silence 20s, whole request 20s\n", "RPM 41.0% of 3 500 used, 2 065 left", "reserve 10%",
			"each request has the headers X-Team and the fields metadata.user") {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", row.sentence, want, text)
			}
		}
		r, body := sent()
		if r.ProtoMajor != row.protocol || r.Header.Get("X-Team") != "search" || !strings.Contains(body, `"metadata":{"user":"bob"}`) {
			t.Errorf("%s: %s, %v\n%s", row.sentence, r.Proto, r.Header, body)
		}
		if known := len(r.TLS.PeerCertificates) > 0; known != (row.protocol == 2) {
			t.Errorf("%s: certificate shown: %v", row.sentence, known)
		}
	}
	o := start(t, nil, small(base, "--model", "m")...)
	if code := o.run(t); code != exitUsage || !strings.Contains(o.errs.String(), "certificate") {
		t.Errorf("a stranger's certificate: exit code %d\n%s", code, o.errs.String())
	}
}

func TestTheShellIsToldTheWordsOfFlags(t *testing.T) {
	for flag, want := range map[string]string{"--api": "anthropic\n", "--on-429": "pause\n", "--quota-reserve": "30%\n", "--header": "x-api-key: @\n", "--body": "ignore_eos=true\n"} {
		o := start(t, nil, "__complete", flag, "")
		if o.run(t); !strings.Contains(o.out.String(), want) {
			t.Errorf("%s: %q", flag, o.out.String())
		}
	}
}
