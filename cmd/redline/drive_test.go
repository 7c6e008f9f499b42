package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"redline/bench/sim"
)

// simulated serves a simulated server in this process and returns its base URL.
func simulated(t *testing.T, change func(*sim.Options)) string {
	t.Helper()
	o := sim.Defaults()
	o.Speed = 20
	if change != nil {
		change(&o)
	}
	server, err := sim.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- server.Serve(ctx, ln) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return "http://" + ln.Addr().String() + "/v1"
}

// small are flags for small requests.
func small(url string, more ...string) []string {
	return append([]string{"--url", url, "--max-tokens", "16", "--input-tokens", "32"}, more...)
}

// clean checks what holds of every output: no control sequence, no key, no number that is none.
func clean(t *testing.T, o *outside) {
	t.Helper()
	for name, text := range map[string]string{"stdout": o.out.String(), "stderr": o.errs.String()} {
		for _, bad := range []string{"\x1b", testKey, "NaN", "+Inf", "-Inf"} {
			if strings.Contains(text, bad) {
				t.Errorf("%q in %s:\n%s", bad, name, text)
			}
		}
	}
}

func TestRunEndsWithItsRequestsAndASummary(t *testing.T) {
	o := start(t, nil, small(simulated(t, nil), "--requests", "20", "-c", "4")...)
	if code := o.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, o.errs.String())
	}
	clean(t, o)
	text := o.out.String()
	for _, want := range []string{"event start", "level load", "20 sent: 20 ok, 0 failed, 0 limited (429), 0 cancelled\n", "counted from usage", "\ngoodput "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	if o.errs.String() != "" {
		t.Errorf("stderr: %s", o.errs.String())
	}
}

func TestRunDrivesTheEmbeddedServerWhateverTheEnvironmentSays(t *testing.T) {
	var asked atomic.Int32
	stranger := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer stranger.Close()
	env := map[string]string{"OPENAI_BASE_URL": stranger.URL, "OPENAI_API_KEY": testKey}
	o := start(t, env, "--duration", "1500ms", "--max-tokens", "8", "--price-out", "0.6")
	if code := o.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, o.errs.String())
	}
	clean(t, o)
	if asked.Load() > 0 {
		t.Error("the server of the environment was asked")
	}
	for _, want := range []string{"start load 8", "redline-sim-7b at 127.0.0.1:", "the duration is over", "\ncost "} {
		if !strings.Contains(o.out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, o.out.String())
		}
	}
}

