package main

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"redline/bench"
	"redline/bench/client"
)

func TestFlagsOfMetricsAreHeldAgainstTheTarget(t *testing.T) {
	for _, row := range []struct {
		sentence string
		args     []string
		want     []string
	}{
		{"an address is one of HTTP", []string{"--url", "http://gpu-7:8000/v1", "--metrics-url", "ftp://u:hunter2@x/"}, []string{"--metrics-url ftp://***@x/: want http:// or https:// and a host, as in http://gpu-7:8000/metrics"}},
		{"without user and password", []string{"--url", "http://gpu-7:8000/v1", "--metrics-url", "http://u:hunter2@x/"}, []string{"--metrics-url http://***@x/: want no user or password in it"}},
		{"each once", []string{"--url", "http://gpu-7:8000/v1", "--metrics-url", "http://a/m?k=hunter2", "--metrics-url", "http://a/m?k=hunter2"}, []string{"--metrics-url http://a/m?***: want each address once"}},
		{"all or none", []string{"--url", "http://gpu-7:8000/v1", "--metrics-url", "http://a", "--no-metrics"}, []string{"--no-metrics: want no --metrics-url with it"}},
		{"the key stays at home", []string{"--url", "http://gpu-7:8000/v1", "--metrics-url", "http://gpu-7:9400", "--metrics-key"}, []string{"--metrics-key: want a --metrics-url of the target's own scheme, host and port with it"}},
		{"no target, no addresses", []string{"--metrics-url", "http://a", "--metrics-key"}, []string{"--metrics-url http://a: want --url with it", "--metrics-key: want --url with it"}},
		{"an address belongs to one of several targets", []string{"--url", "http://gpu-7:8000/v1", "--url", "http://gpu-7:8001/v1", "--metrics-url", "http://gpu-7:9400"}, []string{"--metrics-url http://gpu-7:9400: want it in [targets.NAME]"}},
	} {
		m := start(t, nil, append(row.args, "--config", "none")...)
		code := m.run(t)
		text := m.errs.String()
		for _, want := range row.want {
			if code != exitUsage || !strings.Contains(text, want) {
				t.Errorf("%s: exit code %d, no %q in\n%s", row.sentence, code, want, text)
			}
		}
		if strings.Contains(text, "hunter2") {
			t.Errorf("%s: a secret in\n%s", row.sentence, text)
		}
	}
}

func TestAFileOfTheCurrentFolderNamesNoMetrics(t *testing.T) {
	for _, text := range []string{"metrics-url = \"http://evil.example/\"", "metrics-key = true"} {
		m := start(t, nil, "--url", "http://10.0.0.1")
		m.Folder = stranger(t, text)
		if code := m.run(t); code != exitUsage || !strings.Contains(m.errs.String(), "want it in a file that you have named") {
			t.Errorf("%s: exit code %d\n%s", text, code, m.errs.String())
		}
	}
}

func TestMetricsOfAFileBelongToTheTargetBesideThem(t *testing.T) {
	const file = "[targets.a]\nurl = \"http://gpu-7:8000/v1\"\nmetrics-url = [\"http://gpu-7:8000\", \"http://gpu-7:9400/metrics?k=hunter2\"]\n"
	s, r, found := resolved(t, "", own(t, file), "--target", "a")
	if len(found) > 0 || s.metrics.shownURLs() != "http://gpu-7:8000 http://gpu-7:9400/metrics?***" {
		t.Errorf("%v: %s", found, s.metrics.shownURLs())
	}
	if from := r.found.from["metrics-url"]; from.source != fromFile || from.table != "targets.a." {
		t.Errorf("they come from %v", from)
	}
	s, r, _ = resolved(t, "", own(t, "metrics-url = \"http://gpu-7:9400\"\n"), "--url", "http://gpu-8:8000/v1")
	if len(s.metrics.urls) > 0 || !strings.Contains(strings.Join(r.notes, "\n"), "metrics-url is not used: it belongs to the url that stands beside it") {
		t.Errorf("another target has %s; notes %v", s.metrics.shownURLs(), r.notes)
	}
	s, _, found = resolved(t, "", own(t, "url = \"http://gpu-7:8000/v1\"\nmetrics-url = \"http://gpu-7:9400\"\n"), "--no-metrics")
	if len(found) > 0 || !s.metrics.none || len(s.metrics.urls) > 0 {
		t.Errorf("the flag gives way: %v, %+v", found, s.metrics)
	}
}

