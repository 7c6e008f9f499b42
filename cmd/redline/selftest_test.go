package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"redline/bench/selftest"
)

func TestAnInterruptEndsTheSelfTestAndItsServer(t *testing.T) {
	m := start(t, nil, "selftest")
	code := make(chan int)
	go func() { code <- m.run(t) }()
	m.errs.await(t, "measuring raw: 1 stream, 100 tokens a second, spread")
	m.signals <- os.Interrupt
	if got := <-code; got != exitInterrupted {
		t.Errorf("exit code %d after an interrupt\n%s", got, m.errs.String())
	}
	if text := m.out.String(); text != "" {
		t.Errorf("it printed %q", text)
	}
}

func TestASelfTestWithoutItsServerSaysWhy(t *testing.T) {
	m := start(t, nil, "selftest")
	m.Simulator = []string{"/nonexistent/redline"}
	if got := m.run(t); got == exitOK || !strings.Contains(m.errs.String(), "self-test: simulated server: start /nonexistent/redline") {
		t.Errorf("exit code %d\n%s", got, m.errs.String())
	}
}

func TestASelfTestIsToldInMarkdownOrJSON(t *testing.T) {
	r := &selftest.Report{Rows: []selftest.Row{{}}}
	var text, machine bytes.Buffer
	if err := tellMachine(&text, r, false); err != nil || !strings.HasPrefix(text.String(), "| streams |") {
		t.Errorf("%v, %q", err, text.String())
	}
	var back map[string]any
	if err := tellMachine(&machine, r, true); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(machine.Bytes(), &back); err != nil || len(back["rows"].([]any)) != 2 {
		t.Errorf("%v, %s", err, machine.String())
	}
}
