package client

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

func TestSecretsAreKnownByTheirPlace(t *testing.T) {
	base, _ := url.Parse("http://me:hunter22@h/v1?key=sesame%21&api-version=2024-06-01&token;sig=seal123")
	proxy, _ := url.Parse("http://you:hunter33@p")
	secrets := secretsOf(Options{
		Key: NewSecret("sk-own"), Secrets: []Secret{NewSecret("named-elsewhere")},
		Header: http.Header{
			"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("us:er-pass"))},
			"x-api-key":     {"k123"}, "X-Tenant": {"tenant-4711"}, "X-Team": {"blue"}, "Accept": {"text/event-stream"}, "Anthropic-Version": {"2023-06-01"},
			"Cookie": {"sid=crumbs"},
		},
		Extra: map[string]any{"user_token": "body-secret", "max_tokens": 5, "stop": []any{"harmless-stop"}, "auth": map[string]any{"id": "inner-secret"}, "note": "harmless-note"},
	}, base, proxy)
	for _, want := range []string{"sk-own", "named-elsewhere", "er-pass", "k123", "tenant-4711", "sid=crumbs", "body-secret", "inner-secret", "hunter22", "hunter33", "sesame!", "sesame%21", "seal123"} {
		if !slices.Contains(secrets, want) {
			t.Errorf("%s is not kept secret", want)
		}
	}
	for _, plain := range []string{"blue", "text/event-stream", "2023-06-01", "harmless-stop", "harmless-note", "2024-06-01", "me"} {
		if slices.Contains(secrets, plain) {
			t.Errorf("%s is no secret", plain)
		}
	}
}

func TestSecretsAreFoundInAllTheirForms(t *testing.T) {
	const secret = `sk/"te&st"+ <0123>~é`
	encode := base64.StdEncoding.EncodeToString
	r := newRedactor(secret, "0123")
	for _, text := range []string{
		secret, fmt.Sprintf("%q", secret), url.QueryEscape(secret), url.PathEscape(secret), strings.ToLower(url.QueryEscape(secret)), lowerEscapes(url.PathEscape(secret)),
		`sk\/\"te&st\"+ <0123>~é`, `sk/\"te\u0026st\"+ \u003c0123\u003e~é`,
		encode([]byte(secret)), encode([]byte("user:" + secret)), encode([]byte("a:" + secret + ":z")), encode([]byte("ab:" + secret)),
		base64.RawURLEncoding.EncodeToString([]byte("me:" + secret)),
	} {
		out := r.clean("x " + text + " y")
		// What hangs together with bytes beside it in base64 may keep a character at each end.
		if len(out) > len("x  y")+len(redacted)+len("ab:")*2+len(":z=")*2 || strings.Contains(out, "te&st") || strings.Contains(out, "0123") {
			t.Errorf("%s is cleaned as %s", text, out)
		}
	}
	if got := newRedactor("abcd", "abcdefgh").clean("abcdefgh abcd"); got != "*** ***" {
		t.Errorf("a secret within a secret: %s", got)
	}
	if got := newRedactor("abcdefghijkl").clean("cut: abcdefghij"); got != "cut: ***" {
		t.Errorf("a secret that is cut: %s", got)
	}
	if got := newRedactor("abc").clean("abc"); got != "abc" {
		t.Errorf("three letters: %s", got)
	}
}

func TestNoSecretOfHeadersAndFieldsInAnyText(t *testing.T) {
	secrets := []string{"tenant-4711", "body-secret", "hunter22", "azure-key"}
	for _, status := range []int{200, 307, 400, 401, 404, 500, 503} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", "/"+strings.Join(secrets, "/"))
				w.WriteHeader(status)
				say(w, `{"error":{"message":"unknown field: `+strings.Join(secrets, " ")+`"}}`)
			}, func(o *Options) {
				o.URL = "http://me:hunter22@192.0.2.1/openai/deployments/d"
				o.Header = http.Header{"X-Tenant": {"tenant-4711"}, "api-key": {"azure-key"}}
				o.Extra = map[string]any{"session_token": "body-secret"}
			})
			e := c.Send(context.Background(), request, nil)
			r, err := c.Preflight(context.Background(), request.Prompt)
			for _, text := range []string{e.Message, e.Head, fmt.Sprint(err), fmt.Sprintf("%+v", r), c.URL()} {
				for _, s := range secrets {
					if strings.Contains(text, s) {
						t.Errorf("%d: %s in %s", status, s, text)
					}
				}
			}
		})
	}
}
