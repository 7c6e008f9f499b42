//go:build e2e && unix

package main

import (
	"encoding/json"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// looked is what a browser made of a page.
type looked struct {
	Title    string
	Overflow float64
	Sections []struct {
		ID     string
		Height float64
	}
	Drawings []struct {
		ID                   string
		Width, Height, Paths float64
		Stroke, Told         string
	}
	// Head are the columns of the table of levels with their groups, Rows its cells.
	Head   []string
	Rows   [][]string
	Ground string
}

const look = `(() => {
	const box = e => e.getBoundingClientRect();
	const table = document.querySelector('#levels-s-1 table');
	const groups = [...table.tHead.rows[0].cells].flatMap(c => Array(c.colSpan).fill(c.textContent));
	return {
		title: document.title, overflow: document.documentElement.scrollWidth - window.innerWidth, ground: getComputedStyle(document.body).backgroundColor,
		sections: [...document.querySelectorAll('section')].map(s => ({id: s.id, height: box(s).height})),
		drawings: [...document.querySelectorAll('svg')].map(s => ({id: s.querySelector('title').id, width: box(s).width, height: box(s).height, paths: s.querySelectorAll('path').length,
			stroke: getComputedStyle(s.querySelector('.line.stroke')).stroke, told: s.querySelector('title').textContent})),
		head: [...table.tHead.rows[1].cells].map((c, i) => (groups[i] + ' ' + c.textContent).trim()), rows: [...table.tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent)),
	};
})()`

// TestE2EAReportIsAPageOfItsOwn records a run, and holds its page, as a browser without a network shows it, against its JSON.
func TestE2EAReportIsAPageOfItsOwn(t *testing.T) {
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, page := filepath.Join(dir, "run.jsonl.zst"), filepath.Join(dir, "run.html")
	for _, args := range [][]string{{"--plain", "--config", "none", "--record", file, "--profile", "2:6s,6:6s", "--max-tokens", "16", "--input-tokens", "64"}, {"report", file, "-o", page}} {
		if out, err := exec.Command(path, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	data, err := exec.Command(path, "report", file, "--format", "json").Output()
	if err != nil {
		t.Fatal(err)
	}
	b := browse(t)
	grounds := map[string]bool{}
	for _, at := range []struct {
		width  int
		scheme string
	}{{1200, "light"}, {1200, "dark"}, {400, "light"}, {400, "dark"}} {
		b.visit("file://"+page, at.width, at.scheme)
		var got looked
		b.ask(look, &got)
		got.check(t, at.width, data)
		grounds[got.Ground] = true
		if len(b.complaints) > 0 {
			t.Errorf("%d %s: the browser says %q", at.width, at.scheme, b.complaints)
		}
		for _, url := range b.asked {
			if url != "file://"+page {
				t.Errorf("%d %s: the page asks for %s", at.width, at.scheme, url)
			}
		}
	}
	if len(grounds) != 2 {
		t.Errorf("light and dark have the grounds %v", grounds)
	}
}

// check holds what a browser shows against what is known.
func (l *looked) check(t *testing.T, width int, data []byte) {
	t.Helper()
	if !strings.HasPrefix(l.Title, "redline: ") {
		t.Errorf("the page is called %q", l.Title)
	}
	if l.Overflow > 0 {
		t.Errorf("at %d the page is %g wider than the window", width, l.Overflow)
	}
	if len(l.Sections) < 9 {
		t.Errorf("%d sections", len(l.Sections))
	}
	for _, s := range l.Sections {
		if s.Height < 20 {
			t.Errorf("at %d the section %s is %g high", width, s.ID, s.Height)
		}
	}
	if len(l.Drawings) < 5 {
		t.Errorf("%d drawings", len(l.Drawings))
	}
	for _, d := range l.Drawings {
		if d.Width < 280 || d.Height < 80 || d.Paths < 5 || d.Told == "" || d.Stroke == "none" || d.Stroke == "" {
			t.Errorf("at %d: %+v", width, d)
		}
	}
	l.figures(t, data)
}

// figures holds the table of levels against the JSON.
func (l *looked) figures(t *testing.T, data []byte) {
	t.Helper()
	type stat struct {
		P50, P95, P99, P5, P1, Mean *float64
	}
	var report struct {
		Levels []struct {
			Level   int
			Load    *float64 `json:"load_in_flight"`
			Numbers struct {
				TTFT stat `json:"ttft_ms"`
				ITL  stat `json:"itl_ms"`
				TPS  stat `json:"tps_tokens_per_s"`
				RPM  stat `json:"rpm_requests_per_min"`
				TPM  stat `json:"tpm_tokens_per_min"`
			}
		}
	}
	if err := json.Unmarshal(data, &report); err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, row := range l.Rows {
		cells := map[string]string{}
		for i, name := range l.Head {
			cells[name] = row[i]
		}
		for _, level := range report.Levels {
			if strconv.Itoa(level.Level) != cells["level"] {
				continue
			}
			n := &level.Numbers
			for name, want := range map[string]*float64{"load": level.Load, "TTFT ms p50": n.TTFT.P50, "TTFT ms p95": n.TTFT.P95, "ITL ms p50": n.ITL.P50, "ITL ms p95": n.ITL.P95, "ITL ms p99": n.ITL.P99, "TPS p50": n.TPS.P50, "TPS p5": n.TPS.P5,
				"RPM mean": n.RPM.Mean, "TPM mean": n.TPM.Mean} {
				shown, ok := readFigure(cells[name])
				if !ok {
					continue
				}
				held++
				if want == nil || math.Abs(shown-*want) > 0.006*math.Abs(*want)+0.005 {
					t.Errorf("level %d: %s is %q on the page, and %v in the JSON", level.Level, name, cells[name], want)
				}
			}
		}
	}
	if held < 8 {
		t.Errorf("only %d figures could be held against the JSON: %q", held, l.Rows)
	}
}

// readFigure reads a figure as it is shown: "~371", "≥41.8", "22.4k"; ok is false where there is none.
func readFigure(text string) (v float64, ok bool) {
	text = strings.TrimLeft(text, "~≥")
	times := 1.0
	switch {
	case strings.HasSuffix(text, "k"):
		times = 1e3
	case strings.HasSuffix(text, "M"):
		times = 1e6
	}
	v, err := strconv.ParseFloat(strings.TrimRight(text, "kM"), 64)
	return v * times, err == nil
}
