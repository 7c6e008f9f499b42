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
	"unicode/utf8"
)

func TestSecretsAreKnownByTheirPlace(t *testing.T) {
	base, _ := url.Parse("http://me:hunter22@h/v1?key=sesame%21&api-version=2024-06-01&token;sig=seal123")
	proxy, _ := url.Parse("http://you:hunter33@p")
	secrets := secretsOf(Options{
		Key: NewSecret("sk-own"), Secrets: []Secret{NewSecret("named-elsewhere")},
		Header: http.Header{
			"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("us:er-pass"))},
			"x-api-key":     {"k123"}, "X-Tenant": {"tenant-4711"}, "X-Team": {"blue"}, "Accept": {"text/event-stream"}, "Anthropic-Version": {"2023-06-01"},
			"Cookie": {`sid=crumbs; theme=dark; cart="%2Fmany+crumbs"`}, "Proxy-Authorization": {`Digest username="somebody", realm="gpu.example", nc=00000001, response="6629fae49393a053"`},
		},
		Extra: map[string]any{"user_token": "body-secret", "max_tokens": 5, "stop": []any{"harmless-stop"}, "auth": map[string]any{"id": "inner-secret"}, "note": "harmless-note"},
	}, base, proxy)
	for _, want := range []string{"sk-own", "named-elsewhere", "er-pass", "k123", "tenant-4711", "crumbs", "/many+crumbs", "%2Fmany+crumbs", "6629fae49393a053", "body-secret", "inner-secret", "hunter22", "hunter33", "sesame!", "sesame%21", "seal123"} {
		if !slices.Contains(secrets, want) {
			t.Errorf("%s is not kept secret", want)
		}
	}
	for _, plain := range []string{"blue", "text/event-stream", "2023-06-01", "harmless-stop", "harmless-note", "2024-06-01", "me", "dark", "gpu.example"} {
		if slices.Contains(secrets, plain) {
			t.Errorf("%s is no secret", plain)
		}
	}
}

func TestATokenMayStandInTheUsersPlace(t *testing.T) {
	for _, tt := range []struct {
		user   *url.Userinfo
		secret bool
	}{
		{url.User("sk_live_51H"), true},
		{url.UserPassword("sk_live_51H", ""), true},
		{url.UserPassword("sk_live_51H", "x"), true},
		{url.UserPassword("sk_live_51H", "x-oauth-basic"), true},
		{url.UserPassword("somebody", "hunter22"), false},
	} {
		u := &url.URL{Scheme: "http", Host: "h", User: tt.user}
		for _, secrets := range [][]string{secretsOf(Options{}, u, nil), secretsOf(Options{}, &url.URL{}, u)} {
			if slices.Contains(secrets, tt.user.Username()) != tt.secret {
				t.Errorf("%s: %q", tt.user, secrets)
			}
		}
	}
}

func TestSecretsAreFoundInAllTheirForms(t *testing.T) {
	const secret = `sk/"te&st"+ <0123>~é`
	encode := base64.StdEncoding.EncodeToString
	r := newRedactor(secret, "0123")
	for _, text := range []string{
		secret, fmt.Sprintf("%q", secret), url.QueryEscape(secret), url.PathEscape(secret), strings.ToLower(url.QueryEscape(secret)), strings.ToLower(url.PathEscape(secret)),
		`sk\/\"te&st\"+ <0123>~é`, `sk/\"te\u0026st\"+ \u003c0123\u003e~é`,
		// .NET, in both cases; Gson; Python; PHP.
		`sk/\u0022te\u0026st\u0022\u002B \u003C0123\u003E~\u00E9`, `sk/\u0022te\u0026st\u0022\u002b \u003c0123\u003e~\u00e9`, `sk/\"te\u0026st\"+ \u003c0123\u003e~é`,
		`sk/\"te&st\"+ <0123>~\u00e9`, `sk\/\"te&st\"+ <0123>~\u00e9`,
		// Pages of Go, PHP, Python and .NET, and of templates.
		`sk/&#34;te&amp;st&#34;+ &lt;0123&gt;~é`, `sk/&quot;te&amp;st&quot;+ &lt;0123&gt;~é`, `sk/&quot;te&amp;st&quot;&#x2B; &lt;0123&gt;~é`, `sk/&#34;te&amp;st&#34;&#43; &lt;0123&gt;~é`,
		strings.ToUpper(`sk/"te&st"+ <0123>~`) + "é",
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
	for _, tt := range []struct{ sentence, text, want string }{
		{"cut at the end", "cut: sk-abcdefghi", "cut: ***"},
		{"cut, and marked as such", "cut: sk-abcdefghi… and on", "cut: ***… and on"},
		{"cut in a quotation", `with "sk-abcdefghi"; err=<nil>`, `with "***"; err=<nil>`},
		{"cut in a quotation within one", `{"x":"\"sk-abcdefghi\""}`, `{"x":"\"***\""}`},
		{"twice", "'sk-abcdefg' 'sk-abcdefgh'", "'***' '***'"},
		{"masked", "key provided: sk-ab*********3456.", "key provided: *********."},
		{"masked at its begin", "key ****3456", "key ****"},
		{"masked at its end", "key=sk-abc****, sir", "key=****, sir"},
		{"masked by dots", "key sk-•••••••456!", "key •••••••!"},
		{"in capitals", "SK-ABCDEFGHIJ-KLMNO0123456", "***"},
		{"stars of another kind", "a *** b **** c***d", "a *** b **** c***d"},
		{"words that begin alike", "sk-abcde is short, sk-abcdefgx is another", "sk-abcde is short, sk-abcdefgx is another"},
	} {
		if got := newRedactor("sk-abcdefghij-klmno0123456").clean(tt.text); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.sentence, got, tt.want)
		}
	}
	if got := newRedactor("abc").clean("abc"); got != "abc" {
		t.Errorf("three letters: %s", got)
	}
}

