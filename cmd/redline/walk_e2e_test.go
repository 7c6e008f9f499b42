//go:build e2e && unix

package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"redline/bench/sim"
)

// gone waits until a text is on the screen no more.
func (p *pane) gone(text string) {
	p.t.Helper()
	if !poll(patient, func() bool { return !strings.Contains(p.screen(), text) }) {
		p.t.Fatalf("%q stays:\n%s", text, p.screen())
	}
}

// types presses a key and types a line behind it.
func (p *pane) types(key, text string) {
	p.t.Helper()
	p.keys(key)
	p.tmux("send-keys", "-l", text)
	p.await(text)
	p.keys("Enter")
}

// clean checks that nothing that only a terminal should read stands on the screen.
func (p *pane) clean(where string) {
	p.t.Helper()
	s := p.screen()
	for _, garbage := range []string{"\ufffd", "[?2026", "[8l", ";18R", "[6n"} {
		if strings.Contains(s, garbage) {
			p.t.Errorf("%q on the screen %s:\n%s", garbage, where, s)
		}
	}
}

func TestE2EKeysGoAboutInTheDashboard(t *testing.T) {
	p := open(t, 120, 36)
	pid := p.start("")
	p.keys("Tab", "Tab")
	p.await("›ITL")
	p.keys("e")
	p.await("›ITL", "numbers of the level")
	p.keys("Escape")
	p.gone("numbers of the level")
	p.types(":", "load 12")
	p.await("8 → 12")
	p.keys("T")
	p.await("catppuccin-dark", "enter keep")
	p.keys("Down")
	p.keys("Escape")
	p.gone("enter keep")
	p.types("t", "p95<=900ms")
	p.await("ITL p95 ≤ 900 ms from now on")
	p.types("n", "canary on")
	p.await("“canary on”")
	p.keys("Left", "Left")
	p.await("s ago, load")
	for range 5 {
		p.keys("Right")
	}
	p.gone("s ago, load")
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		p.tmux("resize-window", "-x", strconv.Itoa(20+r.IntN(200)), "-y", strconv.Itoa(3+r.IntN(60)))
		if r.IntN(3) == 0 {
			p.keys("Tab")
		}
	}
	p.tmux("resize-window", "-x", "120", "-y", "36")
	p.await("RUNNING", "CONCURRENCY", "TTFT", "TPM", "? help", "q quit")
	p.clean("after twenty sizes")
	if !alive(pid) {
		t.Error("it has ended")
	}
	p.keys("q")
	p.await("drain and report")
	p.keys("k")
	p.left(exitOK)
}

func TestE2EBlocksAreDrawnWhereTheTerminalIsNarrow(t *testing.T) {
	for _, c := range []struct {
		env    string
		blocks bool
	}{
		{"LC_ALL=C.UTF-8", true},
		{"LC_ALL=C.UTF-8 RUNEWIDTH_EASTASIAN=0", true},
		{"LC_ALL=C.UTF-8 RUNEWIDTH_EASTASIAN=1", false},
		{"LC_ALL=zh_CN.UTF-8", true},
		{"LC_ALL=zh_CN.UTF-8 RUNEWIDTH_EASTASIAN=1", false},
	} {
		t.Run(c.env, func(t *testing.T) {
			p := open(t, 100, 30)
			p.line("export " + c.env)
			p.start("--duration 30s")
			p.await("TTFT", "TPM", "? help")
			s := p.screen()
			if got := strings.Contains(s, "█") && strings.Contains(s, "│"); got != c.blocks {
				t.Errorf("blocks: %v\n%s", got, s)
			}
			p.clean("with " + c.env)
			p.keys("C-c", "C-c")
			p.await("code=130")
			if all := p.all(); strings.Contains(all, ";18R") {
				t.Errorf("an answer is left in the scrollback:\n%s", all)
			}
		})
	}
}

// partsAt are where the parts of the panes begin, in cells, row by row.
func partsAt(screen string) (out [][]int) {
	mark := regexp.MustCompile(`[┤│└]|now|p50|p95|p99`)
	for _, row := range strings.Split(screen, "\n") {
		var at []int
		for _, m := range mark.FindAllStringIndex(row, -1) {
			at = append(at, uniseg.StringWidth(row[:m[0]]))
		}
		out = append(out, at)
	}
	return out
}

// edge is the last column of the axes, and the columns of the headings.
func edge(screen string) (axis int, headings []int) {
	for i, row := range strings.Split(screen, "\n") {
		if at := partsAt(screen)[i]; strings.Contains(row, "LOAD") && len(at) > 4 {
			return at[0], at[len(at)-4:]
		}
	}
	return -1, nil
}

func TestE2EForeignNamesMoveNoColumn(t *testing.T) {
	clock := regexp.MustCompile(`\d\d:\d\d:\d\d`)
	shows := func(name string) string {
		base := simulated(t, func(o *sim.Options) { o.Model, o.Speed = name, 2 })
		p := open(t, 120, 36)
		if err := os.WriteFile(filepath.Join(p.dir, "model"), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		p.start(`--max-tokens 32 -c 8 --no-title --url ` + base + ` --model "$(cat model)"`)
		p.await("TTFT", "TPM", "? help", "p99")
		s := p.screen()
		p.clean("with " + name)
		p.keys("C-c", "C-c")
		p.await("code=130")
		return s
	}
	plain := shows("some-plain-model-7b")
	axis, headings := edge(plain)
	if axis < 0 {
		t.Fatalf("no axis:\n%s", plain)
	}
	for _, name := range []string{"模型-七十亿", "🚀👩‍👩‍👧‍👦🇩🇪-7b", "e\u0301\u0327a\u0308-7b", "שלום-7b-عربي", "模型🚀e\u0301שלום" + strings.Repeat("很长的名字", 20)} {
		s := shows(name)
		if a, h := edge(s); a != axis || len(h) != len(headings) || h[0] != headings[0] || h[3] != headings[3] {
			t.Errorf("%q: axis at %d, headings at %v, want %d, %v:\n%s\n%s", name, a, h, axis, headings, plain, s)
		}
		head, _, _ := strings.Cut(s, "\n")
		if uniseg.StringWidth(head) > 120 || !clock.MatchString(head) || !strings.Contains(head, "RUNNING") {
			t.Errorf("%q: the head is %q", name, head)
		}
	}
}
