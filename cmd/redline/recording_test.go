package main

import (
	"bufio"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/record"
	"redline/bench/report"
)

func TestWhereARunIsKeptIsSaidBeforeItBegins(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(dir, "there"), "x")
	own := filepath.Join(home, ".local", "state", "redline", "runs")
	env := map[string]string{"HOME": home}
	for _, row := range []struct {
		sentence           string
		env                map[string]string
		args               []string
		file, folder, none string
		problem            string
	}{
		{"your own folder", env, nil, "", own, "", ""},
		{"that of the desktop's rules", map[string]string{"HOME": home, "XDG_STATE_HOME": dir}, nil, "", filepath.Join(dir, "redline", "runs"), "", ""},
		{"no folder is known", nil, nil, "", "", "no home is known", ""},
		{"none is wanted", env, []string{"--record", "off"}, "", "", "--record off", ""},
		{"none is wanted by the environment", map[string]string{"HOME": home, "REDLINE_RECORD": "off"}, nil, "", "", "record = off", ""},
		{"private", env, []string{"--private"}, "", "", "private; --record PATH", ""},
		{"private, and asked for", env, []string{"--private", "--record", "a"}, filepath.Join(dir, "a"), "", "", ""},
		{"a file", env, []string{"--record", "a.jsonl.zst"}, filepath.Join(dir, "a.jsonl.zst"), "", "", ""},
		{"a folder", env, []string{"--record", "."}, "", dir, "", ""},
		{"a file that is there", env, []string{"--record", "there"}, "", "", "", "want a file that does not exist"},
		{"a folder that is not", env, []string{"--record", "none/a"}, "", "", "", "want a folder that is there"},
		{"nor as a folder", env, []string{"--record", "none/"}, "", "", "", "want a folder that is there"},
		{"below a file", env, []string{"--record", "there/a"}, "", "", "", "want a folder that is there"},
		{"texts of a run that is not kept", env, []string{"--record", "off", "--record-text"}, "", "", "--record off", "--record-text: want a run that is kept"},
		{"a file among others", env, []string{"--record", "a", "--keep", "5 runs"}, filepath.Join(dir, "a"), "", "", "want a size"},
	} {
		s, _, found := resolved(t, dir, row.env, row.args...)
		k := s.keeping
		text := strings.Join(found, "\n")
		if k.file != row.file || k.folder != row.folder || !strings.HasPrefix(k.none, row.none) || (k.none == "") != (row.none == "") || (text == "") != (row.problem == "") || !strings.Contains(text, row.problem) {
			t.Errorf("%s: file %q, folder %q, none %q, problems %q", row.sentence, k.file, k.folder, k.none, text)
		}
	}
}

func TestASizeIsReadAsItIsWritten(t *testing.T) {
	for _, row := range []struct {
		sentence, text string
		want           record.Keep
		shown          string
	}{
		{"gigabytes", "2GB", record.Keep{Bytes: 2e9}, "2GB"},
		{"half of one", "0.5 gb", record.Keep{Bytes: 5e8}, "500MB"},
		{"in two letters more", "1GiB", record.Keep{Bytes: 1 << 30}, "1.1GB"},
		{"in one less", "500M", record.Keep{Bytes: 5e8}, "500MB"},
		{"everything", "all", record.Keep{}, "all"},
		{"runs", "50 runs", record.Keep{Runs: 50}, "50 runs"},
		{"one", "1run", record.Keep{Runs: 1}, "1 runs"},
	} {
		got, err := parseKeep(row.text)
		if err != nil || got.Keep != row.want || got.String() != row.shown {
			t.Errorf("%s: %+v, %q, %v", row.sentence, got, got, err)
		}
	}
	for _, bad := range []string{"", "0", "5", "GB", "-1GB", "0 runs", "runs", "1KB", "NaNGB", "1e99GB", "2PB"} {
		if got, err := parseKeep(bad); err == nil {
			t.Errorf("%q is %+v", bad, got)
		}
	}
}

