//go:build e2e && unix

package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestE2EEveryViewInEveryKindOfTerminal(t *testing.T) {
	for _, env := range []string{
		"TERM=tmux-256color", "TERM=screen-256color", "TERM=linux", "TERM=vt100", "TERM=xterm-16color", "TERM=tmux-256color LANG=C", "TERM=tmux-256color LC_ALL=zh_CN.UTF-8", "TERM=xterm-256color NO_COLOR=1",
	} {
		t.Run(env, func(t *testing.T) {
			p := open(t, 100, 30)
			p.line("export " + env)
			p.start("--save-dir .")
			for i, word := range []string{"TTFT", "curve", "heat", "requests", "server", "log", "diagnosis"} {
				p.keys(fmt.Sprint(i + 1))
				p.await(word, "? help", "q quit")
				if s := p.screen(); strings.Contains(s, "\ufffd") || strings.Contains(s, "[?2026") || strings.Contains(s, "[8l") {
					t.Errorf("garbage in %s:\n%s", word, s)
				}
			}
			p.keys("P", "1")
			p.await("PRIVATE")
			p.keys("S")
			p.await("saved redline-")
			p.keys("P", "q")
			p.await("drain and report")
			p.keys("k")
			p.left(exitOK)
		})
	}
}
