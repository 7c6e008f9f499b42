package remote

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestOnlyWhoShowsTheTokenIsAnswered(t *testing.T) {
	bearer := func(text string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", text) }
	}
	machine, _ := os.Hostname()
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for _, row := range []struct {
		sentence string
		change   func(*http.Request)
		status   int
	}{
		{"the token", bearer("Bearer " + testToken), 200},
		{"in small letters", bearer("bearer " + testToken), 200},
		{"no token", bearer(""), 401},
		{"another token", bearer("Bearer " + testToken + "x"), 401},
		{"half of it", bearer("Bearer " + testToken[:8]), 401},
		{"without the word", bearer(testToken), 401},
		{"as a password", bearer("Basic " + testToken), 401},
		{"an address", host("10.0.0.9:7777"), 200},
		{"another kind of address", host("[::1]:7777"), 200},
		{"localhost", host("localhost:7777"), 200},
		{"the machine's name", host(machine + ":7777"), 200},
		{"a name of the operator's", host("gpu-7.lan:7777"), 200},
		{"a name that was made to lead here", host("evil.example:7777"), 403},
		{"a name that only ends like one", host("evil-localhost:7777"), 403},
		{"a page in a browser", header("Origin", "http://127.0.0.1:7777"), 403},
		{"a page without an origin", header("Origin", "null"), 403},
		{"a picture in a page", header("Sec-Fetch-Site", "cross-site"), 403},
		{"typed into a browser", header("Sec-Fetch-Site", "none"), 200},
	} {
		s := serve(newRun(), func(o *Options) { o.Names = []string{"gpu-7.lan"} })
		for _, path := range []string{"/v1", "/metrics", "/v1/status"} {
			w := asked(t, s, "GET", path, "", row.change)
			if w.Code != row.status {
				t.Errorf("%s, %s: %d, want %d\n%s", row.sentence, path, w.Code, row.status, w.Body)
			}
			if w.Header().Get("Access-Control-Allow-Origin") != "" || strings.Contains(w.Body.String(), testToken) {
				t.Errorf("%s, %s: %v\n%s", row.sentence, path, w.Header(), w.Body)
			}
		}
	}
}

func TestNothingIsDoneWithoutTheToken(t *testing.T) {
	r := newRun()
	s := serve(r, func(o *Options) { o.OpenMetrics = true })
	without := func(r *http.Request) { r.Header.Del("Authorization") }
	if w := asked(t, s, "POST", "/v1/load", `{"set":4}`, without); w.Code != 401 || len(r.did()) > 0 {
		t.Errorf("%d, did %v", w.Code, r.did())
	}
	if w := asked(t, s, "GET", "/metrics", "", without); w.Code != 200 {
		t.Errorf("open metrics: %d", w.Code)
	}
	if w := asked(t, s, "GET", "/metrics", "", without, func(r *http.Request) { r.Host = "evil.example" }); w.Code != 403 {
		t.Errorf("open metrics by a strange name: %d", w.Code)
	}
}

func TestPathsThatAreNotThereSayWhatIs(t *testing.T) {
	s := serve(newRun(), nil)
	for _, row := range []struct {
		method, path string
		status       int
		allowed      string
	}{
		{"GET", "/", 404, "POST /v1/load"},
		{"POST", "/v1/nothing", 404, "POST /v1/note"},
		{"GET", "/v1/load", 405, "POST"},
		{"DELETE", "/v1/snapshot", 405, "GET"},
		{"GET", "/v1/snapshot?form=poem", 400, "second"},
	} {
		w := asked(t, s, row.method, row.path, "")
		got := told[Refusal](t, w)
		if w.Code != row.status || got.Error == "" || !strings.Contains(strings.Join(got.Allowed, "\n"), row.allowed) {
			t.Errorf("%s %s: %d %+v", row.method, row.path, w.Code, got)
		}
	}
}

// TestEveryAnswerThatIsGivenIsExplained in the package's words, and no other.
func TestEveryAnswerThatIsGivenIsExplained(t *testing.T) {
	words, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	given := map[int]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || file == "client.go" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for code := 200; code < 600; code++ {
			name := strings.NewReplacer(" ", "", "-", "", "'", "").Replace(http.StatusText(code))
			if name != "" && regexp.MustCompile(`http\.Status`+name+`\b`).Match(text) {
				given[code] = true
			}
		}
	}
	for code := 200; code < 600; code++ {
		if told := strings.Contains(string(words), fmt.Sprintf("//\t%d  ", code)); told != given[code] {
			t.Errorf("%d is given: %v, and explained: %v", code, given[code], told)
		}
	}
}
