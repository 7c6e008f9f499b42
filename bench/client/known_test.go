package client

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"redline/bench"
)

// nginxPage is an error page of nginx.
func nginxPage(title string) string {
	return "<html>\r\n<head><title>" + title + "</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
}

// TestRefusalsAreQuoted asks for models, and with a model named: what the server says, and what to do, has to be in the sentence both times.
func TestRefusalsAreQuoted(t *testing.T) {
	cert := func(o *Options) { o.TLS = &tls.Config{Certificates: []tls.Certificate{{}}} }
	basic := func(o *Options) { o.Header = http.Header{"Authorization": {"Basic bWFydmluOnNlc2FtZS1vcGVu"}} }
	tests := []struct {
		sentence string
		status   int
		header   string
		body     string
		change   func(*Options)
		want     []string
	}{
		{"nginx misses a client certificate", 400, "", nginxPage("400 No required SSL certificate was sent"), nil,
			[]string{"wants a client certificate (HTTP 400 No required SSL certificate was sent)", "--client-cert and --client-key"}},
		{"nginx got none that it takes", 400, "", nginxPage("400 No required SSL certificate was sent"), cert,
			[]string{"does not accept the client certificate (HTTP 400 No required", "--client-cert and --client-key"}},
		{"nginx got a stranger's", 400, "", nginxPage("400 The SSL certificate error"), cert,
			[]string{"does not accept the client certificate (HTTP 400 The SSL certificate error)", "--client-cert and --client-key"}},
		{"IIS misses one", 403, "", "<html><title>403.7 - Forbidden: Client certificate required</title>", nil, []string{"wants a client certificate (HTTP 403, 403.7 - Forbidden"}},
		{"LiteLLM without a database got a wrong key", 400, "", `{"error":{"message":"No connected db.","type":"no_db_connection","param":null,"code":"400"}}`, nil,
			[]string{"does not accept the API key (HTTP 400, No connected db.)", "master key"}},
		{"a refusal of a kind that nobody knows", 400, "", `{"error":{"message":"the moon is full"}}`, nil, []string{"(HTTP 400, the moon is full): change what it names"}},
		{"a server wants TLS", 400, "", nginxPage("400 The plain HTTP request was sent to HTTPS port"), nil, []string{"wants TLS (HTTP 400 The plain HTTP request was sent to HTTPS port)"}},
		{"a wrong key", 401, `Bearer realm="x"`, `{"error":{"message":"who are you"}}`, nil, []string{"does not accept the API key (HTTP 401, who are you)"}},
		{"a proxy wants user and password", 401, `Basic realm="private"`, nginxPage("401 Authorization Required"), nil,
			[]string{"wants HTTP basic authentication (HTTP 401 Authorization Required)", "-H 'Authorization: @PATH'"}},
		{"it wants them among others", 401, `Negotiate, Basic realm="a, b"`, "", nil, []string{"wants HTTP basic authentication (HTTP 401 Unauthorized)"}},
		{"it does not like the ones it got", 401, `basic realm="private"`, "", basic, []string{"does not accept user and password (HTTP 401 Unauthorized)"}},
		{"a proxy wants a ticket", 401, "Negotiate", "", nil, []string{"wants authentication by negotiate"}},
		{"a server takes keys too", 401, `Bearer, Basic realm="x"`, "", nil, []string{"does not accept the API key (HTTP 401 Unauthorized)"}},
		{"a gateway limits requests", 429, "", nginxPage("429 Too Many Requests"), nil, []string{"limits requests already (HTTP 429 Too Many Requests): wait"}},
		{"a server is loading", 503, "", `{"error":{"message":"Loading model"}}`, nil, []string{"still loading (HTTP 503, Loading model): wait"}},
		{"nobody is behind the gateway", 502, "", nginxPage("502 Bad Gateway"), nil, []string{"fails (HTTP 502 Bad Gateway): look at the server's log"}},
		{"a body that is too large", 413, "", nginxPage("413 Request Entity Too Large"), nil, []string{"(HTTP 413 Request Entity Too Large): lower --input-tokens"}},
	}
	for _, tt := range tests {
		for _, model := range []string{"", "m"} {
			synctest.Test(t, func(t *testing.T) {
				c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
					if tt.header != "" {
						w.Header().Set("WWW-Authenticate", tt.header)
					}
					w.WriteHeader(tt.status)
					say(w, tt.body)
				}, func(o *Options) {
					o.Model = model
					if tt.change != nil {
						tt.change(o)
					}
				})
				_, err := c.Preflight(context.Background(), request.Prompt)
				var r *Refusal
				if !errors.As(err, &r) {
					t.Fatalf("%s, model %q: %v", tt.sentence, model, err)
				}
				at := map[string]string{"": "/v1/models", "m": "/v1/chat/completions"}[model]
				for _, want := range append(tt.want, "http://192.0.2.1"+at) {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("%s, model %q: %q lacks %q", tt.sentence, model, err, want)
					}
				}
				if strings.ContainsAny(err.Error(), "\n<") {
					t.Errorf("%s: %q", tt.sentence, err)
				}
			})
		}
	}
}

