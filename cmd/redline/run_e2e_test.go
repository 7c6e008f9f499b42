//go:build e2e && unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
)

func TestE2EARunWithoutAScreenShowsABarOnOneLine(t *testing.T) {
	for _, row := range []struct {
		width int
		parts []string
	}{{40, []string{"░", "/0:08", "load 8"}}, {80, []string{"░", "/0:08", "load 8", "TTFT p95", "errors", "SLO"}}, {120, []string{"░", "/0:08", "load 8", "RPM", "TTFT p95", "errors", "SLO"}}} {
		t.Run(fmt.Sprint(row.width), func(t *testing.T) {
			p := open(t, row.width, 12)
			p.line("clear; ./redline run --duration 8s --max-tokens 16 --slo 'errors<=50%'; echo code=$?")
			p.await(row.parts...)
			p.await("█")
			bars := 0
			for line := range strings.Lines(p.screen()) {
				if strings.Contains(line, "░") || strings.Contains(line, "█") {
					bars++
				}
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n >= row.width && strings.Contains(line, "░") {
					t.Errorf("%d cells of %d: %q", n, row.width, line)
				}
			}
			if bars != 1 {
				t.Errorf("%d lines with a bar:\n%s", bars, p.screen())
			}
			p.await("result: held (exit code 0)", "code=0")
			if all := p.all(); strings.Contains(all, "░") || !strings.Contains(all, "requests  ") || strings.Contains(all, "level=1") {
				t.Errorf("the bar is left, the summary is missing, or lines were written beside it:\n%s", all)
			}
		})
	}
}

func TestE2EARunWithoutAScreenHasNoBarWhereItIsNotSeen(t *testing.T) {
	p := open(t, 100, 30)
	for _, args := range []string{
		"./redline run --requests 40 --max-tokens 8 --slo none 2>errs | cat >outs", "CI=true ./redline run --requests 40 --max-tokens 8 --slo none 2>errs >outs",
		"./redline run -q --requests 40 --max-tokens 8 --slo none 2>errs >outs", "TERM=dumb ./redline run --requests 40 --max-tokens 8 --slo none 2>errs >outs",
	} {
		p.line("clear; " + args + "; echo code=$?")
		p.await("code=0")
		for _, name := range []string{"errs", "outs"} {
			data, err := os.ReadFile(filepath.Join(p.dir, name))
			if err != nil || strings.ContainsAny(string(data), "\x1b\r█░") {
				t.Errorf("%s: %v, %s: %q", args, err, name, data)
			}
		}
	}
}

func TestE2EARunWithoutAScreenEndsWithItsCode(t *testing.T) {
	p := open(t, 100, 40)
	for _, row := range []struct{ args, code string }{
		{"--requests 120 --max-tokens 8 --slo 'errors<=50%'", "0"},
		{"--requests 120 --max-tokens 8 --slo 'ttft.p95<=0.001ms'", "1"},
		{"--requests 3 --max-tokens 8 --slo 'errors<=50%'", "1"},
		{"--max-tokens 8", "2"},
		{"--requests 3 --url http://127.0.0.1:9 --model m", "2"},
		{"--requests 3 --warp", "2"},
	} {
		p.line("clear; ./redline run " + row.args + " >/dev/null 2>&1; echo code=$?")
		p.await("code=" + row.code)
	}
	p.line("clear; ./redline run --duration 20s --max-tokens 8 --slo none >/dev/full 2>errs; echo code=$?")
	p.await("code=2")
	p.line("clear; { ./redline run --duration 20s --max-tokens 8 --slo none --json 2>errs; echo $? >code; } | head -1 | cut -c1-15; echo code=$(cat code)")
	p.await("code=2", `{"type":"start"`)
}

func TestE2EInterruptsOfARunWithoutAScreen(t *testing.T) {
	p := open(t, 78, 40) // so wide that the bar fills it, and its terminal's ^C would wrap
	p.line("clear; ./redline run --duration 5m --max-tokens 16; echo code=$?")
	p.await("░", "/5:00")
	p.keys("C-c")
	p.await("result: interrupted (exit code 130)", "code=130")
	if all := p.all(); strings.Contains(all, "░") || !strings.Contains(all, "requests  ") {
		t.Errorf("the bar is left, or the summary is missing:\n%s", all)
	}
	p.line("clear; ./redline run --duration 5m --max-tokens 4096; echo code=$?")
	p.await("░", "/5:00")
	p.keys("C-c")
	p.keys("C-c")
	p.await("result: interrupted (exit code 130)", "code=130")
	p.line("clear; sh -c 'echo $$ >pid; exec ./redline run --duration 5m --max-tokens 16'; echo code=$?")
	p.await("░", "/5:00")
	text, err := os.ReadFile(filepath.Join(p.dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(string(text), &pid); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.await("result: terminated (exit code 143)", "code=143")
}
