package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorded is the file of a short run against a simulated server.
func recorded(t *testing.T, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl.zst")
	m := start(t, nil, small(simulated(t, nil), append([]string{"--record", path, "--requests", "12", "-c", "3"}, args...)...)...)
	if code := m.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, m.errs.String())
	}
	return path
}

// reported is what report writes.
func reported(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	m := start(t, nil, append([]string{"report"}, args...)...)
	code = m.run(t)
	return m.out.String(), m.errs.String(), code
}

func TestARecordedRunIsReportedInEachForm(t *testing.T) {
	path := recorded(t)
	dir := t.TempDir()
	for ending, want := range map[string]string{".txt": "requests  12 sent: 12 ok", ".md": "## Levels", ".json": `"schema": "redline.summary/1"`, ".csv": "run,target,redline_version", ".html": "<!doctype html>"} {
		file := filepath.Join(dir, "report"+ending)
		if out, errs, code := reported(t, path, "-o", file); code != exitOK || out != "" {
			t.Fatalf("%s: exit code %d, %s%s", ending, code, out, errs)
		}
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, %q is not in %.300s", ending, err, want, text)
		}
		if i, err := os.Stat(file); err == nil && i.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: anybody may read it: %v", ending, i.Mode())
		}
	}
	out, errs, code := reported(t, path, "--format", "json")
	var back struct {
		Total    struct{ Requests struct{ OK int } }
		Recorded struct {
			Name     string
			Complete bool
			Machine  struct{ CPUs int }
		}
	}
	if err := json.Unmarshal([]byte(out), &back); code != exitOK || err != nil || back.Total.Requests.OK != 12 || back.Recorded.Name != "run" || !back.Recorded.Complete || back.Recorded.Machine.CPUs < 1 {
		t.Errorf("exit code %d, %v, %+v, %s", code, err, back, errs)
	}
}

// TestTheTableOfARunIsThatOfItsFile: what run writes as CSV is what report makes of the file, to the letter.
func TestTheTableOfARunIsThatOfItsFile(t *testing.T) {
	folder := t.TempDir()
	file, table := filepath.Join(folder, "a.jsonl.zst"), filepath.Join(folder, "a.csv")
	m := start(t, nil, headlessRun(simulated(t, nil), "--requests", "30", "-c", "3", "--slo", "none", "--record", file, "--report", table)...)
	if code := m.calmly(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, m.errs.String())
	}
	live, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	if kept, errs, code := reported(t, file, "--format", "csv"); code != exitOK || kept != string(live) {
		t.Errorf("exit code %d, %s\nlive:\n%s\nof its file:\n%s", code, errs, live, kept)
	}
}

func TestEachRequestOfARunIsARow(t *testing.T) {
	out, errs, code := reported(t, recorded(t), "--requests")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if code != exitOK || err != nil || len(rows) != 13 {
		t.Fatalf("exit code %d, %v, %d rows, %s", code, err, len(rows), errs)
	}
	for _, row := range rows[1:] {
		if row[0] != "run" || row[7] != "ok" || row[14] == "" {
			t.Errorf("%q", row)
		}
	}
}

func TestAReportOfAPrivateRunTellsNoHost(t *testing.T) {
	path := recorded(t)
	open, _, _ := reported(t, path)
	if !strings.Contains(open, "127.0.0.1") {
		t.Fatal("the host is not told at all")
	}
	machine, _ := os.Hostname()
	for _, form := range reportFormNames() {
		out, errs, code := reported(t, path, "--private", "--format", form)
		if code != exitOK || strings.Contains(out, "127.0.0.1") || machine != "" && len(machine) > 4 && strings.Contains(out, machine) {
			t.Errorf("%s: exit code %d, %s, or the host is told", form, code, errs)
		}
	}
}

func TestAReportThatCannotBeMadeSaysWhy(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain.txt")
	writeFile(t, plain, "no run\n")
	for args, want := range map[string]string{
		plain:                          "plain.txt",
		filepath.Join(dir, "none.zst"): "none.zst",
		plain + " --format xml":        "--format: want one of text, md, json, csv, html",
		plain + " -o " + filepath.Join(dir, "a.doc"):               "want a name that ends with .txt, .md, .json, .csv or .html",
		plain + " --requests --format md":                          "--requests: want csv with it",
		plain + " --requests -o " + filepath.Join(dir, "out.html"): "--requests: want csv with it",
	} {
		if _, errs, code := reported(t, strings.Fields(args)...); code == exitOK || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d, %q, want %q", args, code, errs, want)
		}
	}
	if _, errs, code := reported(t); code != exitUsage || !strings.Contains(errs, "want a run file or more, or last") {
		t.Errorf("no file: exit code %d, %q", code, errs)
	}
	if _, errs, code := reported(t, plain, "-o", "x.foo"); code != exitUsage || !strings.Contains(errs, ".foo: want a name that ends with") {
		t.Errorf("an ending that is none: exit code %d, %q", code, errs)
	}
	if there(filepath.Join(dir, "a.doc")) || there(filepath.Join(dir, "out.html")) {
		t.Error("a file is left behind")
	}
}
