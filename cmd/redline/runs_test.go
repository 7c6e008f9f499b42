package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"redline/bench"
	"redline/bench/analysis"
	"redline/bench/record"
)

// keptRun is a run that ended with levels of these loads and values of TTFT p95, none where a value is 0.
func keptRun(began time.Time, target, work string, loads ...float64) *stored {
	s := &stored{Entry: record.Entry{Path: "/runs/" + record.Name(began, "qwen"), Began: began, Length: 90 * time.Second, Targets: []string{target}, Model: "qwen", Size: 12345, Complete: true, Requests: 7}}
	s.last = &bench.Snapshot{Run: &bench.Run{Works: []bench.Workload{{Name: work}}}}
	for i := 0; i+1 < len(loads); i += 2 {
		l := &bench.Level{ID: i/2 + 1, Load: bench.InFlight(int(loads[i])), State: bench.Settled}
		l.OutputRate = bench.Some(100 * loads[i])
		if v := loads[i+1]; v > 0 {
			l.Stats[bench.TTFT] = bench.Stat{N: 40, Readiness: bench.Ready, P95: bench.Some(v)}
		}
		s.last.Levels = append(s.last.Levels, l)
	}
	return s
}

func TestATrendIsOfTheSameLoadAndWork(t *testing.T) {
	day := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	at := func(n int) time.Time { return day.AddDate(0, 0, n) }
	broken := keptRun(at(6), "gpu-7", "chat")
	broken.last, broken.err = nil, fmt.Errorf("%s: at byte 0: no run file", broken.Path)
	all := []*stored{
		keptRun(at(0), "gpu-7", "chat", 8, 100, 16, 200, 32, 900),
		keptRun(at(1), "gpu-8", "chat", 16, 210),
		keptRun(at(2), "gpu-7", "batch", 16, 220),
		keptRun(at(3), "gpu-7", "chat", 16, 250),
		keptRun(at(4), "gpu-7", "chat", 16, 0),
		keptRun(at(5), "gpu-7", "chat", 8, 90),
		broken,
		keptRun(at(7), "gpu-7", "chat", 4, 50, 16, 180, 16, 190),
	}
	number, err := parseNumber("ttft.p95")
	if err != nil {
		t.Fatal(err)
	}
	got, err := gatherTrend(number, nil, all)
	if err != nil {
		t.Fatal(err)
	}
	if got.load != bench.InFlight(16) {
		t.Errorf("load %s, want 16, which most have", got.load)
	}
	var values []float64
	for _, p := range got.points {
		values = append(values, p.value)
	}
	if fmt.Sprint(values) != "[200 250 190]" {
		t.Errorf("values %v", values)
	}
	var why []string
	for _, p := range got.without {
		why = append(why, p.left)
	}
	if text := strings.Join(why, "; "); text != "another target; another workload; not settled at 16; no level at 16; at byte 0: no run file" {
		t.Errorf("left out: %s", text)
	}
	eight := bench.InFlight(8)
	if got, err = gatherTrend(number, &eight, all); err != nil || len(got.points) != 2 {
		t.Errorf("at 8: %d runs, %v", len(got.points), err)
	}
	for _, width := range []int{0, 100, 60, 40, 20} {
		text := got.text(width)
		for line := range strings.Lines(text) {
			if width > 0 && ansi.StringWidth(strings.TrimRight(line, "\n")) > width {
				t.Errorf("width %d: %q", width, line)
			}
		}
		if (width >= 80 || width == 0) && !(strings.Contains(text, "-10.0 %") && strings.Contains(text, "too few samples") && !strings.Contains(text, "better")) {
			t.Errorf("width %d:\n%s", width, text)
		}
	}
}

// listed is a stored run as the list has it.
func listed(t *testing.T, path string, at int) *stored {
	t.Helper()
	s := &stored{Entry: record.Entry{Path: path, Began: time.Date(2026, 11, 1+at, 12, 0, 0, 0, time.UTC), Targets: []string{"gpu-7:8000"}, Model: "qwen", Complete: true}}
	if s.read(); s.err != nil {
		t.Fatal(s.err)
	}
	return s
}

