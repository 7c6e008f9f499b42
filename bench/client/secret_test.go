package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
)

func TestSecretPrintsAsStars(t *testing.T) {
	s := NewSecret(" sk-secret\n")
	if s.reveal() != "sk-secret" || s.Empty() || !NewSecret(" ").Empty() {
		t.Fatal("the key is not kept as it is")
	}
	type holder struct {
		Key    Secret
		hidden Secret
	}
	h := holder{s, s}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%10s", "%T"} {
		for _, v := range []any{s, &s, h, &h, []Secret{s}, map[string]Secret{"k": s}, Options{Key: s}} {
			if out := fmt.Sprintf(verb, v); strings.Contains(out, "secret") || strings.Contains(out, "736563726574") {
				t.Errorf("%s of %T: %s", verb, v, out)
			}
		}
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "key", s, "all", h)
	asJSON, err := json.Marshal(map[Secret]Secret{})
	more, err2 := json.Marshal(h)
	asText, err3 := s.MarshalText()
	if out := log.String() + string(asJSON) + string(more) + string(asText) + s.String() + s.GoString(); strings.Contains(out, "secret") || errors.Join(err, err2, err3) != nil {
		t.Error(out)
	}
	_ = h.hidden
}

func TestNoKeyInAnyMessage(t *testing.T) {
	quoted, _ := json.Marshal(testKey)
	inner := strings.Trim(string(quoted), `"`)
	bodies := []struct {
		status int
		body   string
	}{
		{401, `{"error":{"message":"key ` + inner + ` is wrong"}}`},
		{401, "key " + testKey},
		{500, `{"weird":"` + inner + `"}`},
		{400, "url https://x/?key=" + url.QueryEscape(testKey)},
		{200, `data: {"error":"who is ` + inner + `"}` + "\n\n"},
		{200, `{"hello":"` + inner + `"}`},
		{200, "data: oops " + testKey + "\n\n"},
		{400, strings.Repeat("x", 500) + testKey},
		{302, ""},
	}
	for _, b := range bodies {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", "https://x/"+url.PathEscape(testKey))
				w.WriteHeader(b.status)
				say(w, b.body)
			}, func(o *Options) { o.Model = "m" })
			e := c.Send(context.Background(), request, nil)
			_, err := c.Preflight(context.Background(), request.Prompt)
			if err == nil {
				t.Fatal("no error")
			}
			_, err2 := c.Models(context.Background())
			for _, text := range []string{e.Message, err.Error(), fmt.Sprint(err2), fmt.Sprintf("%+v %+v", e, c.opt), c.URL()} {
				if strings.Contains(text, "0123456789") || strings.Contains(text, "te&st") {
					t.Errorf("%d %s: %s", b.status, b.body, text)
				}
			}
		})
	}
}

func TestNoSecretIsEchoed(t *testing.T) {
	dotnet := strings.NewReplacer("+", `\u002B`, "&", `\u0026`)
	for _, tt := range []struct {
		sentence, secret string
		change           func(*Options)
		echo             func(r *http.Request) string
	}{
		{"the user of a URL without a password", "sk_live_51Habcdef", func(o *Options) { o.URL, o.Key = "http://sk_live_51Habcdef:@192.0.2.1/v1", Secret{} }, func(r *http.Request) string {
			user, _, _ := r.BasicAuth()
			return "Invalid API Key provided: " + user
		}},
		{"a cookie", "8f14e45fceea167a", func(o *Options) { o.Header = http.Header{"Cookie": {"theme=dark; session=8f14e45fceea167a"}} }, func(r *http.Request) string {
			session, _ := r.Cookie("session")
			return "session " + session.Value + " has expired"
		}},
		{"a parameter of a scheme", "9b2e4c7d8f1a3b5c", func(o *Options) { o.Header = http.Header{"Authorization": {`Token token="9b2e4c7d8f1a3b5c"`}} }, func(*http.Request) string {
			return "token 9b2e4c7d8f1a3b5c is revoked"
		}},
		{"by .NET", "def", func(o *Options) { o.Key = NewSecret("abc+def+ghi/jkl&mno+pqr==") }, func(r *http.Request) string {
			return dotnet.Replace(r.Header.Get("Authorization"))
		}},
		{"in capitals", "0123456789", func(o *Options) { o.Key = NewSecret("sk-te0123456789") }, func(r *http.Request) string { return strings.ToUpper(r.Header.Get("Authorization")) }},
		{"masked", "te01", func(o *Options) { o.Key = NewSecret("sk-te0123456789") }, func(*http.Request) string { return "Incorrect API key provided: sk-te01****6789" }},
		{"in a query", "AIzaSyA-1234567890", func(o *Options) { o.URL = "http://192.0.2.1/v1?key=AIzaSyA-1234567890" }, func(r *http.Request) string { return "bad " + r.URL.String() }},
	} {
		for _, form := range []string{`{"error":{"message":"%s"}}`, "%s", "<html><title>%s</title>", `{"weird":"%s"}`} {
			for _, status := range []int{200, 400, 500} {
				synctest.Test(t, func(t *testing.T) {
					c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
						w.WriteHeader(status)
						say(w, fmt.Sprintf(form, tt.echo(r)))
					}, tt.change)
					e := c.Send(context.Background(), request, nil)
					_, err := c.Preflight(context.Background(), request.Prompt)
					_, err2 := c.Models(context.Background())
					for _, text := range []string{e.Message, e.Head, fmt.Sprint(err), fmt.Sprint(err2), c.URL()} {
						if strings.Contains(strings.ToLower(text), strings.ToLower(tt.secret)) {
							t.Errorf("%s, as %s with %d: %s", tt.sentence, form, status, text)
						}
					}
				})
			}
		}
	}
}

