package main

import (
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"redline/bench/sim"
	"redline/bench/sim/model"
)

// witnessed is a simulated server of a kind, and what the requests to it have proved.
func witnessed(t *testing.T, preset model.Preset) (base string, seen func() []string) {
	t.Helper()
	to, err := url.Parse(simulated(t, func(o *sim.Options) { o.Preset = preset }))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var keys []string
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		mu.Lock()
		switch key := r.In.Header.Get("Authorization"); {
		case strings.HasPrefix(r.In.URL.Path, "/v1/"):
			keys = append(keys, key)
		case key != "":
			t.Errorf("%s, which is no request, was asked for with the key %q", r.In.URL.Path, key)
		}
		mu.Unlock()
		r.Out.URL.Host, r.Out.URL.Scheme = to.Host, to.Scheme
	}}
	ts := httptest.NewServer(proxy)
	t.Cleanup(ts.Close)
	return ts.URL + "/v1", func() []string {
		mu.Lock()
		defer mu.Unlock()
		return keys
	}
}

func TestTwoTargetsAreDrivenSideBySideAndCompared(t *testing.T) {
	small, _ := witnessed(t, model.SmallGPU)
	large, _ := witnessed(t, model.LargeGPU)
	m := start(t, nil, "--url", small, "--url", large, "-c", "4", "--duration", "4s", "--seed", "7", "--output-tokens", "16", "--input-tokens", "64")
	if code := m.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, m.errs.String())
	}
	text := m.out.String()
	for _, url := range []string{small, large} {
		if !regexp.MustCompile(`(?m)^00:00:03 ` + regexp.QuoteMeta(hostOf(url)) + ` RUNNING level=1/\S+ load=4 inflight=[1-9]`).MatchString(text) {
			t.Errorf("no line of %s", url)
		}
	}
	for _, want := range []string{"== target A (" + hostOf(small) + ") ==", "== target B (" + hostOf(large) + ") ==", "B (" + hostOf(large) + ") against A", "itl.p50 ms", "better"} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing of %q:\n%s", want, text)
		}
	}
}

func TestAKeyGoesToItsOwnTargetAlone(t *testing.T) {
	a, keysOfA := witnessed(t, model.SmallGPU)
	b, keysOfB := witnessed(t, model.SmallGPU)
	env := own(t, "[targets.left]\nurl = \""+a+"\"\napi-key-env = \"LEFT\"\n[targets.right]\nurl = \""+b+"\"\napi-key-env = \"RIGHT\"\n")
	env["LEFT"], env["RIGHT"] = testKey+"-left", testKey+"-right"
	m := start(t, env, "--target", "left", "--target", "right", "--requests", "6", "-c", "2", "--output-tokens", "8", "--input-tokens", "16")
	m.Folder = t.TempDir()
	if code := m.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s\n%s", code, m.errs.String(), m.out.String())
	}
	for _, of := range []struct {
		seen []string
		want string
	}{{keysOfA(), "Bearer " + testKey + "-left"}, {keysOfB(), "Bearer " + testKey + "-right"}} {
		if len(of.seen) < 6 {
			t.Errorf("%d requests", len(of.seen))
		}
		for _, key := range of.seen {
			if key != of.want {
				t.Fatalf("a request had the key %q, want %q", key, of.want)
			}
		}
	}
	if !strings.Contains(m.out.String(), "== target B (right) ==") {
		t.Error("the targets are not called by their names")
	}
	clean(t, m)
}

