package main

import (
	"encoding/json"

	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"redline/bench/report"
	"redline/bench/sim"
)

// headlessRun are flags of run that drive small requests, without a file of settings.
func headlessRun(url string, more ...string) []string {
	return append([]string{"run", "--config", "none"}, small(url, more...)...)
}

// calmly runs it to its end, and skips where this machine is so busy that the run says so by its own code.
func (o *outside) calmly(t *testing.T) int {
	t.Helper()
	code := o.run(t)
	if code == exitSaturated && strings.Contains(o.out.String()+o.errs.String(), "client saturated") {
		t.Skip("this machine is too busy")
	}
	return code
}

// object is a line of a stream, as far as tests look at it.
type object struct {
	Type, Schema, State, Because string
	Level                        any
	OfTarget                     *struct{ Letter, Name string } `json:"of_target"`
	Progress                     *float64                       `json:"progress_percent"`
	Outcome                      *report.Outcome
	Total                        struct {
		Sent     int
		OK       int
		Requests struct{ Sent, OK, Cancelled, Unfinished int }
	}
	Levels []struct{ Level int }
}

// objectsIn are the objects that a run wrote; every line has to be one.
func objectsIn(t *testing.T, text string) []object {
	t.Helper()
	var out []object
	for line := range strings.Lines(text) {
		var o object
		if err := json.Unmarshal([]byte(line), &o); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%v: %q", err, line)
		}
		out = append(out, o)
	}
	if len(out) == 0 || out[0].Type != "start" || out[0].Schema != report.StreamSchema {
		t.Fatalf("it does not begin with its schema:\n%s", text)
	}
	return out
}

func TestRunEndsWithWhatBecameOfThePromises(t *testing.T) {
	well := simulated(t, nil)
	limited, later := simulated(t, func(s *sim.Options) { s.RPM = 1 }), simulated(t, func(s *sim.Options) { s.RPM = 30 })
	for _, row := range []struct {
		sentence string
		args     []string
		code     int
		want     string
	}{
		{"all are kept", headlessRun(well, "-c", "4", "--requests", "120", "--slo", "ttft.p95<=20s", "--slo", "errors<=5%"), exitOK, "\nresult: held (exit code 0)\n"},
		{"one is broken", headlessRun(well, "-c", "4", "--requests", "120", "--slo", "ttft.p95<=0.001ms"), exitBroken, "\nresult: broken (exit code 1)\n- ttft.p95 "},
		{"too few requests to judge", headlessRun(well, "-c", "2", "--requests", "6", "--slo", "ttft.p95<=20s"), exitBroken, "\nresult: not judged (exit code 1)\n- ttft.p95<=20s was judged at no level: it takes 20 samples"},
		{"nothing to judge", headlessRun(well, "-c", "2", "--requests", "6", "--slo", "none"), exitOK, "\nresult: held (exit code 0)\n"},
		{"nothing succeeds", headlessRun(limited, "--duration", "1s", "--slo", "none"), exitUsage, "\nresult: nothing succeeded (exit code 2)\n- none of "},
		{"a budget is an end", headlessRun(well, "-c", "2", "--budget-tokens", "3000", "--slo", "none"), exitOK, "\nresult: held (exit code 0)\n"},
		{"a 429 that was to end the run", headlessRun(later, "-c", "2", "--duration", "60s", "--on-429", "pause", "--slo", "none"), exitUsage, "\nresult: ended early (exit code 2)\n- "},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			o := start(t, nil, row.args...)
			if code := o.calmly(t); code != row.code || !strings.Contains(o.out.String(), row.want) {
				t.Errorf("exit code %d, want %d and %q in\n%s\n%s", code, row.code, row.want, o.out.String(), o.errs.String())
			}
			clean(t, o)
		})
	}
}

