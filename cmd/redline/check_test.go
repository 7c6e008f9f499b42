package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"redline/bench"
)

// checked reads flags as the root command does, without starting anything.
func checked(t *testing.T, env map[string]string, args ...string) (settings, target, []string) {
	t.Helper()
	m := start(t, env)
	s, found := defaults(), problems{}
	f := flags{pflag.NewFlagSet("redline", pflag.ContinueOnError), &found}
	s.define(f)
	if err := f.Parse(args); err != nil {
		t.Fatalf("parse %q: %v", args, err)
	}
	target := m.check(t.Context(), &s, m.resolve(t.Context(), &s, f.FlagSet, &found), &found)
	return s, target, found.list
}

func TestEachFlagIsChecked(t *testing.T) {
	dir := t.TempDir()
	empty, broken := filepath.Join(dir, "empty"), filepath.Join(dir, "broken.toml")
	writeFile(t, empty, "  \n")
	writeFile(t, broken, "name = \"broken\"\nfg = \"white\"\naccent = \"no-colour\"\nbad = \"red\"\n")
	writeFile(t, empty+"2", "no\ncertificate\n")
	ca, key := certificate(t, dir, "one")
	_, other := certificate(t, dir, "two")
	here, secured := []string{"--url", "http://127.0.0.1:1/v1"}, []string{"--url", "https://127.0.0.1:1/v1"}
	secured = secured[:2:2]
	for _, row := range []struct {
		sentence string
		args     []string
		want     []string
	}{
		{"a load that is no number", []string{"-c", "many"}, []string{"--concurrency many: want a whole number from 0 to 20000"}},
		{"a load below zero", []string{"--concurrency=-1"}, []string{"--concurrency -1: want a whole number from 0 to 20000"}},
		{"a bound below the load", []string{"-c", "12", "--max", "4"}, []string{"--max 4: want at least 12, the value of --concurrency"}},
		{"a load above the usual bound", []string{"-c", "300"}, []string{"--concurrency 300: want 0 to 256 (raise --max)"}},
		{"a step of nothing", []string{"--step", "0"}, []string{"--step 0: want a whole number from 1 to 20000"}},
		{"a duration below zero", []string{"--duration=-5s"}, []string{"--duration -5s: want a time from 0s to 720h0m0s, as in 90s or 5m"}},
		{"a duration without unit", []string{"--duration", "5"}, []string{"--duration 5: want a time"}},
		{"a stall limit of nothing", []string{"--stall", "0s"}, []string{"--stall 0s: want a time from 1ms"}},
		{"requests below zero", []string{"--requests=-1"}, []string{"--requests -1: want a whole number from 0"}},
		{"no tokens", []string{"--max-tokens", "0", "--input-tokens", "0"}, []string{"--max-tokens 0: want", `--input-tokens 0: "0" is no whole number from 1 to 1000000`}},
		{"a seed below zero", []string{"--seed=-1"}, []string{"--seed -1: want a whole number from 0 to 18446744073709551615"}},
		{"a price below zero", []string{"--price-in=-1"}, []string{"--price-in -1: want an amount of 0 or more"}},
		{"a price that is no number", []string{"--price-out", "NaN"}, []string{"--price-out NaN: want an amount of 0 or more"}},
		{"a budget without prices", []string{"--budget", "5"}, []string{"--budget 5: want --price-in, --price-out or --gpu-hour with it"}},
		{"GPUs without their price", []string{"--gpus", "8"}, []string{"--gpus 8: want --gpu-hour, what one of them costs an hour, with it"}},
		{"no GPUs", []string{"--gpu-hour", "2", "--gpus", "0"}, []string{"--gpus 0: want a whole number from 1"}},
		{"both kinds of prices", []string{"--gpu-hour", "2", "--price-out", "1"}, []string{"--gpu-hour: want no --price-out with it; only one of the two can be in force"}},
		{"what is cached costs more", []string{"--price-in", "0.2", "--price-cached", "0.3"}, []string{"--price-cached 0.3: want at most the price of other prompt tokens, --price-in, which is 0.2"}},
		{"a price below zero for what is cached", []string{"--price-cached=-1"}, []string{"--price-cached -1: want an amount of 0 or more"}},
		{"a token budget below zero", []string{"--budget-tokens=-1"}, []string{"--budget-tokens -1: want a whole number"}},
		{"a promise that cannot be read", []string{"--slo", "ttft<fast"}, []string{`--slo ttft<fast: value "fast" is not a positive number`}},
		{"two promises about one number", []string{"--slo", "ttft.p95<=1s", "--slo", "ttft<=2s"}, []string{"--slo ttft<=2s: there is already ttft.p95<=1s"}},
		{"none, and another promise", []string{"--slo", "none", "--slo", "errors<=1%"}, []string{"--slo none: want no other promise beside it"}},
		{"an unknown preset", []string{"--preset", "abacus"}, []string{"--preset abacus: want one of small-gpu, large-gpu, hosted"}},
		{"a preset for somebody else's server", append(here, "--preset", "hosted"), []string{"--preset hosted: want no --url with it"}},
		{"an unknown theme", []string{"--theme", "nope"}, []string{"--theme nope: no theme \"nope\" (there are ansi,"}},
		{"a broken theme", []string{"--theme", broken}, []string{"broken.toml:3", "accent"}},
		{"an unknown colour depth", []string{"--color", "pink"}, []string{"--color pink: want one of auto, true, 256, 16, none"}},
		{"too many frames", []string{"--fps", "99"}, []string{"--fps 99: want a whole number from 0 to 30"}},
		{"a window that is none of them", []string{"--window", "7m"}, []string{"--window 7m: want one of 30s, 1m, 2m, 5m, 15m"}},
		{"waiting where there is no key", []string{"--paused"}, []string{"--paused: want a terminal with it"}},
		{"a URL without scheme", []string{"--url", "gpu-7:8000"}, []string{"--url gpu-7:8000: want http:// or https:// and a host"}},
		{"a URL without host", []string{"--url", "http:///v1"}, []string{"--url http:///v1: want http:// or https:// and a host"}},
		{"an empty URL", []string{"--url", ""}, []string{`--url "": want http:// or https:// and a host`}},
		{"a model without a server", []string{"--model", "m"}, []string{"--model m: want --url with it"}},
		{"a key without a server", []string{"--api-key-env", "K"}, []string{"--api-key-env K: want --url with it"}},
		{"a variable that is not set", append(here, "--api-key-env", "NOT_SET"), []string{"--api-key-env NOT_SET: want the name of a variable that is set"}},
		{"a key file that is not there", append(here, "--api-key-file", dir+"/none"), []string{"/none: want a file that can be read (no such file or directory)"}},
		{"an empty key file", append(here, "--api-key-file", empty), []string{"/empty: want a file that is not empty"}},
		{"a key file that is a folder", append(here, "--api-key-file", dir), []string{"want a file that can be read (is a directory)"}},
		{"two sources of the key", append(here, "--api-key-file", empty, "--api-key-env", "K"), []string{"want one source of the key"}},
		{"an unknown protocol", []string{"--api", "grpc"}, []string{"--api grpc: want one of chat, completions, responses, anthropic"}},
		{"transport without a server", []string{"--http2"}, []string{"--http2: want --url with it"}},
		{"certificates without a server", []string{"--insecure", "--ca-file", ca}, []string{"--insecure: want --url with it", "--ca-file " + ca + ": want --url with it"}},
		{"certificates for a plain URL", append(here, "--ca-file", ca), []string{"--ca-file " + ca + ": want an https:// URL with it"}},
		{"no certificate in the file", append(secured, "--ca-file", empty+"2"), []string{"empty2: want a PEM file with at least one certificate"}},
		{"trust in all and in some", append(secured, "--insecure", "--ca-file", ca), []string{"--insecure: want no --ca-file with it"}},
		{"a certificate without its key", append(secured, "--client-cert", ca), []string{"--client-cert " + ca + ": want --client-key with it"}},
		{"a key without its certificate", append(secured, "--client-key", key), []string{"--client-key " + key + ": want --client-cert with it"}},
		{"a key of another certificate", append(secured, "--client-cert", ca, "--client-key", other), []string{"--client-key " + other + ": want the key of the certificate in " + ca}},
		{"files the wrong way round", append(secured, "--client-cert", key, "--client-key", ca), []string{
			"--client-cert " + key + ": want a PEM file with a certificate", "--client-key " + ca + ": want a PEM file with a private key"}},
		{"a header without a colon", []string{"-H", "Bearer sk-0123456789"}, []string{"--header ***: want 'NAME: VALUE'"}},
		{"a header with a blank in its name", []string{"-H", "Authorization Bearer sk-0123456789:x"}, []string{"--header ***: want 'NAME: VALUE'"}},
		{"a header that is redline's own", []string{"-H", "accept-encoding: gzip"}, []string{"--header Accept-Encoding: want another header"}},
		{"a header of two lines", []string{"-H", "X-A: sk-0123456789\r\nX-B: 2"}, []string{"--header X-A: want a value without line ends"}},
		{"a header twice", []string{"-H", "X-A: sk-0123456789", "-H", "x-a: 2"}, []string{"--header X-A: want each header once"}},
		{"a header from no file", []string{"-H", "X-A: @"}, []string{"--header X-A: want the path of a file behind @"}},
		{"a header from a file that is not there", []string{"-H", "X-A: @" + dir + "/none"}, []string{"--header X-A: @" + dir + "/none: want a file that can be read"}},
		{"a header from a file of two lines", []string{"-H", "X-A: @" + empty + "2"}, []string{"want a file with one line"}},
		{"two sources of the key in headers", append(here, "-H", "Authorization: Bearer sk-0123456789", "--api-key-env", "NOT_SET"), []string{"--header Authorization: want one source of the key"}},
		{"and in those of Anthropic", append(here, "--api", "anthropic", "-H", "x-api-key: sk-0123456789", "--api-key-file", empty), []string{"--header X-Api-Key: want one source of the key"}},
		{"a field without a value", []string{"--body", "sk-0123456789"}, []string{"--body ***: want KEY=JSON"}},
		{"an object in place of a field", []string{"--body", `{"api_key": "sk-0123456789=="}`}, []string{"--body ***: want KEY=JSON"}},
		{"a bare word", []string{"--body", "api_key=sk-0123456789"}, []string{`--body api_key: want JSON as its value; a text needs quotes of its own, as in --body 'api_key="text"'`}},
		{"two values", []string{"--body", "top_p=1 2"}, []string{"--body top_p: want JSON"}},
		{"a field twice", []string{"--body", "a.b=1", "--body", "a.b=2"}, []string{"--body a.b: want each field once; a.b has a value already"}},
		{"a field in what is no object", []string{"--body", "a=1", "--body", "a.b=2"}, []string{"--body a.b: want each field once; a has a value already"}},
		{"a field that is redline's own", []string{"--body", "stream=false"}, []string{"--body stream: want another field; redline measures streams"}},
		{"a field that budgets rest on", []string{"--body", "max_tokens=9"}, []string{"--body max_tokens: want another field; --max-tokens sets it"}},
		{"a share above the bound", []string{"--quota-reserve", "95%"}, []string{"--quota-reserve 95%: want 0% to 90%, as in 30% or 0.3"}},
		{"a share that forgot its sign", []string{"--quota-reserve", "30"}, []string{"--quota-reserve 30: want 0% to 90%"}},
		{"another answer to a 429", []string{"--on-429", "panic"}, []string{"--on-429 panic: want one of hold, pause"}},
		{"a part longer than the whole", []string{"--timeout", "1s", "--idle-timeout", "2s"}, []string{"--idle-timeout 2s: want at most 1s, the value of --timeout"}},
	} {
		_, _, found := checked(t, nil, row.args...)
		if len(found) != len(row.want) && len(row.want) != 2 {
			t.Errorf("%s: %d problems, want %d: %v", row.sentence, len(found), len(row.want), found)
		}
		if text := strings.Join(found, "\n"); strings.Contains(text, "sk-01") {
			t.Errorf("%s: a value is shown: %s", row.sentence, text)
		}
		for _, want := range row.want {
			if !strings.Contains(strings.Join(found, "\n"), want) {
				t.Errorf("%s: %v\nmisses %q", row.sentence, found, want)
			}
		}
	}
}