func TestWhatIsWrongWithSeveralTargetsIsTold(t *testing.T) {
	const a, b = "http://10.0.0.1/v1", "http://10.0.0.2/v1"
	for _, row := range []struct {
		what string
		args []string
		want string
	}{
		{"a key that would go to both", []string{"--url", a, "--url", b, "--api-key-env", "KEY"}, "--api-key-env KEY: want it in the table of its own target"},
		{"a header that would", []string{"--url", a, "--url", b, "-H", "X-Api-Key: " + testKey}, "--header X-Api-Key: want it in the table of its own target"},
		{"a load above a half of the bound", []string{"--url", a, "--url", b, "-c", "200"}, "--concurrency 200: want at most 128"},
		{"a rate above a half of the bound", []string{"--url", a, "--url", b, "--rate", "600"}, "want at most 500/s"},
		{"a public host among them", []string{"--url", a, "--url", "https://api.example.com/v1", "-c", "17"}, "--concurrency 17: want at most 16"},
		{"one twice", []string{"--url", a, "--url", a}, "want each target once"},
		{"three on one screen", []string{"--url", a, "--url", b, "--url", "http://10.0.0.3"}, "want it 2 times at most"},
		{"no such name", []string{"--target", "x", "--target", "y"}, "[targets.x]"},
		{"a list without an end", []string{"--targets", a + "," + b}, "want --duration, --requests or --profile with it"},
		{"a list of one", []string{"--targets", a}, "want 2 to 16"},
		{"a list beside others", []string{"--targets", a + "," + b, "--url", a}, "want no --url or --target with it"},
		{"a second that is no URL", []string{"--url", a, "--url", "gpu-7"}, "--url gpu-7: want http:// or https://"},
	} {
		t.Run(row.what, func(t *testing.T) {
			m := start(t, map[string]string{"KEY": testKey}, row.args...)
			m.Folder = t.TempDir()
			if code := m.run(t); code != exitUsage || !strings.Contains(m.errs.String(), row.want) {
				t.Errorf("exit code %d: %s", code, m.errs.String())
			}
			clean(t, m)
		})
	}
}

func TestATargetThatDoesNotAnswerLetsNothingStart(t *testing.T) {
	a, seen := witnessed(t, model.SmallGPU)
	m := start(t, nil, "--url", a, "--url", "http://127.0.0.1:1/v1", "--model", "redline-sim-7b", "--private")
	if code := m.run(t); code != exitUsage || !strings.Contains(m.errs.String(), "target B, ") || strings.Contains(m.errs.String(), "127.0.0.1") {
		t.Errorf("exit code %d: %s", code, m.errs.String())
	}
	if n := len(seen()); n > 8 {
		t.Errorf("%d requests to the one that answers", n)
	}
}

func TestTargetsAreRanked(t *testing.T) {
	smallURL, _ := witnessed(t, model.SmallGPU)
	large, _ := witnessed(t, model.LargeGPU)
	env := own(t, "[targets.left]\nurl = \""+smallURL+"\"\nprice-out = 2\n[targets.right]\nurl = \""+large+"\"\nprice-out = 1\n")
	m := start(t, env, "--targets", "left, right", "-c", "4", "--duration", "5s", "--slo", "errors<=1%", "--output-tokens", "16", "--input-tokens", "64")
	m.Folder = t.TempDir()
	if code := m.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s\n%s", code, m.errs.String(), m.out.String())
	}
	text := m.out.String()
	at := strings.Index(text, "ranking by the cost of a million output tokens")
	if at < 0 || !regexp.MustCompile(`(?s)\n +1 +B \(right\) .*kept\n +2 +A \(left\) .*kept\n`).MatchString(text[at:]) {
		t.Errorf("no ranking in:\n%s", text)
	}
	clean(t, m)
}

func TestARankingWithoutAnyThatKeepsThePromisesIsNoSuccess(t *testing.T) {
	a, _ := witnessed(t, model.SmallGPU)
	b, _ := witnessed(t, model.SmallGPU)
	m := start(t, nil, "--targets", a+","+b, "-c", "2", "--duration", "4s", "--slo", "tps.p5>=100000", "--output-tokens", "16", "--input-tokens", "64")
	if code := m.run(t); code != exitNothing || !strings.Contains(m.out.String(), "ranking by the output rate, since not all of them have prices") {
		t.Errorf("exit code %d\n%s", code, m.out.String())
	}
}