// keptIn are the run files below a folder.
func keptIn(t *testing.T, dir string) []record.Entry {
	t.Helper()
	all, err := record.List(filepath.Join(dir, "redline", "runs"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEveryKindOfRunIsKept(t *testing.T) {
	other := simulated(t, nil)
	for _, row := range []struct {
		sentence string
		args     []string
		kept     bool
		want     string
	}{
		{"a run of the simulated server", []string{"--plain", "--requests", "3"}, true, "\nsaved     "},
		{"one of a target", small(simulated(t, nil), "--plain", "--requests", "3"), true, "\nsaved     "},
		{"one without a screen", small(simulated(t, nil), "--requests", "3"), true, "\nsaved     "},
		{"a search", append([]string{"find", "--plain", "--from", "1", "--to", "2", "--cap", "20"}, small(simulated(t, nil))...), true, "\nsaved     "},
		{"several targets", []string{"--targets", simulated(t, nil) + "," + other, "--max-tokens", "16", "--requests", "4"}, true, "\nsaved     "},
		{"a private one is not", small(simulated(t, nil), "--plain", "--requests", "3", "--private"), false, "\nsaved     nothing, private; --record PATH keeps it all the same"},
		{"nor one that shall not be", small(simulated(t, nil), "--plain", "--requests", "3", "--record", "off"), false, ""},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			o := start(t, map[string]string{"XDG_STATE_HOME": dir}, row.args...)
			if row.sentence == "one without a screen" {
				o.Args = append([]string{"run", "--slo", "errors<=50%"}, o.Args...)
			}
			o.run(t)
			all := keptIn(t, dir)
			if !row.kept {
				if len(all) > 0 || !strings.Contains(o.out.String(), row.want) || row.want == "" && strings.Contains(o.out.String(), "\nsaved") {
					t.Errorf("%v, and said:\n%s", all, o.out.String())
				}
				return
			}
			if len(all) != 1 || all[0].Err != nil || !all[0].Complete || all[0].Writing || all[0].Requests < 2 || all[0].Levels < 1 {
				t.Fatalf("%+v\n%s%s", all, o.out.String(), o.errs.String())
			}
			if text := o.out.String() + o.errs.String(); !strings.Contains(text, row.want+all[0].Path) {
				t.Errorf("%q is not said:\n%s", row.want+all[0].Path, text)
			}
			for path, want := range map[string]os.FileMode{all[0].Path: 0o600, filepath.Dir(all[0].Path): 0o700} {
				if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != want {
					t.Errorf("%s: %v, %v", path, info.Mode(), err)
				}
			}
			f, err := o.openRun("last")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			s, err := f.Final()
			if err != nil || s.Total.Tally.OK < 2 {
				t.Errorf("it ends with %+v, %v", s.Total.Tally, err)
			}
			if !strings.Contains(strings.Join(f.Header.Options, " "), "--") || f.Header.Machine.OS != runtime.GOOS {
				t.Errorf("its header: %q, %+v", f.Header.Options, f.Header.Machine)
			}
		})
	}
}

func TestOptionsAreKeptWithoutSecrets(t *testing.T) {
	s, _, _ := resolved(t, t.TempDir(), map[string]string{"K": testKey, "HOME": t.TempDir()}, "--url", "http://ann:"+testKey+"@10.0.0.1/v1?key="+testKey, "--api-key-env", "K",
		"-H", "X-Team: "+testKey, "--body", `secret="`+testKey+`"`, "-c", "3", "--plain", "--slo", "ttft.p95<=1s")
	text := strings.Join(s.keeping.options, " ")
	if strings.Contains(text, testKey) || strings.Contains(text, "ann") {
		t.Errorf("a secret is in %q", text)
	}
	for _, want := range []string{"--concurrency 3", "--slo ttft.p95<=1s", "--plain=true", "--header X-Team: ***"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	if i := slices.Index(s.keeping.options, "--url"); i < 0 || !strings.Contains(s.keeping.options[i+1], "10.0.0.1") {
		t.Errorf("the target is not in %q", text)
	}
}

func TestAFullFolderKeepsTheNewestRuns(t *testing.T) {
	dir := t.TempDir()
	runs := filepath.Join(dir, "redline", "runs")
	if err := os.MkdirAll(runs, 0o700); err != nil {
		t.Fatal(err)
	}
	var old []string
	for i := range 4 {
		path := filepath.Join(runs, record.Name(time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC), "m"))
		if err := os.WriteFile(path, make([]byte, 600<<10), 0o600); err != nil {
			t.Fatal(err)
		}
		long := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
		old = append(old, path)
	}
	o := start(t, map[string]string{"XDG_STATE_HOME": dir}, small(simulated(t, nil), "--plain", "--requests", "3", "--keep", "1.5MB")...)
	o.run(t)
	for i, path := range old {
		if there(path) != (i >= 2) {
			t.Errorf("run %d of 4: there %v\n%s", i+1, there(path), o.out.String())
		}
	}
}

// TestARunThatIsKilledIsKeptUpToItsLastSecond kills the program, as nothing can be done against, and holds its file against what it had told by then.
func TestARunThatIsKilledIsKeptUpToItsLastSecond(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no such end on Windows")
	}
	for i := range 4 {
		path := filepath.Join(t.TempDir(), "run")
		c := exec.Command(os.Args[0], "--plain", "--record", path, "--duration", "1m")
		c.Env = []string{"REDLINE_TEST_AS=program", "HOME=" + t.TempDir()}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		late := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
		lines, told := bufio.NewScanner(out), time.Duration(0)
		for lines.Scan() {
			if at, err := time.Parse("15:04:05", strings.SplitN(lines.Text(), " ", 2)[0]); err == nil && strings.Contains(lines.Text(), "sent") {
				told = time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute + time.Duration(at.Second())*time.Second
			}
			if told >= time.Duration(2+i)*time.Second {
				break
			}
		}
		time.AfterFunc(time.Duration(rand.IntN(1000))*time.Millisecond, func() { _ = c.Process.Kill() })
		if err := c.Wait(); err == nil {
			t.Error("it was not killed")
		}
		late.Stop()
		f, err := record.Open(path)
		if err != nil {
			t.Errorf("told up to %v: %v", told, err)
			continue
		}
		s, err := f.Final()
		if told == 0 || err != nil || f.Complete || f.Length < told-time.Second || s.Folded < told-time.Second || len(f.Damage) > 0 {
			t.Errorf("told up to %v: %v kept, complete %v, damage %v, %v", told, f.Length, f.Complete, f.Damage, err)
		}
		_ = f.Close()
	}
}

