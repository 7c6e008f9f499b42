package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/pilot/plant"
	"redline/bench/record"
	"redline/bench/report"
	"redline/bench/sim/model"
)

// storedRun writes a run of a simulated server in virtual time into a file: at loads that are held a minute each.
func storedRun(t *testing.T, name string, seed uint64, speed float64, loads ...int) string {
	t.Helper()
	m := model.SmallGPU.Params()
	m.Seed = seed
	p, err := plant.New(plant.Options{Model: m, Seed: seed, Speed: speed, Load: bench.InFlight(loads[0]), Folds: true})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Date(2026, 11, 30, 18, 51, 0, 0, time.UTC)
	run := *p.Snapshot().Run
	run.Start, run.Target, run.Host, run.Model, run.Seed = began, "http://gpu-7:8000/v1", "gpu-7:8000", "qwen2.5-7b", seed
	path := filepath.Join(t.TempDir(), name)
	r, err := record.Create(path, record.Header{Schema: record.Schema, Redline: "1.0", Began: began, Tracks: []record.TrackHeader{{Run: &run}},
		Options: []string{"--seed", name}, Machine: record.Machine{Name: "lab-3", OS: "linux", Arch: "amd64", CPUs: 2}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range loads {
		if i > 0 {
			p.Set(bench.InFlight(n), bench.CauseLoad)
		}
		for range 60 {
			b := p.Second()
			r.Track(0).Seconds([]*bench.Batch{b}, p.Snapshot())
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// ran runs the program with arguments, and gives its output and exit code.
func ran(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	m := &Main{Args: args, Env: func(string) (string, bool) { return "", false }, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Folder: t.TempDir()}
	code = m.Run(t.Context())
	return stdout.String(), stderr.String(), code
}

// TestCompareTellsASlowerServerFromTheSame in words, in its exit code, and for machines.
func TestCompareTellsASlowerServerFromTheSame(t *testing.T) {
	base, same, slow := storedRun(t, "base.run", 1, 1, 4, 12), storedRun(t, "same.run", 2, 1, 4, 12), storedRun(t, "slow.run", 3, 0.9, 4, 8, 12)
	for _, c := range []struct {
		what string
		args []string
		code int
		want []string
	}{
		{"two runs of one server", []string{base, same, "--fail-on", "worse"}, exitOK, []string{"no difference seen", "what else differs", "seed", "at 12 "}},
		{"a slower one", []string{base, slow}, exitOK, []string{"itl.p50", "worse", "only B was measured at 8", "could be seen"}},
		{"a slower one in CI", []string{base, slow, "--fail-on", "worse"}, exitNothing, []string{"worse at 12"}},
		{"a number that is worse by enough", []string{base, slow, "--fail-on", "itl.p50=5%"}, exitNothing, nil},
		{"a number that is not worse by so much", []string{base, slow, "--fail-on", "itl.p50=50%"}, exitOK, nil},
		{"better is no failure", []string{slow, base, "--fail-on", "worse"}, exitOK, []string{"better at 12"}},
		{"one load", []string{base + "@12", slow + "@12"}, exitOK, []string{"by ", "at 1 load"}},
		{"two levels of one file", []string{base + "#1", base + "#2"}, exitOK, []string{"the loads differ: 4 and 12", "4 and 12 "}},
		{"three runs", []string{base, same, slow}, exitOK, []string{"B against A", "C against A"}},
		{"for a pull request", []string{base, slow, "--format", "md"}, exitOK, []string{"### redline", "| 12 | itl.p50 ms |", "<details>", "</details>"}},
	} {
		out, errs, code := ran(t, append([]string{"compare"}, c.args...)...)
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d; %s\n%s", c.what, code, c.code, errs, out)
		}
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", c.what, want, out)
			}
		}
		if strings.Contains(out, "\x1b") || strings.Contains(out, "NaN") || strings.Contains(out, "Inf") {
			t.Errorf("%s: colours, or what is no number, in\n%s", c.what, out)
		}
	}
}

func TestCompareSaysWhatItCannotDo(t *testing.T) {
	base := storedRun(t, "base.run", 1, 1, 4)
	other := storedRun(t, "other.run", 1, 1, 6)
	broken := filepath.Join(t.TempDir(), "broken.run")
	if err := os.WriteFile(broken, []byte("no run"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		args []string
		want string
	}{
		{"one run", []string{base}, "want two runs or more"},
		{"a file that is not there", []string{base, base + "x"}, "there is none"},
		{"a file that is no run", []string{base, broken}, "broken.run"},
		{"a level that is not there", []string{base + "#7", base}, "it has #1 at 4"},
		{"a load that is not there", []string{base + "@7", base}, "it has #1 at 4"},
		{"a load that is none", []string{base + "@x", base}, "want a load behind the @"},
		{"a level that is none", []string{base + "#x", base}, "want the number of a level"},
		{"no load in common", []string{base, other}, "no load at which both were measured"},
		{"a form that there is not", []string{base, base, "--format", "pdf"}, "want one of text, md, json"},
		{"a number that there is not", []string{base, base, "--fail-on", "ttft=5%"}, "NUMBER one of"},
		{"a share that is none", []string{base, base, "--fail-on", "ttft.p95=x"}, "want worse, or NUMBER=PERCENT"},
		{"a number that cannot be told", []string{base, base, "--fail-on", "ttft.p99=5%"}, "too few samples"},
	} {
		out, errs, code := ran(t, append([]string{"compare"}, c.args...)...)
		if code != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d, %q, want %q\n%s", c.what, code, errs, c.want, out)
		}
	}
}

// TestCompareInPrivateNamesNobody: not in what differs either, though it says that it does.
func TestCompareInPrivateNamesNobody(t *testing.T) {
	a, b := storedRun(t, "a.run", 1, 1, 4), storedRun(t, "b.run", 2, 1, 4)
	for _, format := range compareFormats {
		out, errs, code := ran(t, "compare", a, b, "--private", "--format", format)
		if code != exitOK {
			t.Fatal(errs)
		}
		for _, secret := range []string{"gpu-7", "lab-3", "--seed"} {
			if strings.Contains(out, secret) {
				t.Errorf("%s: %s in\n%s", format, secret, out)
			}
		}
		if !strings.Contains(out, "options") {
			t.Errorf("%s: nobody says that the options differ:\n%s", format, out)
		}
	}
}

// TestCompareForMachinesIsWhole: what it says can be read back, and null stands for what is not known.
func TestCompareForMachinesIsWhole(t *testing.T) {
	a, b := storedRun(t, "a.run", 1, 1, 4), storedRun(t, "b.run", 2, 0.8, 4)
	out, errs, code := ran(t, "compare", a, b, "--format", "json")
	if code != exitOK {
		t.Fatal(errs)
	}
	var got struct {
		Schema      string
		Comparisons []struct {
			Worse int
			Loads []struct {
				Numbers []struct {
					Name, Unit, Verdict string
					Low, Chance         *float64
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != "redline.compare/1" || len(got.Comparisons) != 1 || got.Comparisons[0].Worse < 1 || len(got.Comparisons[0].Loads) != 1 {
		t.Fatalf("%+v", got)
	}
	for _, n := range got.Comparisons[0].Loads[0].Numbers {
		if n.Name == "" || n.Unit == "" || n.Verdict == "" || (n.Low == nil) != (n.Chance == nil) {
			t.Errorf("%+v", n)
		}
	}
}

func TestTablesOfComparisonsFitTheirWidth(t *testing.T) {
	a, b := storedRun(t, "a.run", 1, 1, 4), storedRun(t, "b.run", 2, 0.8, 4)
	m := &Main{Env: func(string) (string, bool) { return "", false }}
	x, err := m.openPart(a, "")
	if err != nil {
		t.Fatal(err)
	}
	y, err := m.openPart(b, "")
	if err != nil {
		t.Fatal(err)
	}
	x.Letter, y.Letter = "A", "B"
	x.Word, y.Word = "a.run", "b.run"
	for _, width := range []int{72, 80, 100, 120, 200} {
		for _, line := range strings.Split(report.CompareText([]*report.Versus{report.Against(x, y)}, width, false), "\n") {
			if n := len([]rune(line)); n > width {
				t.Errorf("%d: a line of %d: %s", width, n, line)
			}
		}
	}
}

func FuzzParsePart(f *testing.F) {
	for _, seed := range []string{"a.run", "a.run@16", "a.run@2.5/s", "a#3", "@", "#", "a@b#1", "a@1e99", "a@-1", "last@150/m"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		p, err := parsePart(word)
		if err != nil {
			return
		}
		if p.File == "" && word != "" || !strings.HasPrefix(word, p.File) || p.One && p.AtLoad || p.Level < 0 || !(p.Load.N >= 0) {
			t.Errorf("%q: %+v", word, p)
		}
	})
}