// TestATrendCallsNoNoiseBetterOrWorse: runs of one server that are alike are told to be, and one that is slower is told from them.
func TestATrendCallsNoNoiseBetterOrWorse(t *testing.T) {
	var all []*stored
	for i := range 5 {
		all = append(all, listed(t, storedRun(t, fmt.Sprintf("r%d.jsonl.zst", i), uint64(i+1), 1, 4), i))
	}
	all = append(all, listed(t, storedRun(t, "slow.jsonl.zst", 9, 0.5, 4), 5))
	all[1].Complete, all[1].Writing = false, true
	all[2].last.Levels[0].State = bench.Unsettled
	for _, name := range []string{"itl.p50", "ttft.p50", "rpm", "tps.p5"} {
		number, err := parseNumber(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := gatherTrend(number, nil, all)
		if err != nil || len(got.points) != 6 {
			t.Fatalf("%s: %v, %+v", name, err, got)
		}
		verdicts := map[string]int{}
		for _, p := range got.points[1:5] {
			verdicts[got.verdict(p)]++
			if d := p.since; d.Low.OK && !(d.Low.V <= d.By.V && d.By.V <= d.High.V) || p.reach() == "" && d.Contrast != analysis.Untold {
				t.Errorf("%s: %+v, told as %q", name, d, p.reach())
			}
		}
		if verdicts["better"]+verdicts["worse"] > 0 {
			t.Errorf("%s of runs that are alike: %v\n%s", name, verdicts, got.text(0))
		}
		if word := got.verdict(got.points[5]); name == "itl.p50" && word != "worse" {
			t.Errorf("%s of a server half as fast: %s\n%s", name, word, got.text(0))
		}
		text := got.text(0)
		for _, want := range []string{"being written", "not settled", "95 % INTERVAL"} {
			if name != "tps.p5" && strings.Count(text, want) != 1 {
				t.Errorf("%s: %q is not there once:\n%s", name, want, text)
			}
		}
		d := got.document()
		if p := d.Points[5]; d.Points[0].Verdict != nil || p.Verdict == nil || p.Change == nil || d.Points[1].File != "being written" || d.Points[2].Settled {
			t.Errorf("%s: %+v", name, d.Points)
		}
	}
}

// TestATrendIsOfOneTargetOfSeveral, in private too, where all targets look alike.
func TestATrendIsOfOneTargetOfSeveral(t *testing.T) {
	day := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	pair := func(n int, a, b float64) *stored {
		one, two := keptRun(day.AddDate(0, 0, n), "gpu-7", "chat", 16, a), keptRun(day.AddDate(0, 0, n), "gpu-8", "chat", 16, b)
		s := *one
		s.Targets = []string{"gpu-7", "gpu-8"}
		for _, of := range []*stored{one, two} {
			of.last.Run.Model = "qwen"
		}
		last := *one.last
		last.Rivals = &bench.Rivals{Names: []string{"gpu-7", "gpu-8"}, Of: []*bench.Snapshot{one.last, two.last}}
		s.last = &last
		return &s
	}
	for _, row := range []struct {
		sentence string
		asked    runsAsked
		second   float64
		want     string
	}{
		{"the one that was shown", runsAsked{}, 220, "[100 110]"},
		{"the one that was named", runsAsked{target: "gpu-8"}, 220, "[200 220]"},
		{"the one that is named has nothing ready", runsAsked{target: "gpu-8"}, 0, "[200]"},
	} {
		number, _ := parseNumber("ttft.p95")
		got, err := gatherTrend(number, nil, row.asked.apart([]*stored{pair(0, 100, 200), pair(1, 110, row.second)}))
		if err != nil {
			t.Errorf("%s: %v", row.sentence, err)
			continue
		}
		var values []float64
		for _, p := range got.points {
			values = append(values, p.value)
		}
		if fmt.Sprint(values) != row.want {
			t.Errorf("%s: %v, want %s", row.sentence, values, row.want)
		}
		if got.veil(); strings.Contains(got.text(0), "gpu-") {
			t.Errorf("%s, in private:\n%s", row.sentence, got.text(0))
		}
	}
	// The shown one has nothing: the other one has.
	number, _ := parseNumber("ttft.p95")
	got, err := gatherTrend(number, nil, (&runsAsked{}).apart([]*stored{pair(0, 0, 200)}))
	if err != nil || len(got.points) != 1 || got.points[0].letter != "B" || !strings.Contains(got.text(0), " B\n") {
		t.Errorf("only the other one: %v %+v", err, got)
	}
}

// TestManyRunsAreToldInFewRows: what is not read in time is said once, and what is left out for one reason in a few rows.
func TestManyRunsAreToldInFewRows(t *testing.T) {
	day := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	all := []*stored{}
	for i := range 300 {
		s := keptRun(day.Add(time.Duration(i)*time.Hour), "gpu-7", "chat", 16, 100)
		if i < 217 {
			s.last, s.err = nil, errLate
		}
		all = append(all, s)
	}
	if got := lateOf(all); !strings.Contains(got, "217 of 300 were not read within 5s") {
		t.Error(got)
	}
	if got := lateOf(all[217:]); got != "" {
		t.Errorf("all are read, and yet: %s", got)
	}
	number, _ := parseNumber("ttft.p95")
	got, err := gatherTrend(number, nil, all)
	if err != nil || len(got.points) != 83 || len(got.without) != 217 {
		t.Fatalf("%v: %+v", err, got)
	}
	if text := got.text(120); strings.Count(text, errLate.Error()) != mostLeft+1 || !strings.Contains(text, "and 212 more") {
		t.Error(text)
	}
}

// TestOneRunOfSomethingElseHidesNoTrend, though it is the newest; alone it is drawn all the same.
func TestOneRunOfSomethingElseHidesNoTrend(t *testing.T) {
	day := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	at := func(n int) time.Time { return day.AddDate(0, 0, n) }
	others := map[string]*stored{
		"another target":             keptRun(at(3), "gpu-8", "chat", 16, 900),
		"another workload":           keptRun(at(3), "gpu-7", "batch", 16, 900),
		"nothing ready":              keptRun(at(3), "gpu-7", "chat", 16, 0),
		"nothing ready, elsewhere":   keptRun(at(3), "gpu-8", "batch", 16, 0),
		"no second":                  {Entry: record.Entry{Path: "/runs/x", Began: at(3)}, err: os.ErrNotExist},
		"the simulated server alone": keptRun(at(3), "127.0.0.1:1", "chat", 16, 1),
	}
	others["the simulated server alone"].Demo = true
	number, _ := parseNumber("ttft.p95")
	for what, other := range others {
		got, err := gatherTrend(number, nil, []*stored{keptRun(at(0), "gpu-7", "chat", 16, 200), keptRun(at(1), "gpu-7", "chat", 16, 210), other})
		if err != nil || len(got.points) != 2 || len(got.without) != 1 || got.points[1].value != 210 {
			t.Errorf("%s: %v, %+v", what, err, got)
		}
		if got, err = gatherTrend(number, nil, []*stored{other}); other.last != nil && err == nil && got.target == "" {
			t.Errorf("%s, alone: %v", what, err)
		}
	}
	if got, err := gatherTrend(number, nil, []*stored{others["another target"]}); err != nil || len(got.points) != 1 {
		t.Errorf("alone: %v %+v", err, got)
	}
	if _, err := gatherTrend(number, nil, []*stored{others["nothing ready"]}); err == nil || !strings.Contains(err.Error(), "ready") {
		t.Errorf("nothing ready anywhere: %v", err)
	}
}

func TestNumbersOfATrendAreNamedAsInPromises(t *testing.T) {
	for name, want := range map[string]string{"ttft.p95": "ttft.p95", "TTFT": "ttft.p95", "itl.p50": "itl.p50", "tps.p5": "tps.p5", "rpm": "rpm", "errors": "errors", "e2e.max": "e2e.max", "ttft.p42": "", "": "", "tps.p99": ""} {
		n, err := parseNumber(name)
		if (err == nil) != (want != "") || err == nil && n.String() != want {
			t.Errorf("%q: %s, %v", name, n, err)
		}
	}
}

func TestTheTableOfRunsFitsAnyTerminal(t *testing.T) {
	began := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	all := []*stored{keptRun(began, "gpu-7.very.long.name.of.a.cluster.example.com:8000", "w", 8, 100, 16, 200), keptRun(began, "模型的服务器", "w")}
	all = append(all, &stored{Entry: record.Entry{Path: "/runs/x" + record.Extension, Err: os.ErrPermission}, err: os.ErrPermission})
	for width := range 200 {
		text := runsTable(all, width)
		if !utf8.ValidString(text) || strings.Count(text, "\n") != 4 {
			t.Fatalf("width %d:\n%s", width, text)
		}
		for line := range strings.Lines(text) {
			if width > 0 && ansi.StringWidth(strings.TrimRight(line, "\n")) > width {
				t.Errorf("width %d: %q", width, line)
			}
		}
	}
	if text := runsTable(all, 0); !strings.Contains(text, "16: 1600 tok/s") || !strings.Contains(text, "unreadable") {
		t.Errorf("all of it:\n%s", text)
	}
}

// TestTheTableAlwaysNamesARun, by what other verbs take for it: where there is no room for whole names by a beginning that no other run has.
func TestTheTableAlwaysNamesARun(t *testing.T) {
	began := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	var entries []record.Entry
	var all []*stored
	for i, model := range []string{"qwen2.5-7b-instruct", "qwen2.5-72b-instruct", "llama", "模型模型模型模型模型"} {
		s := keptRun(began.Add(time.Duration(i/2)*time.Hour), "gpu-7.example.com:8000", "w", 8, 100, 16, 200)
		s.Path = filepath.Join(dir, record.Name(s.Began, model))
		if i == 3 {
			s.Path = filepath.Join(dir, model+record.Extension)
		}
		writeFile(t, s.Path, "")
		entries, all = append(entries, s.Entry), append(all, s)
	}
	alone := apartAt(entries)
	for _, s := range all {
		s.beginning = alone[s.Path]
	}
	for _, width := range []int{0, 60, 80, 100, 120, 160, 200, 300} {
		rows := strings.Split(strings.TrimRight(runsTable(all, width), "\n"), "\n")
		for i, s := range all {
			row := strings.Fields(rows[i+1])
			if path, err := record.Find(dir, row[len(row)-1]); err != nil || path != s.Path {
				t.Errorf("width %d: %q names %s, want %s (%v)", width, rows[i+1], path, s.Path, err)
			}
		}
	}
}

// TestErrorsAreThoseOfTheRequestsBesideThem: of all targets, and with those that a clear has forgotten.
func TestErrorsAreThoseOfTheRequestsBesideThem(t *testing.T) {
	s := keptRun(time.Now(), "gpu-7", "w", 8, 100)
	s.last.Total.Tally, s.last.Total.Counted = bench.Tally{OK: 141, Failed: 39}, bench.Tally{OK: 141, Failed: 39}
	s.last.Forgotten = bench.Tally{OK: 89, Failed: 27}
	if got := errorsOf(s.last); !got.OK || fmt.Sprintf("%.1f", got.V) != "22.3" {
		t.Errorf("behind a clear: %v", got)
	}
	other := *s.last
	other.Total.Tally, other.Forgotten = bench.Tally{OK: 296}, bench.Tally{}
	other.Levels = []*bench.Level{{ID: 1, Load: bench.InFlight(32), State: bench.Settled, Summary: bench.Summary{OutputRate: bench.Some(9000)}}}
	both := *s.last
	both.Rivals = &bench.Rivals{Names: []string{"a", "b"}, Of: []*bench.Snapshot{s.last, &other}}
	best, letter := bestOf(&both)
	if got := errorsOf(&both); fmt.Sprintf("%.2f", got.V) != "11.15" || best != other.Levels[0] || letter != "B" || len(loadsOf(&both)) != 2 {
		t.Errorf("of two targets: %v, best %v of %q, loads %v", got, best, letter, loadsOf(&both))
	}
}

func TestRunsAreListedFromTheirFolder(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "redline", "runs")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"XDG_STATE_HOME": dir}
	if o := start(t, env, "runs"); o.run(t) != exitOK || !strings.Contains(o.errs.String(), "there is no run in") {
		t.Errorf("none: %s", o.errs.String())
	}
	path := filepath.Join(folder, record.Name(time.Now(), "m"))
	if o := start(t, env, small(simulated(t, nil), "--plain", "--requests", "8", "--record", path)...); o.run(t) != exitOK {
		t.Fatal(o.errs.String())
	}
	writeFile(t, filepath.Join(folder, "bad"+record.Extension), "no run")
	for _, row := range []struct {
		sentence string
		args     []string
		runs     int
	}{
		{"all", nil, 2}, {"of a target", []string{"--target", "127.0.0.1"}, 1}, {"of another", []string{"--target", "gpu-9"}, 0},
		{"of a model", []string{"--model", "SIM"}, 1}, {"of the last hour", []string{"--since", "1h"}, 1}, {"since a day to come", []string{"--since", "2999-01-01"}, 0},
	} {
		o := start(t, env, append([]string{"runs", "--json"}, row.args...)...)
		code := o.run(t)
		var got runsList
		if err := json.Unmarshal([]byte(o.out.String()), &got); err != nil || code != exitOK || len(got.Runs) != row.runs {
			t.Errorf("%s: %d runs, want %d; %d %v\n%s", row.sentence, len(got.Runs), row.runs, code, err, o.errs.String())
			continue
		}
		for _, r := range got.Runs {
			if r.Problem == "" && (r.Requests == nil || *r.Requests != 8 || r.File != "complete") {
				t.Errorf("%s: %+v", row.sentence, r)
			}
		}
	}
	o := start(t, env, "runs", "--private")
	if o.run(t) != exitOK || strings.Contains(o.out.String()+o.errs.String(), "127.0.0.1") {
		t.Errorf("private, and yet:\n%s", o.out.String())
	}
	for _, args := range [][]string{{"--since", "soon"}, {"--load", "4"}, {"--trend", "speed"}, {"--trend", "rpm", "--load", "much"}} {
		if o := start(t, env, append([]string{"runs"}, args...)...); o.run(t) != exitUsage {
			t.Errorf("%v is taken", args)
		}
	}
}