func TestWhichMetricsAreRead(t *testing.T) {
	named, _ := url.Parse("http://gpu-7:9400")
	clock := bench.Clock{}
	for _, row := range []struct {
		sentence string
		set      metrics
		outside  bool
		want     []string
	}{
		{"those beside a target of one's own", metrics{}, false, []string{"http://gpu-7:8000/x/metrics"}},
		{"none of a public one", metrics{}, true, nil},
		{"but those that are named", metrics{urls: []*url.URL{named}}, true, []string{"http://gpu-7:9400/metrics"}},
		{"none at all", metrics{none: true}, false, nil},
	} {
		s := defaults()
		s.metrics = row.set
		g := s.scraper(target{outside: row.outside}, "http://gpu-7:8000/x/v1?api-version=1", clock, nil)
		if g == nil || row.want == nil {
			if g != nil || row.want != nil {
				t.Errorf("%s: %v, want %v", row.sentence, g, row.want)
			}
			continue
		}
		scrapes, _, _ := g.Second()
		var got []string
		for _, s := range scrapes {
			got = append(got, s.URL)
		}
		if strings.Join(got, " ") != strings.Join(row.want, " ") {
			t.Errorf("%s: %v, want %v", row.sentence, got, row.want)
		}
	}
}

// watched is a simulated server, and what was asked of it beside its API, with the key that came along.
func watched(t *testing.T) (base string, asked func() map[string]string) {
	to, err := url.Parse(simulated(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	seen := map[string]string{}
	ts := httptest.NewServer(&httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		if !strings.HasPrefix(r.In.URL.Path, "/v1/") {
			mu.Lock()
			seen[r.In.URL.Path] = r.In.Header.Get("Authorization")
			mu.Unlock()
		}
		r.Out.URL.Host, r.Out.URL.Scheme = to.Host, to.Scheme
	}})
	t.Cleanup(ts.Close)
	return ts.URL + "/v1", func() map[string]string {
		mu.Lock()
		defer mu.Unlock()
		return seen
	}
}

func TestRunReadsTheServersMetrics(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	writeFile(t, key, testKey)
	for _, row := range []struct {
		sentence string
		args     func(base string) []string
		asked    bool
		key      string
	}{
		{"by itself, without the key", func(string) []string { return nil }, true, ""},
		{"with the key where that is said", func(base string) []string {
			return []string{"--metrics-url", strings.TrimSuffix(base, "/v1"), "--metrics-key"}
		}, true, "Bearer " + testKey},
		{"not where none is wanted", func(string) []string { return []string{"--no-metrics"} }, false, ""},
	} {
		base, asked := watched(t)
		m := start(t, nil, small(base, append(row.args(base), "--api-key-file", key, "--duration", "1500ms", "--no-proxy", "--config", "none")...)...)
		if code := m.run(t); code != exitOK {
			t.Fatalf("%s: exit code %d\n%s", row.sentence, code, m.errs.String())
		}
		clean(t, m)
		got, there := asked()["/metrics"]
		if there != row.asked || got != row.key {
			t.Errorf("%s: asked %v, with %q", row.sentence, there, got)
		}
		if told := strings.Contains(m.out.String(), "event server vLLM tells its gauges"); told != row.asked {
			t.Errorf("%s: told %v\n%s", row.sentence, told, m.out.String())
		}
	}
}

func TestClientAuthorizesAsItsRequestsDo(t *testing.T) {
	for _, row := range []struct {
		url, name, want string
		api             bench.API
	}{
		{"http://gpu-7:8000/v1", "Authorization", "Bearer " + testKey, bench.Chat},
		{"http://gpu-7:8000/v1", "X-Api-Key", testKey, bench.Anthropic},
	} {
		c, err := client.New(client.Options{URL: row.url, API: row.api, Key: client.NewSecret(testKey), Concurrency: 1})
		if err != nil {
			t.Fatal(err)
		}
		h := http.Header{"Accept": {"text/plain"}}
		c.Authorize(h)
		if len(h) != 2 || h.Get(row.name) != row.want {
			t.Errorf("%v: %d headers, %s is %q", row.api, len(h), row.name, h.Get(row.name))
		}
		c.Close()
	}
}