func TestAllProblemsAreToldAtOnceAndNothingStarts(t *testing.T) {
	m := start(t, nil, "-c", "x", "--max", "0", "--duration=-1s", "--preset", "abacus", "--theme", "nope", "--slo", "bad", "--price-in=-1")
	m.Simulator = []string{"/nonexistent/must-not-run"}
	if code := m.run(t); code != exitUsage {
		t.Errorf("exit code %d, want %d", code, exitUsage)
	}
	text := m.errs.String()
	for _, flag := range []string{"concurrency", "max", "duration", "preset", "theme", "slo", "price-in"} {
		if !strings.Contains(text, "\n  --"+flag+" ") {
			t.Errorf("--%s is missing in:\n%s", flag, text)
		}
	}
	if !strings.HasPrefix(text, "redline: 7 problems with the flags, nothing was started:\n") || m.out.String() != "" {
		t.Errorf("stderr:\n%s\nstdout:\n%s", text, m.out.String())
	}
}

func TestDefaultsFollowTheTarget(t *testing.T) {
	type want struct{ concurrency, step, max, budgetTokens int }
	for _, row := range []struct {
		sentence string
		args     []string
		want     want
		public   bool
	}{
		{"the simulated server begins with a load worth looking at", nil, want{8, 4, 256, 0}, false},
		{"even there the operator's word counts", []string{"-c", "2", "--step", "1"}, want{2, 1, 256, 0}, false},
		{"a small bound bounds the beginning", []string{"--max", "3"}, want{3, 4, 3, 0}, false},
		{"a server of one's own begins with one", []string{"--url", "http://gpu-7:8000"}, want{1, 1, 256, 0}, false},
		{"a public one is bounded, and so is the purse", []string{"--url", "https://api.example.com/v1"}, want{1, 1, 32, 1_000_000}, true},
		{"both bounds can be lifted", []string{"--url", "https://api.example.com/v1", "--max", "64", "--budget-tokens", "0"}, want{1, 1, 64, 0}, true},
	} {
		s, target, found := checked(t, nil, row.args...)
		if got := (want{s.concurrency, s.step, s.max, s.budgetTokens}); got != row.want || target.public != row.public || len(found) > 0 {
			t.Errorf("%s: got %+v, public %v, %v", row.sentence, got, target.public, found)
		}
	}
	if _, _, found := checked(t, nil, "--url", "https://api.example.com/v1", "-c", "40"); len(found) != 1 {
		t.Errorf("40 on a public host without --max: %v", found)
	}
}

