package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// resolved reads flags, environment and the files of a folder as a run does, without starting anything.
func resolved(t *testing.T, folder string, env map[string]string, args ...string) (*settings, *resolution, []string) {
	t.Helper()
	m := start(t, env)
	m.Folder = folder
	s, found := defaults(), problems{}
	fs := pflag.NewFlagSet("redline", pflag.ContinueOnError)
	s.define(flags{fs, &found})
	if err := fs.Parse(args); err != nil {
		t.Fatalf("parse %q: %v", args, err)
	}
	r := m.resolve(t.Context(), &s, fs, &found)
	m.check(t.Context(), &s, r, &found)
	return &s, r, found.list
}

// own writes the operator's own file and returns the environment that leads to it.
func own(t *testing.T, text string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "redline"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "redline", fileName), text)
	return map[string]string{"XDG_CONFIG_HOME": dir}
}

func TestEachSourceWinsOverTheLesserOnes(t *testing.T) {
	const flag, variable, file, scenario = "701", "702", "703", "search"
	for _, row := range []struct {
		sentence                       string
		flag, variable, file, scenario bool
		want                           string
		from                           source
	}{
		{"nobody says anything but the usual scenario", false, false, false, false, "512", fromScenario},
		{"a scenario over the default", false, false, false, true, "256", fromScenario},
		{"a file over a scenario", false, false, true, true, file, fromFile},
		{"a file over the default", false, false, true, false, file, fromFile},
		{"the environment over a file", false, true, true, false, variable, fromEnvironment},
		{"the environment over a scenario", false, true, false, true, variable, fromEnvironment},
		{"the environment over the default", false, true, false, false, variable, fromEnvironment},
		{"a flag over the environment", true, true, false, false, flag, fromFlag},
		{"a flag over a file", true, false, true, false, flag, fromFlag},
		{"a flag over a scenario", true, false, false, true, flag, fromFlag},
		{"a flag over all", true, true, true, true, flag, fromFlag},
	} {
		env, args := map[string]string{}, []string{}
		if row.file {
			env = own(t, "max-tokens = "+file+"\n")
		}
		if row.variable {
			env["REDLINE_MAX_TOKENS"] = variable
		}
		if row.flag {
			args = append(args, "--max-tokens", flag)
		}
		if row.scenario {
			args = append(args, "--scenario", scenario)
		}
		s, r, found := resolved(t, t.TempDir(), env, args...)
		if got := r.flags.Lookup("max-tokens").Value.String(); got != row.want || r.found.from["max-tokens"].source != row.from || len(found) > 0 {
			t.Errorf("%s: %s from %v, want %s; %v", row.sentence, got, r.found.from["max-tokens"], row.want, found)
		}
		if s.specs[0].Max != s.maxTokens {
			t.Errorf("%s: prompts ask for at most %d", row.sentence, s.specs[0].Max)
		}
	}
}