// listing is a server that lists models and does nothing else.
func listing(t *testing.T, names ...string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/models") {
			t.Errorf("asked for %s", r.URL.Path)
		}
		data := []map[string]string{}
		for _, n := range names {
			data = append(data, map[string]string{"id": n, "object": "model"})
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

func TestTargetsThatCannotBeUsedAreOneSentence(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := "http://" + closed.Addr().String() + "/v1"
	_ = closed.Close()
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"the key %s is wrong"}}`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	}))
	defer echo.Close()
	pathless := httptest.NewServer(http.NotFoundHandler())
	defer pathless.Close()
	locked := simulated(t, func(o *sim.Options) { o.APIKey = "another-key" })
	env := map[string]string{"K": testKey, "OPENAI_API_KEY": testKey}
	// A sentence, and for a refusal by key a second line with the key that was not sent.
	lines := func(text string) int { return strings.Count(text, "\n") }
	for _, row := range []struct {
		sentence string
		args     []string
		want     []string
	}{
		{"nobody is there", []string{"--url", refused, "--model", "m"}, []string{"nothing listens at " + refused}},
		{"nobody is there to list models", []string{"--url", refused}, []string{"nothing listens at " + refused}},
		{"a server without a list", []string{"--url", pathless.URL}, []string{"404", "without --model the server's list"}},
		{"no key for a list", []string{"--url", locked}, []string{"401", "name the one to use with --api-key-env or --api-key-file\n"}},
		{"several models", []string{"--url", listing(t, "one", "org/two")}, []string{"serves 2 models; name one with --model: one, org/two"}},
		{"no model", []string{"--url", listing(t)}, []string{"--model"}},
		{"a wrong key", []string{"--url", locked, "--model", "redline-sim-7b", "--api-key-env", "K"}, []string{"401"}},
		{"a key that was not sent", []string{"--url", locked, "--model", "redline-sim-7b"}, []string{"401", "OPENAI_API_KEY is set, but not sent"}},
		{"a server that repeats the key", []string{"--url", echo.URL, "--model", "m", "--api-key-env", "K"}, []string{"***"}},
	} {
		o := start(t, env, row.args...)
		if code := o.run(t); code != exitUsage {
			t.Errorf("%s: exit code %d", row.sentence, code)
		}
		clean(t, o)
		if strings.Contains(o.errs.String(), "without --model") && row.sentence != "a server without a list" {
			t.Errorf("%s: the list of models is not what is missing: %q", row.sentence, o.errs.String())
		}
		if n := lines(o.errs.String()); n > 2 || n == 2 && !strings.Contains(row.sentence, "key") {
			t.Errorf("%s: %d lines: %q", row.sentence, n, o.errs.String())
		}
		if o.out.String() != "" {
			t.Errorf("%s: stdout %q", row.sentence, o.out.String())
		}
		for _, want := range row.want {
			if !strings.Contains(o.errs.String(), want) {
				t.Errorf("%s: %q is missing in %q", row.sentence, want, o.errs.String())
			}
		}
	}
}

func TestSignalsEndARunInOrder(t *testing.T) {
	for _, row := range []struct {
		sentence string
		signals  []os.Signal
		code     int
		why      string
	}{
		{"one interrupt drains", []os.Signal{os.Interrupt}, exitInterrupted, "interrupted"},
		{"two leave at once", []os.Signal{os.Interrupt, os.Interrupt}, exitInterrupted, "interrupted"},
		{"a termination drains", []os.Signal{syscall.SIGTERM}, exitTerminated, "terminated"},
		{"a lost terminal too", []os.Signal{syscall.SIGHUP}, exitHungUp, "hung up"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			o := start(t, nil, small(simulated(t, nil), "-c", "4")...)
			code := make(chan int)
			go func() { code <- o.run(t) }()
			o.out.await(t, " RUNNING ")
			for _, s := range row.signals {
				o.signals <- s
			}
			if got := <-code; got != row.code {
				t.Errorf("exit code %d, want %d", got, row.code)
			}
			clean(t, o)
			if text := o.out.String(); !strings.Contains(text, ", "+row.why+"\n") || !strings.Contains(text, "requests  ") {
				t.Errorf("no summary that says %q:\n%s", row.why, text)
			}
		})
	}
}

func TestAnInterruptBeforeTheFirstAnswerGivesUp(t *testing.T) {
	asked := make(chan struct{})
	release := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		select {
		case <-r.Context().Done():
		case <-release:
		}
	}))
	defer silent.Close()
	defer close(release)
	o := start(t, nil, "--url", silent.URL, "--model", "m")
	code := make(chan int)
	go func() { code <- o.run(t) }()
	<-asked
	o.signals <- os.Interrupt
	if got := <-code; got != exitInterrupted || o.out.String() != "" {
		t.Errorf("exit code %d, stdout %q, stderr %q", got, o.out.String(), o.errs.String())
	}
}

func TestRunInWhichNothingSucceedsExitsWithOne(t *testing.T) {
	o := start(t, nil, small(simulated(t, func(s *sim.Options) { s.RPM = 1 }), "--duration", "1s")...)
	if code := o.run(t); code != exitNothing {
		t.Errorf("exit code %d\n%s\n%s", code, o.out.String(), o.errs.String())
	}
	clean(t, o)
	if !strings.Contains(o.out.String(), "429 ×") {
		t.Errorf("the failures are not told:\n%s", o.out.String())
	}
}

func TestKeyIsSentAndNeverShown(t *testing.T) {
	url := simulated(t, func(o *sim.Options) { o.APIKey = testKey })
	o := start(t, map[string]string{"K": testKey}, small(url, "--api-key-env", "K", "--requests", "3")...)
	if code := o.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, o.errs.String())
	}
	clean(t, o)
}

func TestVersionHelpAndUnknownWords(t *testing.T) {
	for _, row := range []struct {
		args []string
		code int
		out  string
		errs string
	}{
		{[]string{"--version"}, exitOK, "redline ", ""},
		{[]string{"version"}, exitOK, "redline ", ""},
		{[]string{"--help"}, exitOK, "--first-token-timeout", ""},
		{[]string{"completion", "bash"}, exitOK, "bash completion", ""},
		{[]string{"__complete", "--theme", "redline-d"}, exitOK, "redline-dark", ""},
		{[]string{"warp"}, exitUsage, "", `unknown command "warp"`},
		{[]string{"--warp"}, exitUsage, "", "unknown flag: --warp"},
	} {
		o := start(t, nil, row.args...)
		if code := o.run(t); code != row.code || !strings.Contains(o.out.String(), row.out) || !strings.Contains(o.errs.String(), row.errs) {
			t.Errorf("%v: exit code %d\n%s\n%s", row.args, code, o.out.String(), o.errs.String())
		}
	}
}
