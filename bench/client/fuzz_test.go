package client

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"redline/bench"
)

// FuzzComplaint: whatever a server answers is read without trouble, and a field that is named in quotes is found.
func FuzzComplaint(f *testing.F) {
	for _, s := range []string{
		`{"error":{"message":"Unrecognized request argument supplied: ignore_eos","param":"a.b[0]"}}`, `{"detail":[{"loc":["body","x",0],"msg":"m","input":{}}]}`,
		`[{"error":null}]`, `{"loc":3,"param":null,"input":[]}`, `"n"`, "not json", "", `{"message":{"detail":[{"loc":[]}]}}`,
	} {
		f.Add(s, "ignore_eos")
	}
	f.Fuzz(func(t *testing.T, body, field string) {
		c := complaintOf(body)
		c.strange()
		c.names(field)
		c.namesInner("parent", field)
		if field == "" || !utf8.ValidString(field) || strings.ContainsAny(field, "'\"`") { // no field is called so
			return
		}
		for _, words := range []string{"bad '" + field + "' here", fmt.Sprintf(`%s is strange: "%s"`, body, field)} {
			if q := (complaint{text: strings.ToLower(words)}); q.names(field) == nowhere && says(q.text, strings.ToLower(field), true) == nowhere {
				t.Fatalf("%q is not found in %q", field, words)
			}
		}
	})
}

// FuzzRedactor: no form of a secret is left of a text, whatever stands beside it.
func FuzzRedactor(f *testing.F) {
	f.Add("sk-0123456789", "before ", " after")
	f.Add(`a"b\c/d<e>`, "sk", "sk")
	f.Add("aaaa", "aaa", "aaa")
	f.Add("00000010000000000", "0", "")
	f.Add("äöü €", "%", "\xff")
	f.Fuzz(func(t *testing.T, secret, before, after string) {
		if len(secret) < shortestSecret || strings.Contains(secret, "*") {
			return
		}
		r := newRedactor(secret)
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
			if out := r.clean(before + form + after); strings.Contains(out, secret) || strings.Contains(out, form) {
				t.Fatalf("%q is left in %q", form, out)
			}
		}
		if len(secret) < 16 {
			return
		}
		whole := base64.StdEncoding.EncodeToString([]byte(before + secret + after))
		if out := r.clean(whole); len(out) > len(whole)-len(secret) {
			t.Fatalf("%q is left in the base64 text %q of %q", secret, out, whole)
		}
	})
}

// FuzzRedirect: wherever a redirect leads, and whatever is asked for in headers, the sentence is one line and holds no part of the place that is
// not for all to see.
func FuzzRedirect(f *testing.F) {
	for _, s := range []string{"/v1/models", "https://u:p@h/v1/models/?a=b#c", "//h", "http://[", "?x", "https://sso/login?back=x", "mailto:x"} {
		f.Add(s, `Basic realm="x", Bearer`)
	}
	base, _ := url.Parse("http://h/v1")
	f.Fuzz(func(t *testing.T, location, challenge string) {
		resp := &http.Response{StatusCode: 302, Header: http.Header{"Location": {location}, "Www-Authenticate": {challenge}}, Request: &http.Request{URL: endpoint(base, "/models")}}
		challenges(resp.Header)
		a := &answer{moved: movedTo(resp)}
		text := redirected(base, "/models", &bench.Ended{Status: 302}, a)
		if (text == "") != (a.moved == nil) || strings.ContainsAny(text, "\n\x1b") {
			t.Fatalf("%q leads to %q", location, text)
		}
		if a.moved != nil && (strings.Contains(text, "#") || a.moved.User.String() != "" && strings.Contains(text, "redirects to "+a.moved.Scheme+"://"+a.moved.User.String()+"@")) {
			t.Fatalf("%q says %q", location, text)
		}
	})
}