func TestRedirectsNameTheBaseURL(t *testing.T) {
	tests := []struct {
		sentence, location string // in which PATH is the path below the base
		want               string
	}{
		{"to TLS", "https://llm.example/v1/PATH", "redirects to https://llm.example/v1: use that base URL"},
		{"to another path, without a host", "/api/v1/PATH", "redirects to http://192.0.2.1/api/v1: use that base URL"},
		{"with secrets in it", "https://user:hunter22@llm.example/v1/PATH?token=hunter23#hunter24", "redirects to https://llm.example/v1?token=***: use that base URL"},
		{"with a slash behind the path at another place", "https://llm.example/v1/PATH/", "redirects to https://llm.example/v1: use that base URL"},
		{"with a slash behind the same path", "http://192.0.2.1/v1/PATH/", "redirects to the same path with a slash"},
		{"to itself", "/v1/PATH", "redirects to itself"},
		{"to a login", "https://sso.example/login?back=https%3A%2F%2Fllm.example", "redirects to https://sso.example/login?back=***"},
		{"to nowhere", "", ""},
		{"to something unreadable", "http://[", ""},
	}
	for _, tt := range tests {
		for _, status := range []int{301, 302, 303, 307, 308} {
			for model, path := range map[string]string{"": "models", "m": "chat/completions"} {
				for _, body := range []string{"", nginxPage("301 Moved Permanently"), `{"error":{"message":"moved"}}`} {
					synctest.Test(t, func(t *testing.T) {
						c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
							if r.URL.Path != "/v1/"+path {
								w.WriteHeader(404)
								return
							}
							w.Header().Set("Location", strings.ReplaceAll(tt.location, "PATH", path))
							w.WriteHeader(status)
							say(w, body)
						}, func(o *Options) { o.Model = model })
						_, err := c.Preflight(context.Background(), request.Prompt)
						if e := c.Send(context.Background(), request, nil); strings.Contains(e.Message, "hunter") {
							t.Errorf("%s: message %q", tt.sentence, e.Message)
						}
						var r *Refusal
						if !errors.As(err, &r) || r.Outcome != bench.ClientError || !strings.HasPrefix(err.Error(), "http://192.0.2.1/v1/"+path+" ") ||
							!strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "hunter") {
							t.Errorf("%s, %d: %v, want %q", tt.sentence, status, err, tt.want)
						}
					})
				}
			}
		}
	}
}

func TestOtherAnswersThanAListAreQuoted(t *testing.T) {
	for _, row := range []struct{ sentence, body, want string }{
		{"a page", "<html><title>Open WebUI</title>", "gives no list of models (a web page: Open WebUI): check the base URL"},
		{"an error with HTTP 200", `{"error":{"message":"no such route"}}`, "gives no list of models (no such route): check the base URL"},
		{"something else", `{"hello":1}`, "gives no list of models: check the base URL"},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { say(w, row.body) }, nil)
			if _, err := c.Models(context.Background()); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%s: %v, want %q", row.sentence, err, row.want)
			}
		})
	}
}