func TestRunRefusesWhatItCannotDo(t *testing.T) {
	folder := t.TempDir()
	for args, want := range map[string]string{
		"":                            "run: want an end, as with --duration 1m",
		"--cruise ttft.p95":           "run: want an end",
		"--requests 5 --theme ansi":   "--theme: want none with run",
		"--requests 5 --paused":       "--paused: want none with run",
		"--requests 5 --json --plain": "--json: want no --plain with it",
		"--requests 5 --report " + folder + "/none/run.json":     "want a file in a folder that is there",
		"--requests 5 --report run.pdf":                          "--report run.pdf: want a name that ends with .txt, .md",
		"--requests 5 --summary-markdown " + folder:              "want a file, this is a folder",
		"--requests 5 --slo rpm<=1":                              "--slo rpm<=1: want a promise with it",
		"--ramp 8..4":                                            "--ramp 8..4: ",
		"--ramp 4..9999":                                         "--ramp 4..9999: want at most 256",
		"--ramp 4..8 --slo none":                                 "--ramp 4..8: want a promise",
		"--ramp 4..8 --profile 4:1m":                             "--ramp 4..8: want no --profile",
		"--requests 5 --url http://127.0.0.1:9 --model m --json": "nothing listens",
		"stray": "there is no stray; redline",
	} {
		o := start(t, nil, append([]string{"run", "--config", "none"}, strings.Fields(args)...)...)
		if args == "stray" {
			want = "stray"
		}
		if code := o.calmly(t); code != exitUsage || !strings.Contains(o.errs.String(), want) || o.out.String() != "" {
			t.Errorf("run %s ends with %d, stdout %q and %q, want %q", args, code, o.out.String(), o.errs.String(), want)
		}
	}
}

func TestRunTakesSettingsThatAreThereForOtherRuns(t *testing.T) {
	o := start(t, map[string]string{"REDLINE_THEME": "ansi", "REDLINE_REQUESTS": "4", "REDLINE_SLO": "none"}, headlessRun(simulated(t, nil))...)
	if code := o.calmly(t); code != exitOK || !strings.Contains(o.out.String(), "4 sent: 4 ok") {
		t.Errorf("exit code %d\n%s\n%s", code, o.out.String(), o.errs.String())
	}
}

func TestRunWritesALineForEachLevel(t *testing.T) {
	o := start(t, nil, headlessRun(simulated(t, nil), "--profile", "2:3s, 4:3s", "--slo", "ttft.p95<=20s", "--slo", "e2e.p95<=0.001ms")...)
	if code := o.calmly(t); code != exitBroken {
		t.Errorf("exit code %d\n%s", code, o.errs.String())
	}
	clean(t, o)
	text := o.out.String()
	lines, _, _ := strings.Cut(text, "\n\n")
	for i, want := range []string{" level=1/", " level=2/"} {
		rows := strings.Split(lines, "\n")
		if len(rows) != 2 || !strings.Contains(rows[i], want) {
			t.Fatalf("want two lines of levels:\n%s", text)
		}
		for _, field := range []string{" load=", " n=", " ttft.p95=", " itl.p50=", " tps.p5=", " rpm=", " tpm=", " errors=", " goodput=", " slo=ttft.p95<=20s:kept,e2e.p95<=0.001ms:broken"} {
			if !strings.Contains(rows[i], field) {
				t.Errorf("%q is missing in %s", field, rows[i])
			}
		}
	}
	quiet := start(t, nil, headlessRun(simulated(t, nil), "--requests", "4", "--slo", "none", "-q")...)
	if code := quiet.calmly(t); code != exitOK || strings.Contains(quiet.out.String(), "level=") || !strings.Contains(quiet.out.String(), "4 sent: 4 ok") {
		t.Errorf("quiet: exit code %d\n%s", code, quiet.out.String())
	}
	plain := start(t, nil, headlessRun(simulated(t, nil), "--requests", "4", "--slo", "none", "--plain")...)
	if code := plain.calmly(t); code != exitOK || !strings.Contains(plain.out.String(), " RUNNING level=") && !strings.Contains(plain.out.String(), "event start") {
		t.Errorf("plain: exit code %d\n%s", code, plain.out.String())
	}
}