func TestAGreaterSourceTakesThePlaceOfARival(t *testing.T) {
	const targets = "\n[targets.a]\nurl = \"http://10.0.0.1/v1\"\nmodel = \"a\"\nrate = 3\n[targets.b]\nurl = \"http://10.0.0.2/v1\"\n"
	for _, row := range []struct {
		sentence, file string
		env            map[string]string
		args           []string
		want           map[string]string
		problem        string
	}{
		{"-c over the file's rate", "rate = 2", nil, []string{"-c", "5"}, map[string]string{"concurrency": "5", "rate": ""}, ""},
		{"--rate over the file's load", "concurrency = 2", nil, []string{"--rate", "5"}, map[string]string{"rate": "5/s"}, ""},
		{"both of one source", "concurrency = 2\nrate = 3", nil, nil, nil, "redline.toml:2: rate: want no "},
		{"both flags", "", nil, []string{"-c", "2", "--rate", "3"}, nil, "--rate: want no --concurrency with it"},
		{"both variables", "", map[string]string{"REDLINE_RATE": "1", "REDLINE_CONCURRENCY": "2"}, nil, nil, "REDLINE_RATE: want no REDLINE_CONCURRENCY with it"},
		{"a workload over lengths of the file", "input-tokens = 9", nil, []string{"--workload", "synthetic,in=7"}, map[string]string{"input-tokens": ""}, ""},
		{"a URL over the file's target", "target = \"a\"" + targets, nil, []string{"--url", "http://10.0.0.9"}, map[string]string{"url": "http://10.0.0.9", "target": "", "model": ""}, ""},
		{"a target of the command line over the file's URL", "url = \"http://10.0.0.8\"" + targets, nil, []string{"--target", "a"}, map[string]string{"url": "http://10.0.0.1/v1", "model": "a"}, ""},
		{"a target of the environment over the file's", "target = \"a\"" + targets, map[string]string{"REDLINE_TARGET": "b"}, nil, map[string]string{"url": "http://10.0.0.2/v1", "model": ""}, ""},
		{"a target's table over the top of its file", "target = \"a\"\nconcurrency = 4" + targets, nil, nil, map[string]string{"rate": "3/s", "concurrency": "1"}, ""},
		{"a target and a URL", targets, nil, []string{"--target", "a", "--url", "http://10.0.0.9"}, nil, "--target: want no --url with it"},
		{"a target that is not there", targets, nil, []string{"--target", "c"}, nil, "--target c: want one of the file's targets: a, b"},
		{"a target without a file", "", map[string]string{"XDG_CONFIG_HOME": ""}, []string{"--target", "c"}, nil, "--target c: want a file of settings"},
		{"a preset over the file's target", "target = \"a\"" + targets, nil, []string{"--preset", "hosted"}, map[string]string{"url": "", "preset": "hosted"}, ""},
		{"a bound of the answers over the scenario's length", "max-tokens = 9", nil, nil, map[string]string{"max-tokens": "9", "output-tokens": ""}, ""},
		{"the simulator is driven whatever the file says of models", "model = \"m\"\nhttp2 = true\nca-file = \"/none\"", nil, nil, map[string]string{"model": "", "url": ""}, ""},
		{"and whatever the environment says", "", map[string]string{"REDLINE_MODEL": "m", "REDLINE_API_KEY_ENV": "K"}, nil, map[string]string{"model": "", "url": ""}, ""},
	} {
		env := own(t, row.file)
		for k, v := range row.env {
			env[k] = v
		}
		_, r, found := resolved(t, t.TempDir(), env, row.args...)
		if text := strings.Join(found, "\n"); row.problem == "" != (text == "") || !strings.Contains(text, row.problem) {
			t.Errorf("%s: problems %q, want %q", row.sentence, text, row.problem)
		}
		for flag, want := range row.want {
			if got := r.flags.Lookup(flag).Value.String(); got != want {
				t.Errorf("%s: %s is %q, want %q", row.sentence, flag, got, want)
			}
		}
	}
}

func TestTheFilesThatAreRead(t *testing.T) {
	here := t.TempDir()
	env := own(t, "step = 7\n")
	if s, _, found := resolved(t, here, env); s.step != 7 || len(found) > 0 {
		t.Errorf("one's own: step %d, %v", s.step, found)
	}
	writeFile(t, filepath.Join(here, fileName), "duration = \"9s\"\n")
	if s, r, found := resolved(t, here, env); s.step != 7 || s.duration.Seconds() != 9 || !r.file.stranger || len(found) > 0 {
		t.Errorf("that of the folder goes before it, and it stays beneath: step %d, duration %v, %v", s.step, s.duration, found)
	}
	named := filepath.Join(here, "other.toml")
	writeFile(t, named, "step = 9\n")
	if s, r, found := resolved(t, here, env, "--config", named); s.step != 9 || s.duration != 0 || r.file.stranger || len(found) > 0 {
		t.Errorf("one that is named: step %d, %v", s.step, found)
	}
	env["REDLINE_CONFIG"] = named
	if s, _, found := resolved(t, here, env); s.step != 9 || len(found) > 0 {
		t.Errorf("one that a variable names: step %d, %v", s.step, found)
	}
	if s, r, found := resolved(t, here, env, "--config", "none"); s.step != demoStep || r.file != nil || len(found) > 0 {
		t.Errorf("none: step %d, %v", s.step, found)
	}
	if _, _, found := resolved(t, here, env, "--config", named+"x"); len(found) != 1 || !strings.Contains(found[0], "want a file that can be read") {
		t.Errorf("one that is not there: %v", found)
	}
	writeFile(t, named, "")
	if _, _, found := resolved(t, here, env); len(found) > 0 {
		t.Errorf("an empty one: %v", found)
	}
}

