package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"redline/bench/workload"
)

// stranger writes a file into a folder that is the current one.
func stranger(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, fileName), text)
	return dir
}

func TestAFileOfTheCurrentFolderCanDoNoHarm(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	writeFile(t, secret, "root:hunter2\n")
	env := map[string]string{"OPENAI_API_KEY": testKey, "K": testKey}
	evil := "[targets.evil]\nurl = \"http://10.0.0.66/v1\"\n"
	for _, row := range []struct {
		sentence, file string
		args           []string
		want           string
	}{
		{"it chooses no URL", `url = "http://evil.example/v1"`, nil, "redline.toml:1: url: want it in a file that you have named"},
		{"it chooses no target", "target = \"evil\"\n" + evil, nil, "redline.toml:1: target: want it in a file"},
		{"it names no key", "api-key-env = \"OPENAI_API_KEY\"", []string{"--url", "http://10.0.0.1"}, "redline.toml:1: api-key-env: want it in a file"},
		{"nor in a target", evil + `api-key-env = "K"`, []string{"--target", "evil"}, "redline.toml:3: targets.evil.api-key-env: want it in a file"},
		{"nor a file with one", evil + `api-key-file = "` + secret + `"`, nil, "targets.evil.api-key-file: want it in a file"},
		{"nor a header from a file", evil + `header = { X-A = "@` + secret + `" }`, nil, "targets.evil.header: want no file as its value"},
		{"nor a certificate", evil + `client-cert = "` + secret + `"`, nil, "targets.evil.client-cert: want it in a file"},
		{"its host gets no key of the command line", evil, []string{"--target", "evil", "--api-key-env", "K"}, "--api-key-env K: want a host that you have named"},
		{"nor one of a header", evil, []string{"--target", "evil", "-H", "Authorization: Bearer x"}, "--header Authorization: want a host that you have named"},
		{"it makes nobody believe any certificate", "insecure = true", []string{"--url", "https://10.0.0.1"}, "insecure: want it in a file that you have named"},
		{"nor by passing a proxy", "no-proxy = true", []string{"--url", "https://10.0.0.1"}, "no-proxy: want it in a file"},
		{"it raises no bound", "max = 20000", nil, "redline.toml:1: max: want it in a file that you have named: one that was found in the current folder may say nothing of what a run may cost"},
		{"nor that of the rate", "max-rate = 20000", nil, "max-rate: want it in a file"},
		{"nor a budget", "budget-tokens = 0", nil, "budget-tokens: want it in a file"},
		{"nor makes money cheap", "price-in = 0.0001", nil, "price-in: want it in a file"},
		{"nor lets a run go on alone", "unattended = true", nil, "unattended: want it in a file"},
		{"nor in a target", evil + "max = 9999", nil, "targets.evil.max: want it in a file"},
		{"it changes no request to a host that was named", "body = { service_tier = \"priority\" }", []string{"--url", "http://10.0.0.1"}, "body: want it in a file"},
		{"nor the model", "model = \"dear\"", []string{"--url", "http://10.0.0.1"}, "model: want it in a file"},
		{"it sends nothing", `workload = "in=1000000"`, nil, "workload: want it in a file that you have named: one that was found in the current folder may say nothing of what a run may cost"},
		{"nor longer prompts", "input-tokens = 1000000", nil, "input-tokens: want it in a file"},
		{"nor longer answers", "output-tokens = 1000000", nil, "output-tokens: want it in a file"},
		{"nor by another scenario", `scenario = "report"`, nil, "scenario: want it in a file"},
		{"nor by a profile", `profile = "256:24h"`, nil, "profile: want it in a file"},
		{"nor at a rate", "rate = 0.1", nil, "rate: want it in a file"},
		{"nor in bursts", `arrivals = "gamma:0.01"`, nil, "arrivals: want it in a file"},
		{"nor before the measuring", "warmup = 1000", nil, "warmup: want it in a file"},
		{"nor with a longer step of a key", "step = 20000", nil, "step: want it in a file"},
		{"nor faster than answers come", `first-token-timeout = "1ms"`, nil, "first-token-timeout: want it in a file"},
		{"nor with nobody there", "plain = true", nil, "plain: want nothing looser than it is without this file"},
		{"it says not where runs are kept", `record = "/tmp/run"`, nil, "record: want it in a file that you have named: one that was found in the current folder may say nothing of where runs are kept"},
		{"nor that none is", `record = "off"`, nil, "record: want it in a file"},
		{"nor removes any", `keep = "1MB"`, nil, "keep: want it in a file"},
		{"nor keeps what was asked", "record-text = true", nil, "record-text: want it in a file"},
		{"nor more than one at a time", "concurrency = 2", nil, "concurrency: want nothing looser"},
		{"nor in a target", evil + "concurrency = 2", nil, "targets.evil.concurrency: want nothing looser"},
		{"it bounds answers where nobody does, which may be higher than a scenario's", "max-tokens = 5", nil, "max-tokens: want nothing looser"},
		{"it sends no file of another folder", "[workloads.w]\nfile = \"/etc/passwd\"", []string{"--workload", "w"}, "workloads.w.file: want a path within the folder"},
		{"nor by a way around", "[workloads.w]\nfile = \"../x/secret\"", []string{"--workload", "w"}, "workloads.w.file: want a path within the folder"},
		{"nor by a link", "[workloads.w]\nfile = \"link\"", nil, "workloads.w.file: want a path within the folder"},
		{"nor reads one for lengths", "[workloads.w]\nin = \"hist(1:1)\"\nout = \"hist(/etc/passwd)\"", nil, "redline.toml:3: workloads.w.out: want a path within the folder"},
		{"nor where it looks like numbers", "[workloads.w]\nin = \"hist(nan,/../../../../../../etc/passwd)\"", nil, "workloads.w.in: want a path within the folder"},
		{"nor in a scenario", "[scenarios.s]\noutput-tokens = \"hist(/etc/passwd)\"", nil, "scenarios.s.output-tokens: want a path within the folder"},
		{"nor is a word taken for its own", "[workloads.synthetic]\nin = 1000000", nil, "workloads.synthetic: want another name; this one is built in"},
		{"it saves nothing elsewhere", `save-dir = "/tmp"`, nil, "redline.toml:1: save-dir: want a path within the folder"},
		{"nor by a way around", `save-dir = "../x"`, nil, "save-dir: want a path within the folder"},
		{"nor for a theme", `theme = "../x.toml"`, nil, "theme: want the name of a theme"},
		{"nor by a theme of its own, which may inherit any", `theme = "x.toml"`, nil, "theme: want the name of a theme"},
		{"it is not read to its end, however long it is", strings.Repeat("#\n", 200_000), nil, "redline.toml:1: not read: want a file of at most 262144 bytes"},
	} {
		dir := stranger(t, row.file)
		if err := os.Symlink(secret, filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
		m := start(t, env)
		m.Folder = dir
		m.Args = append([]string{"--plain"}, row.args...)
		m.Simulator = []string{"/nonexistent/must-not-run"}
		code := m.run(t)
		text := strings.ReplaceAll(m.errs.String(), dir+string(filepath.Separator), "")
		if code != exitUsage || !strings.Contains(text, row.want) || m.out.String() != "" {
			t.Errorf("%s: exit code %d\n%s\nwant %q", row.sentence, code, text, row.want)
		}
		if strings.Contains(text, testKey) || strings.Contains(text, "hunter2") {
			t.Errorf("%s: a secret is shown:\n%s", row.sentence, text)
		}
	}
}

func TestWhatAFileOfTheCurrentFolderDescribesCanBeChosen(t *testing.T) {
	dir := stranger(t, "slo = \"none\"\nduration = \"5m\"\n[workloads.w]\nfile = \"data.jsonl\"\n[scenarios.s]\nmax-tokens = 9\n[profiles.p]\nstages = \"3:1m\"\n[targets.lab]\nurl = \"http://10.0.0.66/v1\"\nmodel = \"m\"\nheader = { X-Team = \"a\" }\n")
	writeFile(t, filepath.Join(dir, "data.jsonl"), "{\"prompt\":\"hello\"}\n")
	env := map[string]string{"OPENAI_API_KEY": testKey}
	s, r, found := resolved(t, dir, env, "--target", "lab", "--workload", "w", "--scenario", "s", "--profile", "p")
	if len(found) > 0 || s.specs[0].File != filepath.Join(dir, "data.jsonl") || s.maxTokens != 9 || s.plan == nil || s.model != "m" || len(s.thresholds) != 0 || len(s.headers) != 1 {
		t.Errorf("%+v, %v", s, found)
	}
	if notes := strings.Join(r.notes, "\n"); !strings.Contains(notes, "of the current folder says duration, header, model, slo, url") {
		t.Errorf("notes %q", notes)
	}
	m := start(t, env)
	m.Folder = dir
	fresh, found2 := defaults(), problems{from: origins{"url": {source: fromFile, name: "redline.toml", stranger: true}}}
	fresh.url = "http://10.0.0.66/v1"
	if to := m.checkTarget(t.Context(), &fresh, &found2); !to.key.Empty() || !strings.Contains(to.keyNote, "OPENAI_API_KEY is set, but not sent: the host stands in redline.toml") {
		t.Errorf("the environment's key: %v, %q", !to.key.Empty(), to.keyNote)
	}
	// The same file, named, is the operator's own.
	if _, r, found := resolved(t, dir, env, "--config", filepath.Join(dir, fileName), "--target", "lab"); r.file.stranger || len(found) > 0 {
		t.Errorf("named: %v", found)
	}
}

func TestAFileOfTheCurrentFolderOnlyMakesBoundsStricter(t *testing.T) {
	mine := "max-tokens = 64\nconcurrency = 8\nquota-reserve = \"50%\"\nduration = \"1m\"\nrequests = 100\non-429 = \"pause\"\npaused = true\nslo = [\"rpm<=60\"]\n"
	for _, row := range []struct{ sentence, own, file, refused string }{
		{"longer answers", mine, "max-tokens = 100000", "max-tokens"},
		{"shorter answers", mine, "max-tokens = 32", ""},
		{"as long ones", mine, "max-tokens = 64", ""},
		{"more in flight", mine, "concurrency = 9", "concurrency"},
		{"fewer in flight", mine, "concurrency = 4", ""},
		{"in flight in place of a rate", "rate = 0.1", "concurrency = 1", "concurrency"},
		{"in flight in place of a profile", `profile = "1:1m"`, "concurrency = 1", "concurrency"},
		{"less left to others", mine, `quota-reserve = "0%"`, "quota-reserve"},
		{"more left to others", mine, "quota-reserve = 0.6", ""},
		{"a longer run", mine, `duration = "24h"`, "duration"},
		{"a run without end", mine, `duration = "0s"`, "duration"},
		{"a shorter run", mine, `duration = "30s"`, ""},
		{"an end where there was none", "", `duration = "24h"`, ""},
		{"more requests", mine, "requests = 1000000", "requests"},
		{"no bound of them", mine, "requests = 0", "requests"},
		{"fewer requests", mine, "requests = 5", ""},
		{"going on after a 429", mine, `on-429 = "hold"`, "on-429"},
		{"what is so anyway", "", `on-429 = "hold"`, ""},
		{"pausing after a 429", "", `on-429 = "pause"`, ""},
		{"not waiting for the operator", mine, "paused = false", "paused"},
		{"promises in the place of a quota", mine, `slo = ["ttft.p95<=1s"]`, "slo"},
		{"no promises in the place of one", mine, `slo = "none"`, "slo"},
		{"another quota", mine, `slo = ["rpm<=6000"]`, "slo"},
		{"promises in the place of a scenario's quota", "[scenarios.s]\nslo = [\"tpm<=100\"]", `slo = "none"`, "slo"},
		{"promises in the place of promises", `slo = ["ttft.p95<=1s"]`, `slo = ["ttft.p95<=2s"]`, ""},
		{"a quota where there was none", "", `slo = ["rpm<=60"]`, ""},
		{"a bound in a target", mine, "[targets.a]\nurl = \"http://10.0.0.1\"\nmax-tokens = 65", "targets.a.max-tokens"},
		{"nothing that can be read", mine, `duration = "soon"`, ""},
	} {
		dir := stranger(t, row.file)
		_, _, found := resolved(t, dir, own(t, row.own))
		text := strings.ReplaceAll(strings.Join(found, "\n"), dir+string(filepath.Separator), "")
		why := ": " + row.refused + ": want "
		if refused := strings.Contains(text, "without this file") || strings.Contains(text, "your own has a quota"); refused != (row.refused != "") || refused && !strings.Contains(text, why) {
			t.Errorf("%s: %s", row.sentence, text)
		}
	}
}

func TestTheFilesOfAWorkloadAreReadAgainstTheFolderOfTheSettings(t *testing.T) {
	for _, row := range []struct{ sentence, key, text, want string }{
		{"letters that stand elsewhere too", "input-tokens", "hist(s)", "hist(/x/s)"},
		{"an absolute path", "output-tokens", "hist(/y/s)", "hist(/y/s)"},
		{"numbers", "input-tokens", "hist(1:1,2:3)", "hist(1:1,2:3)"},
		{"letters whose small form is longer", "input-tokens", "hist(ȺȺȺȺȺȺȺȺȺȺ)", "hist(/x/ȺȺȺȺȺȺȺȺȺȺ)"},
		{"two of them", "workload", "in=hist(a.txt),out=hist(b.txt)", "synthetic,in=hist(/x/a.txt),out=hist(/x/b.txt)"},
		{"a data set with lengths", "workload", "w=d.jsonl,out=hist(b.txt)", "w=/x/d.jsonl,out=hist(/x/b.txt)"},
		{"none at all", "workload", "in=5", "in=5"},
		{"no workload", "workload", "in=hist(", "in=hist("},
	} {
		d := &document{path: "/x/redline.toml", folder: "/x"}
		if got := d.resolved(row.key, row.text, ""); got != row.want {
			t.Errorf("%s: %s became %s, want %s", row.sentence, row.text, got, row.want)
		}
	}
	here := &document{path: "redline.toml", folder: "."}
	if got := here.resolved("input-tokens", "hist(./12)", ""); got != "hist(./12)" {
		t.Errorf("a file whose name is a number became %s", got)
	}
}

func FuzzThePathsOfAStrangersFileStayInItsFolder(f *testing.F) {
	for _, text := range []string{"hist(ȺȺȺȺȺȺȺȺȺȺ)", "in=hist(1:1),out=hist(/etc/passwd)", "in=hist(nan,/../../etc/passwd)", "a.jsonl", "\"a,b\",out=hist(c)"} {
		f.Add(text)
	}
	mine, theirs := &document{path: "/x/redline.toml", folder: "/x"}, &document{path: "/x/redline.toml", folder: "/x", stranger: true}
	f.Fuzz(func(t *testing.T, text string) {
		mine.resolved("workload", text, "")
		mine.resolved("input-tokens", text, "")
		spec, err := workload.Parse(text)
		if err != nil || !theirs.place(&spec) {
			return
		}
		for _, path := range spec.Files() {
			if !strings.HasPrefix(*path, "/x/") && *path != "/x" {
				t.Errorf("%q leads to %q", text, *path)
			}
		}
	})
}