func TestRunWritesObjectsAndNothingElse(t *testing.T) {
	o := start(t, nil, headlessRun(simulated(t, nil), "--profile", "2:2s, 4:2s", "--slo", "none", "--json")...)
	if code := o.calmly(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, o.errs.String())
	}
	clean(t, o)
	all := objectsIn(t, o.out.String())
	count := map[string]int{}
	before := -1.0
	for _, x := range all {
		count[x.Type]++
		if p := x.Progress; x.Type == "second" && (p == nil || *p < before || *p > 100) {
			t.Errorf("progress %v after %g", p, before)
		} else if x.Type == "second" {
			before = *p
		}
	}
	last := all[len(all)-1]
	if count["start"] != 1 || count["level"] != 2 || count["summary"] != 1 || count["second"] < 4 || last.Type != "summary" || before != 100 {
		t.Errorf("types %v, the last is %s, progress %g at the end", count, last.Type, before)
	}
	if last.Outcome == nil || last.Outcome.ExitCode != exitOK || last.Outcome.Word != "held" || len(last.Levels) != 2 || last.State != "done" {
		t.Errorf("the summary is %+v", last)
	}
	if !strings.Contains(o.errs.String(), "result: held (exit code 0)") {
		t.Errorf("no summary for people:\n%s", o.errs.String())
	}
	quiet := start(t, nil, headlessRun(simulated(t, nil), "--requests", "4", "--slo", "none", "--json", "-q")...)
	if code := quiet.calmly(t); code != exitOK || quiet.errs.String() != "" {
		t.Errorf("quiet: exit code %d, stderr %q", code, quiet.errs.String())
	}
}

func TestRunTellsWhatWasMeasuredWhenItIsEndedEarly(t *testing.T) {
	for _, row := range []struct {
		sentence string
		signals  []os.Signal
		code     int
		word     string
	}{
		{"an interrupt drains", []os.Signal{os.Interrupt}, exitInterrupted, "interrupted"},
		{"two do not wait", []os.Signal{os.Interrupt, os.Interrupt}, exitInterrupted, "interrupted"},
		{"a termination drains", []os.Signal{syscall.SIGTERM}, exitTerminated, "terminated"},
		{"a lost terminal too", []os.Signal{syscall.SIGHUP}, exitHungUp, "hung up"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "run.json")
			o := start(t, nil, headlessRun(simulated(t, nil), "-c", "4", "--duration", "60s", "--json", "--report", file)...)
			code := make(chan int)
			go func() { code <- o.run(t) }()
			o.out.await(t, `"at_s":2,`)
			for _, s := range row.signals {
				o.signals <- s
			}
			if got := <-code; got != row.code {
				t.Errorf("exit code %d, want %d\n%s", got, row.code, o.errs.String())
			}
			all := objectsIn(t, o.out.String())
			last := all[len(all)-1]
			r := last.Total.Requests
			if last.Type != "summary" || last.Outcome.Word != row.word || last.Outcome.ExitCode != row.code || len(last.Levels) != 1 || r.OK == 0 || r.Sent != r.OK+r.Cancelled+r.Unfinished {
				t.Errorf("%+v, %+v", last, last.Outcome)
			}
			if all[len(all)-2].Type != "second" || all[len(all)-3].Type != "level" {
				t.Errorf("it ends with %s, %s", all[len(all)-3].Type, all[len(all)-2].Type)
			}
			if data, err := os.ReadFile(file); err != nil || !json.Valid(data) {
				t.Errorf("the report: %v, %d bytes", err, len(data))
			}
		})
	}
}