// TestAFileThatMayNotGrowEndsNoRun has the kernel refuse what goes past a bound: a limit on the size of files, which ends programs that do not look out.
func TestAFileThatMayNotGrowEndsNoRun(t *testing.T) {
	needShell(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "run")
	c := exec.Command("/bin/sh", "-c", `ulimit -f 16 && exec "$0" "$@"`, os.Args[0], "--plain", "--record", path, "--duration", "14s", "--drain-timeout", "1s")
	c.Env = []string{"REDLINE_TEST_AS=program", "HOME=" + dir}
	out, err := c.CombinedOutput()
	text := string(out)
	for _, want := range []string{"recording: file too large, the run is not kept; tried again every 10 s", "\nsaved     " + path, "file too large, so that the file lacks its end"} {
		if err != nil || !strings.Contains(text, want) {
			t.Fatalf("%v, %q is missing in\n%s", err, want, text)
		}
	}
	f, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Complete || f.Length < 2*time.Second || len(f.Damage) > 0 {
		t.Errorf("complete %v, %v long, damage %v", f.Complete, f.Length, f.Damage)
	}
}

func TestDocumentsTellWhereARunIsKeptButNotInPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	r := &recording{}
	o := engine.Options{Run: bench.Run{Model: "m"}}
	r.begin(keeping{file: path}, bench.NewClock(time.Now()), nil, []string{""}, []*engine.Options{&o})
	r.close()
	if k := r.kept(false); k == nil || k.File != path || k.State != report.KeptWhole || k.Bytes == 0 || k.Why != "" {
		t.Errorf("told %+v", k)
	}
	if k := r.kept(true); k == nil || k.File != "" || k.State != report.KeptWhole {
		t.Errorf("told in private %+v", k)
	}
	off := &recording{keeping: keeping{record: recordOff, none: "--record off"}}
	if k := off.kept(false); k == nil || k.State != report.NotKept || k.Why != "--record off" {
		t.Errorf("told of none %+v", k)
	}
	if k := (&recording{}).kept(false); k != nil {
		t.Errorf("told where nothing is recorded at all %+v", k)
	}
}