func TestPromisesDefaultToTheChatScenario(t *testing.T) {
	s, _, _ := checked(t, nil)
	want := []bench.Threshold{
		{Metric: bench.TTFT, At: bench.P95, Limit: 2000}, {Metric: bench.TPS, At: bench.P5, Floor: true, Limit: 20},
		{Metric: bench.Errors, At: bench.Mean, Limit: 1},
	}
	if len(s.thresholds) != len(want) {
		t.Fatalf("got %v", s.thresholds)
	}
	for i := range want {
		if s.thresholds[i] != want[i] {
			t.Errorf("promise %d is %v, want %v", i, s.thresholds[i], want[i])
		}
	}
	if s, _, _ := checked(t, nil, "--slo", "itl.p95<=25ms"); len(s.thresholds) != 1 || s.thresholds[0].Metric != bench.ITL {
		t.Errorf("own promises stand in place of the defaults: %v", s.thresholds)
	}
	if s, _, _ := checked(t, nil, "--slo", "none"); len(s.thresholds) != 0 {
		t.Errorf("none is none: %v", s.thresholds)
	}
}

func TestPartsShrinkToTheWholeTimeout(t *testing.T) {
	s, _, found := checked(t, nil, "--timeout", "5s")
	if l := s.limits; l.connect != 5*time.Second || l.firstToken != 5*time.Second || l.idle != 5*time.Second || len(found) > 0 {
		t.Errorf("limits %+v, %v", l, found)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