func TestAKeyGoesToTheURLBesideIt(t *testing.T) {
	env := own(t, "api-key-env = \"K\"\nurl = \"http://10.0.0.1/v1\"\n[targets.a]\nurl = \"http://10.0.0.2/v1\"\n[targets.b]\nurl = \"http://10.0.0.3/v1\"\napi-key-env = \"B\"\n")
	env["K"], env["B"] = testKey, testKey+"B"
	for _, row := range []struct {
		sentence string
		args     []string
		key      string
	}{
		{"the url of the file", nil, "K"}, {"another url", []string{"--url", "http://10.0.0.9"}, ""}, {"a target without a key", []string{"--target", "a"}, ""},
		{"a target with its own", []string{"--target", "b"}, "B"}, {"a key of the command line", []string{"--target", "a", "--api-key-env", "B"}, "B"},
	} {
		s, r, found := resolved(t, t.TempDir(), env, row.args...)
		if s.keyEnv != row.key || len(found) > 0 {
			t.Errorf("%s: key %q, want %q; %v", row.sentence, s.keyEnv, row.key, found)
		}
		if notes := strings.Join(r.notes, "\n"); (row.key == "") != strings.Contains(notes, "api-key-env is not sent: it belongs to the url") {
			t.Errorf("%s: notes %q", row.sentence, notes)
		}
	}
}

// TestOnesOwnFileStaysInForceInAStrangersFolder: its bounds, and its targets, whatever a file that lies about says of the same.
func TestOnesOwnFileStaysInForceInAStrangersFolder(t *testing.T) {
	here := t.TempDir()
	writeFile(t, filepath.Join(here, fileName), "concurrency = 1\nslo = \"none\"\n[targets.prod]\nurl = \"http://10.0.0.66/v1\"\n[targets.lab]\nurl = \"http://10.0.0.67/v1\"\n")
	env := own(t, "max = 12\nconcurrency = 2\nbudget-tokens = 500\n[targets.prod]\nurl = \"http://10.0.0.1/v1\"\napi-key-env = \"K\"\n")
	env["K"] = testKey
	s, r, found := resolved(t, here, env, "--target", "prod")
	if s.url != "http://10.0.0.1/v1" || s.keyEnv != "K" || s.max != 12 || s.budgetTokens != 500 || s.concurrency != 1 || len(s.thresholds) > 0 || len(found) > 0 {
		t.Errorf("%+v, %v", s, found)
	}
	if r.found.from["url"].stranger || !r.found.from["concurrency"].stranger {
		t.Errorf("from %v", r.found.from)
	}
	if s, _, found := resolved(t, here, env, "--target", "lab"); s.url != "http://10.0.0.67/v1" || s.keyEnv != "" || s.max != 12 || len(found) > 0 {
		t.Errorf("%+v, %v", s, found)
	}
	if _, _, found := resolved(t, here, env, "--target", "prof"); len(found) != 1 || !strings.HasSuffix(found[0], ": prod, lab") {
		t.Errorf("%v", found)
	}
}
