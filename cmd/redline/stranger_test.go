package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		{"nor makes money cheap", "price-input = 0.0001", nil, "price-input: want it in a file"},
		{"nor lets a run go on alone", "unattended = true", nil, "unattended: want it in a file"},
		{"nor in a target", evil + "max = 9999", nil, "targets.evil.max: want it in a file"},
		{"it changes no request to a host that was named", "body = { service_tier = \"priority\" }", []string{"--url", "http://10.0.0.1"}, "body: want it in a file"},
		{"nor the model", "model = \"dear\"", []string{"--url", "http://10.0.0.1"}, "model: want it in a file"},
		{"it sends no file of another folder", `workload = "` + secret + `"`, nil, "workload: want a path within the folder"},
		{"nor by a way around", `workload = "../` + filepath.Base(filepath.Dir(secret)) + `/secret"`, nil, "workload: want a path within the folder"},
		{"nor by a table", "[workloads.w]\nfile = \"/etc/passwd\"", []string{"--workload", "w"}, "workloads.w.file: want a path within the folder"},
		{"nor by a link", "workload = \"link\"", nil, "workload: want a path within the folder"},
		{"nor reads one for lengths", `input-tokens = "hist(/etc/passwd)"`, nil, "input-tokens: want a path within the folder"},
		{"nor for a profile", `profile = "/etc/x.toml"`, nil, "profile: want a path within the folder"},
		{"nor for a theme", `theme = "../x.toml"`, nil, "theme: want a path within the folder"},
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

func TestAFileOfTheCurrentFolderMaySayWhatIsMeasured(t *testing.T) {
	dir := stranger(t, "concurrency = 5\nscenario = \"report\"\nslo = \"none\"\nworkload = \"data.jsonl\"\n[targets.lab]\nurl = \"http://10.0.0.66/v1\"\nmodel = \"m\"\nheader = { X-Team = \"a\" }\n")
	writeFile(t, filepath.Join(dir, "data.jsonl"), "{\"prompt\":\"hello\"}\n")
	env := map[string]string{"OPENAI_API_KEY": testKey}
	s, r, found := resolved(t, dir, env, "--target", "lab")
	if len(found) > 0 || s.concurrency != 5 || s.model != "m" || len(s.thresholds) != 0 || len(s.headers) != 1 {
		t.Errorf("%+v, %v", s, found)
	}
	if notes := strings.Join(r.notes, "\n"); !strings.Contains(notes, "of the current folder says concurrency, header, model, scenario, slo, url, workload") {
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
