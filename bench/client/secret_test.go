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