func TestAPartThatBeginsInTheMiddleOfASecretShowsNothingOfIt(t *testing.T) {
	const key = "sk-abcdefghij-klmno0123456"
	c := &Client{redact: newRedactor(key, "schlüssel-geheim")}
	for _, tt := range []struct{ what, text, want string }{
		{"its end", "klmno0123456, it is", ", it is"},
		{"its middle, masked", "k-ab***456, it is", "***, it is"},
		{"in the middle of the mask", "**456, it is", ", it is"},
		{"in the middle of dots", "••456, it is", ", it is"},
		{"its middle, cut off", "cdefgh, it is", ", it is"},
		{"in capitals", "GHIJ-KLMNO0123456, it is", ", it is"},
		{"as base64 has it", base64.StdEncoding.EncodeToString([]byte("a" + key))[9:], ""},
		{"in the middle of a word, which loses a letter at most", "hat it is", "at it is"},
		{"whole characters", "üchse, it is", "chse, it is"},
		{"then one as a whole", "klmno0123456 " + key, " ***"},
		{"nothing", "", ""},
	} {
		if got := c.CleanPart(tt.text, true, false); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.what, got, tt.want)
		}
	}
	for i := 1; i < len(key); i++ {
		for j := i; j <= len(key); j++ {
			if got := c.CleanPart(key[i:j], true, true); got != "" {
				t.Errorf("from %d to %d: %q", i, j, got)
			}
		}
	}
}

// BenchmarkClean is what cleaning costs for texts that are made to be hard for it: the two sizes of each should cost alike for a byte.
func BenchmarkClean(b *testing.B) {
	r := newRedactor("sk-live-A1b2C3d4E5f6G7h8I9j0K1l2M3n4", strings.Repeat("ab", 600), "a secret of words")
	for _, piece := range []string{"*** ", "***bold*** text ", "sk-live-A", "sk-live-A1b2C3d4E5", "sk-live-A… ", "sk-l***", "***3n4 ", "abababababababababab ", "a secret of ", "•••", "**•• "} {
		for _, size := range []int{16 << 10, 128 << 10} {
			text := strings.Repeat(piece, size/len(piece))
			b.Run(fmt.Sprintf("%s/%dKiB", strings.TrimSpace(piece), size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					r.clean(text)
				}
			})
		}
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

// TestAMaskedSecretShowsNothingWhileItComes: not before all of its stars are there, nor before its end is; and none of it for good where the text ends early.
func TestAMaskedSecretShowsNothingWhileItComes(t *testing.T) {
	const key = "sk-abcdefghij-klmno0123456"
	c := &Client{redact: newRedactor(key)}
	for _, mask := range []string{"***", "*****", "•••", "••••••"} {
		text := "your key is " + key[:8] + mask + key[len(key)-7:] + " indeed"
		want := "your key is " + mask + " indeed"
		for i := range len(text) + 1 {
			if got := c.CleanPart(text[:i], false, true); !strings.HasPrefix(want, got) {
				t.Errorf("after %q %q is shown", text[:i], got)
			}
			if !utf8.ValidString(text[:i]) {
				continue
			}
			// Two letters behind the stars are too few to be known by.
			if rest := strings.TrimRight(c.CleanPart(text[:i], false, false), key[len(key)-7:]); strings.ContainsAny(text[:i], "*•") && !strings.HasPrefix(want, rest) {
				t.Errorf("%q, which ends there, is %q", text[:i], rest)
			}
		}
	}
	for _, tt := range []struct{ text, want string }{
		{"**bold", "**bold"}, {"a list: *", "a list: *"}, {"cab*", "cab*"}, {"*** x", "*** x"}, {"a • b", "a • b"},
		{"key sk-abc***45", "key ***"}, {"key sk-abc**", "key "}, {"key sk-abc** x", "key sk-abc** x"},
		{"key sk-abcdefgh.", "key "}, {"key sk-abcdefgh..", "key "}, {"key sk-abcdefgh...", "key ***..."}, {"its end.", "its end."},
	} {
		if got := c.CleanPart(tt.text, false, true); got != tt.want {
			t.Errorf("%q, which goes on: %q, want %q", tt.text, got, tt.want)
		}
	}
}