// Wherever a text is cut, no piece of a key is left that says more of it than how it begins.
func TestNoPieceOfAKeyIsLeft(t *testing.T) {
	const key = "sk-0123456789-abcdefghij-klmnopqrst"
	for before := 440; before < 2100; before += 7 {
		for _, form := range []string{"%s%s", `{"error":{"message":"%s%s"}}`, `{"weird":"%s%s"}`, "data: %s%s\n\n"} {
			synctest.Test(t, func(t *testing.T) {
				status := 200 + 300*(before%2)
				c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
					w.WriteHeader(status)
					say(w, fmt.Sprintf(form, strings.Repeat("x", before%1000), strings.Repeat(key, 1+before/1000*20)), strings.Repeat(key[:30], before%5))
				}, func(o *Options) { o.Key = NewSecret(key) })
				e := c.Send(context.Background(), request, nil)
				for _, text := range []string{e.Message, e.Head} {
					if strings.Contains(text, key[:2*shortestSecret]) {
						t.Fatalf("%d bytes before it, as %s with %d: %s", before, form, status, text)
					}
				}
			})
		}
	}
}

func TestCleanServesTextsOfOthers(t *testing.T) {
	c, err := New(Options{URL: "http://192.0.2.1", Key: NewSecret("sk-0123456789abcdef")})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const line = `Unsolicited response received on idle HTTP channel starting with "HTTP/1.1 400 Bad\r\nwho is sk-0123456789`
	for _, text := range []string{line + `abcdef?"; err=<nil>`, line + `"; err=<nil>`} {
		if got := c.Clean(text); strings.Contains(got, "0123") || !strings.HasPrefix(got, "Unsolicited response") || !strings.HasSuffix(got, `"; err=<nil>`) {
			t.Error(got)
		}
	}
	if got := c.Clean("nothing to hide"); got != "nothing to hide" {
		t.Error(got)
	}
}

func TestNoKeyInDialErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, threeTokens, func(o *Options) {
			o.URL = "http://user:hunter22@192.0.2.1/v1?key=sesame&api-version=2"
			o.Header = http.Header{"Api-Key": {"azure-key"}, "Authorization": {"Basic dXNlcjpwYXNz"}}
			o.Dial = func(context.Context, string, string) (net.Conn, error) {
				return nil, errors.New("hunter22 sesame azure-key dXNlcjpwYXNz")
			}
		})
		e := c.Send(context.Background(), request, nil)
		_, err := c.Preflight(context.Background(), request.Prompt)
		for _, text := range []string{e.Message, err.Error(), c.URL()} {
			for _, secret := range []string{"hunter22", "sesame", "azure-key", "dXNl"} {
				if strings.Contains(text, secret) {
					t.Errorf("%s in %s", secret, text)
				}
			}
		}
	})
}