func TestRunSendsNothingAfterItsEnd(t *testing.T) {
	var mu sync.Mutex
	var first, last time.Time
	chat := chatting(t, func() {
		mu.Lock()
		defer mu.Unlock()
		if last = time.Now(); first.IsZero() {
			first = last
		}
	})
	o := start(t, nil, headlessRun(chat, "--model", "m", "-c", "8", "--duration", "2s", "--slo", "none", "--json")...)
	if code := o.calmly(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, o.errs.String())
	}
	mu.Lock()
	defer mu.Unlock()
	// The first is of the preflight. What comes late at the server was sent before.
	if lasted := last.Sub(first); lasted > 2*time.Second+700*time.Millisecond {
		t.Errorf("requests came for %v", lasted)
	}
}

// chatting serves short answers, and tells of each request.
func chatting(t *testing.T, asked func()) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			http.NotFound(w, r)
			return
		}
		asked()
		w.Header().Set("Content-Type", "text/event-stream")
		for _, data := range []string{`{"choices":[{"index":0,"delta":{"content":"a"}}]}`, `{"choices":[{"index":0,"delta":{"content":" b"},"finish_reason":"stop"}]}`, "[DONE]"} {
			_, _ = w.Write([]byte("data: " + data + "\n\n"))
			w.(http.Flusher).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

func TestRunWhoseOutputIsGoneSaysSo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.md")
	for _, more := range [][]string{{"--json"}, {"--plain"}} {
		o := start(t, nil, headlessRun(simulated(t, nil), append(more, "--duration", "30s", "--summary-markdown", file)...)...)
		o.Stdout = deaf{}
		began := time.Now()
		if code := o.calmly(t); code != exitUsage || !strings.Contains(o.errs.String(), "broken pipe") || time.Since(began) > 15*time.Second {
			t.Errorf("%v: exit code %d after %v\n%s", more, code, time.Since(began), o.errs.String())
		}
	}
	if text, err := os.ReadFile(file); err != nil || strings.Count(string(text), "redline: not written (exit code 2)") != 2 {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestRunAppendsItsSummaryAndWritesReports(t *testing.T) {
	folder := t.TempDir()
	md, js := filepath.Join(folder, "summary"), filepath.Join(folder, "run.json")
	writeFile(t, md, "before\n")
	for range 2 {
		o := start(t, nil, headlessRun(simulated(t, nil), "-c", "4", "--requests", "100", "--slo", "ttft.p95<=0.001ms", "--summary-markdown", md, "--report", js, "--annotations", "--json")...)
		if code := o.calmly(t); code != exitBroken {
			t.Fatalf("exit code %d\n%s", code, o.errs.String())
		}
		if !strings.Contains(o.errs.String(), "\n::error title=redline broken::ttft.p95 ") || strings.Contains(o.out.String(), "::error") {
			t.Errorf("no annotation:\n%s", o.errs.String())
		}
	}
	text, err := os.ReadFile(md)
	if err != nil || !strings.HasPrefix(string(text), "before\n### ❌ redline: broken (exit code 1)\n\n- ttft.p95 ") || strings.Count(string(text), "### ❌") != 2 || strings.Count(string(text), "## Levels") != 2 {
		t.Errorf("%v\n%s", err, text)
	}
	if data, err := os.ReadFile(js); err != nil || !json.Valid(data) {
		t.Errorf("%v, %d bytes", err, len(data))
	}
	forms := map[string]string{"run.csv": "level", "run.html": "<svg", "run.txt": "requests  ", "run.md": "## Levels"}
	args := headlessRun(simulated(t, nil), "-c", "4", "--requests", "40", "--slo", "none")
	for name := range forms {
		args = append(args, "--report", filepath.Join(folder, name))
	}
	if code := start(t, nil, args...).calmly(t); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	for name, want := range forms {
		if data, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %v, %d bytes without %q", name, err, len(data), want)
		}
	}
	none := start(t, nil, headlessRun(simulated(t, nil), "--requests", "4", "--slo", "none", "--summary-markdown", "", "--annotations")...)
	if code := none.calmly(t); code != exitOK || none.errs.String() != "" {
		t.Errorf("an empty name is none, and what went well has no annotation: %d, %q", code, none.errs.String())
	}
}

func TestRunTellsTargetsApart(t *testing.T) {
	one, other := simulated(t, nil), simulated(t, func(s *sim.Options) { s.RPM = 1 })
	args := append(headlessRun(one, "--url", other, "--model", "redline-sim-7b", "-c", "4", "--duration", "3s", "--slo", "ttft.p95<=20s"), "--json")
	o := start(t, nil, args...)
	code := o.calmly(t)
	all := objectsIn(t, o.out.String())
	seen := map[string]int{}
	for _, x := range all[1 : len(all)-1] {
		if x.OfTarget == nil {
			t.Fatalf("whose is %+v", x)
		}
		seen[x.Type+" "+x.OfTarget.Letter]++
	}
	last := all[len(all)-1]
	if code != exitUsage || seen["second A"] < 3 || seen["second B"] < 3 || seen["level A"] == 0 || seen["level B"] == 0 {
		t.Errorf("exit code %d, %v\n%s", code, seen, o.errs.String())
	}
	if last.Outcome == nil || len(last.Outcome.Because) != 1 || !strings.HasPrefix(last.Outcome.Because[0], "B ") {
		t.Errorf("because %+v", last.Outcome)
	}
	lines := start(t, nil, headlessRun(one, "--url", simulated(t, nil), "--model", "redline-sim-7b", "-c", "4", "--duration", "3s", "--slo", "ttft.p95<=20s")...)
	if code := lines.calmly(t); code != exitOK || strings.Count(lines.out.String(), " level=1/") != 2 {
		t.Errorf("exit code %d\n%s", code, lines.out.String())
	}
}

func TestRunInPrivateNamesNobody(t *testing.T) {
	url := simulated(t, nil)
	folder := t.TempDir()
	md, js := filepath.Join(folder, "run.md"), filepath.Join(folder, "run.json")
	o := start(t, map[string]string{"K": testKey}, headlessRun(url, "-c", "4", "--requests", "40", "--slo", "none", "--private", "--json", "--api-key-env", "K", "--report", js, "--summary-markdown", md)...)
	if code := o.calmly(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, o.errs.String())
	}
	clean(t, o)
	host := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/v1")
	texts := map[string]string{"stdout": o.out.String(), "stderr": o.errs.String()}
	for _, path := range []string{md, js} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(data)
	}
	for where, text := range texts {
		if strings.Contains(text, host) || strings.Contains(text, testKey) {
			t.Errorf("%s names the host or the key:\n%s", where, text)
		}
	}
}

func TestEveryExitCodeOfRunIsInItsHelp(t *testing.T) {
	o := start(t, nil, "run", "--help")
	if code := o.calmly(t); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	for _, c := range runCodes {
		if !strings.Contains(o.out.String(), c.means) {
			t.Errorf("%d, %s, is not in the help", c.code, c.means)
		}
	}
	for _, name := range screenFlags {
		if strings.Contains(o.out.String(), "--"+name+" ") {
			t.Errorf("--%s, which means nothing here, is in the help", name)
		}
	}
}

func TestFilesThatCannotBeWrittenAreNoSuccess(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "run.json")
	o := start(t, nil, headlessRun(simulated(t, nil), "-c", "2", "--duration", "2s", "--slo", "none", "--json", "--report", path)...)
	code := make(chan int)
	go func() { code <- o.run(t) }()
	o.out.await(t, `"type":"second"`)
	// What was free when the run began is a folder when it ends.
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := <-code; got != exitUsage || !strings.Contains(o.errs.String(), "--report: open ") {
		t.Errorf("exit code %d\n%s", got, o.errs.String())
	}
}
