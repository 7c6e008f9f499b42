package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

var commented = regexp.MustCompile(`^# (\[[a-z]+(\.[a-z]+)?\]|[a-z0-9-]+ = .*)$`)

// TestEveryLineOfTheTemplateIsValid: each commented setting, made one, is read without a problem, and every flag has one.
func TestEveryLineOfTheTemplateIsValid(t *testing.T) {
	lines := strings.Split(template(), "\n")
	table, known := "", map[string]bool{}
	var whole []string
	for i, line := range lines {
		if !commented.MatchString(line) {
			continue
		}
		line = strings.TrimPrefix(line, "# ")
		whole = append(whole, line)
		if strings.HasPrefix(line, "[") {
			table = line + "\nurl = \"http://10.0.0.1/v1\"\n"
			if !strings.HasPrefix(line, "[targets") {
				table = line + "\n"
			}
			continue
		}
		key, _, _ := strings.Cut(line, " ")
		text := table + line + "\n"
		if key == "url" && table != "" {
			text = strings.SplitAfter(table, "\n")[0] + line + "\n"
		}
		if strings.HasPrefix(table, "[workloads") && key != "in" {
			text = table + "in = 900\n" + line + "\n" // A prefix is a part of something.
		}
		if table == "" {
			known[key] = true
		}
		if found := reviewed(text); len(found) > 0 {
			t.Errorf("line %d, %s: %v", i+1, line, found)
		}
	}
	scratchFlags(&problems{}).VisitAll(func(f *pflag.Flag) {
		if !known[f.Name] && f.Name != "config" && f.Name != "targets" {
			t.Errorf("%s is missing", f.Name)
		}
	})
	if found := reviewed(template()); len(found) > 0 {
		t.Errorf("as it is: %v", found)
	}
	if found := reviewed(strings.Join(whole, "\n")); len(found) > 0 {
		t.Errorf("all of it: %v", found)
	}
}

func TestInitWritesAFileOnceAndNeverOverOne(t *testing.T) {
	dir := t.TempDir()
	env := map[string]string{"XDG_CONFIG_HOME": dir}
	path := filepath.Join(dir, "redline", fileName)
	o := start(t, env, "init")
	if code := o.run(t); code != exitOK || o.out.String() != path+"\n" {
		t.Fatalf("exit code %d, %q, %s", code, o.out.String(), o.errs.String())
	}
	data, err := os.ReadFile(path)
	if err != nil || string(data) != template() {
		t.Errorf("%v, %d bytes", err, len(data))
	}
	writeFile(t, path, "step = 9\n")
	o = start(t, env, "init")
	if code := o.run(t); code != exitUsage || !strings.Contains(o.errs.String(), "init "+path+": want another path, as in redline init ./redline.toml; this file is there") {
		t.Errorf("exit code %d, %s", code, o.errs.String())
	}
	if data, _ := os.ReadFile(path); string(data) != "step = 9\n" {
		t.Errorf("it was written over: %q", data)
	}
	t.Chdir(dir)
	writeFile(t, filepath.Join(dir, fileName), "")
	if o := start(t, env, "init", "./"+fileName); o.run(t) != exitUsage || !strings.Contains(o.errs.String(), "init ./redline.toml: want another path, as in redline init ./other.toml") {
		t.Errorf("the offered path is there: %s", o.errs.String())
	}
	if o := start(t, nil, "init"); o.run(t) != exitUsage || !strings.Contains(o.errs.String(), "want a PATH") {
		t.Errorf("no folder: %s", o.errs.String())
	}
}

func TestConfigTellsWhatIsInForceAndWhereItComesFrom(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "redline.toml"), `target = "lab"
duration = "5m"
scenario = "voice"
budget = 5

[targets.lab]
url = "https://llm.example.com/v1"
model = "qwen"
api-key-env = "LAB_KEY"
header = { X-Team = "search", Authorization = "" }
price-in = 0.15
price-out = 0.6

[scenarios.voice]
max-tokens = 99
slo = "ttft.p95<=400ms"

[keys]
raise = ["+", "kp+", "ctrl+up"]
lock = []
`)
	writeFile(t, filepath.Join(dir, "token"), testKey)
	m := start(t, map[string]string{"LAB_KEY": testKey, "REDLINE_MAX": "64", "REDLINE_CONFIG": filepath.Join(dir, "redline.toml")}, "config", "--rate", "150/m", "-H", "X-Token: @"+filepath.Join(dir, "token"))
	if code := m.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, m.errs.String())
	}
	clean(t, m)
	// How far columns are apart depends on the length of the folder's name.
	text := regexp.MustCompile(`(\S)  +`).ReplaceAllString(m.out.String(), "$1  ")
	golden(t, "config.txt", strings.ReplaceAll(text, dir+string(filepath.Separator), ""))
}

