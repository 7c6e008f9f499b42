package stream

import (
	"strings"
	"testing"

	"redline/bench"
)

const secret = "key-0123456789abcdef"

func hide(s string) string { return strings.ReplaceAll(s, secret, "***") }

func TestHeadIsTheBeginningOfAFailedBody(t *testing.T) {
	html := "<!DOCTYPE html>\r\n\x00\x1b[31m<title>Bad gateway</title>"
	long := "<p>" + strings.Repeat("0123456789", 1000)
	for _, tt := range []struct{ name, body, want string }{
		{"as it came, control characters and all", html, html},
		{"cut to its bound", long, long[:bench.HeadBytes]},
		{"of a stream that broke off too", text("a"), text("a")},
		{"and of one that told an error, up to there", data(`{"error":"x"}`) + text("a"), "data: {\"error\":\"x\"}\n"},
		{"nothing of nothing", "", ""},
		{"nothing of an answer that ended well", text("a") + stop, ""},
		{"free of secrets", "<p>" + secret + "</p>", "<p>***</p>"},
		{"of a long body too, as long as ever", "<" + secret + long, ("<***" + long)[:bench.HeadBytes]},
	} {
		for _, step := range []int{1, 7, 1 << 20} {
			p := New(Options{Clean: hide})
			for b := []byte(tt.body); len(b) > 0; b = b[min(step, len(b)):] {
				p.Feed(b[:min(step, len(b))], ms)
			}
			p.Close(ms, nil)
			var e bench.Ended
			if p.Fill(&e); e.Head != tt.want {
				t.Errorf("%s, %d bytes a read: %q", tt.name, step, e.Head)
			}
		}
	}
}

func TestNoPartOfASecretIsInTheHead(t *testing.T) {
	// A secret that ends, is cut or begins anywhere near the bounds of what is shown and of what is kept; several of them, which make what
	// comes behind move up; and one that is very long.
	for _, at := range []int{bench.HeadBytes, rawHead} {
		for shift := -len(secret) - 2; shift <= 2; shift++ {
			for _, before := range []int{0, 20} {
				fill := at + shift - before*len(secret)
				if fill < 0 {
					continue
				}
				body := "<" + strings.Repeat(secret, before) + strings.Repeat(".", fill) + secret + strings.Repeat("-", 2*rawHead)
				checkHead(t, body, secret, hide)
			}
		}
	}
	token := strings.Repeat("eyJhbGciOiJS", 200)
	clean := func(s string) string { return strings.ReplaceAll(s, token, "***") }
	for _, fill := range []int{1, 400, 511, 600, 1500} {
		checkHead(t, "<"+strings.Repeat(".", fill)+token+"-", token, clean)
	}
	checkHead(t, "<"+token+token+token, token, clean)
	checkHead(t, "<"+strings.Repeat(secret, 1000), secret, hide)
}

func checkHead(t *testing.T, body, secret string, clean func(string) string) {
	t.Helper()
	p := New(Options{Clean: clean})
	p.Feed([]byte(body), ms)
	p.Close(ms, nil)
	var e bench.Ended
	p.Fill(&e)
	if len(e.Head) > bench.HeadBytes {
		t.Errorf("a head of %d bytes", len(e.Head))
	}
	for n := 4; n <= len(secret); n++ {
		if strings.Contains(e.Head, secret[:n]) {
			t.Errorf("%d bytes of the secret in a head of %d: …%q", n, len(e.Head), e.Head[max(0, len(e.Head)-40):])
			return
		}
	}
}

func TestFinishReasonIsCleanAndShort(t *testing.T) {
	p := New(Options{Clean: hide})
	p.Feed([]byte(data(`{"choices":[{"finish_reason":"`+secret+strings.Repeat("x", 10_000)+`"}]}`)), ms)
	p.Close(ms, nil)
	var e bench.Ended
	if p.Fill(&e); strings.Contains(e.Finish, secret) || len(e.Finish) > 64 {
		t.Errorf("%q", e.Finish)
	}
}