func TestConfigTellsProblemsToo(t *testing.T) {
	m := start(t, nil, "config", "--rate", "fast")
	if code := m.run(t); code != exitUsage || !strings.Contains(m.errs.String(), "--rate fast: want") || !strings.Contains(m.out.String(), "max-rate") {
		t.Errorf("exit code %d\n%s", code, m.errs.String())
	}
}

func TestTheShellIsToldWhatTheFileHas(t *testing.T) {
	env := own(t, "[targets.lab]\nurl = \"http://10.0.0.1\"\n[workloads.mail]\nin = 5\n[scenarios.voice]\nmax-tokens = 9\n[profiles.evening]\nstages = \"1:1s\"\n")
	for _, row := range [][3]string{
		{"--target", "", "lab\n"}, {"--workload", "ma", "mail\n"}, {"--scenario", "", "voice\n"}, {"--scenario", "se", "search\n"}, {"--profile", "eve", "evening\n"},
		{"--arrivals", "ga", "gamma:0.5\n"}, {"--rate", "15", "150/m\n"}, {"--input-tokens", "log", "lognormal(512,0.6)\n"},
	} {
		for _, verb := range [][]string{{"__complete"}, {"__complete", "config"}} {
			o := start(t, env, slices.Concat(verb, row[:2])...)
			o.Folder = t.TempDir()
			if o.run(t); !strings.Contains(o.out.String(), row[2]) {
				t.Errorf("%v %v: %q", verb, row, o.out.String())
			}
		}
	}
}

func TestARunTakesItsSettingsFromAFile(t *testing.T) {
	url := simulated(t, nil)
	env := own(t, "target = \"here\"\nrequests = 6\nwarmup = 2\nworkload = [\"mail\", \"synthetic,in=20\"]\nscenario = \"voice\"\n[targets.here]\nurl = \""+url+"\"\n"+
		"[workloads.mail]\nin = \"10..40\"\nmax = 12\n[scenarios.voice]\nslo = \"errors<=1%\"\naim = \"rpm\"\n")
	o := start(t, env, "--plain")
	o.Folder = t.TempDir()
	if code := o.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, o.errs.String())
	}
	clean(t, o)
	for _, want := range []string{"warm-up   2 of 2 requests before the measuring", "scenario  voice, which is about RPM", "workload  mail: ", "\n          synthetic: ", "(errors<=1%)"} {
		if !strings.Contains(o.out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, o.out.String())
		}
	}
}

func TestARunAtARateTellsOfItsArrivals(t *testing.T) {
	url := simulated(t, nil)
	o := start(t, map[string]string{"REDLINE_ARRIVALS": "constant"}, small(url, "--rate", "20", "--max", "64", "--requests", "30")...)
	if code := o.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, o.errs.String())
	}
	clean(t, o)
	for _, want := range []string{"event start load 20/s\n", " load=20/s ", "arrivals  open loop, constant, at most 64 in flight"} {
		if !strings.Contains(o.out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, o.out.String())
		}
	}
}

func TestARunEndsWithItsProfile(t *testing.T) {
	url := simulated(t, nil)
	o := start(t, nil, small(url, "--profile", "1:1s, 3:2s")...)
	if code := o.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, o.errs.String())
	}
	for _, want := range []string{"event profile 1:1s, 3:2s is over, load 3\n", ", the profile is over\n", "profile   1:1s, 3:2s, to its end after 3s\n"} {
		if !strings.Contains(o.out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, o.out.String())
		}
	}
}

func TestARunEndsWithItsWorkload(t *testing.T) {
	url := simulated(t, nil)
	file := filepath.Join(t.TempDir(), "questions.jsonl")
	writeFile(t, file, "{\"prompt\":\"one\"}\n{\"prompt\":\"two\"}\n{\"nothing\":1}\n{\"prompt\":\"three\"}\n")
	o := start(t, nil, "--url", url, "--workload", file+",once,max=8", "-c", "2")
	if code := o.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, o.errs.String())
	}
	clean(t, o)
	for _, want := range []string{"requests  3 sent: 3 ok", "workload  questions: ", " rows left out: "} {
		if !strings.Contains(o.out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, o.out.String())
		}
	}
}
