//go:build e2e && unix

package main

import (
	"strings"
	"testing"
)

// TestE2EARunIsRecordedAndReplayed in a real terminal: on the screens that it had, with keys that go about in it, and a note that is there the next time.
func TestE2EARunIsRecordedAndReplayed(t *testing.T) {
	p := open(t, 120, 36)
	p.line("./redline --plain --duration 12s -c 4 --profile 4:4s,8:4s,6:4s --record x.run >log 2>&1; echo recorded $?")
	p.await("recorded 0")

	p.line("./redline replay x.run --at 6s; echo left $?")
	p.await("REPLAY", "00:06", "RUNNING", "TTFT", "spc play")
	p.keys("w")
	p.await("8 → 6")
	p.keys("Left")
	p.await("00:04 /")
	p.keys("+")
	p.await("this is a recording: raise is for a run that is driven")
	for key, want := range map[string]string{"2": "dwell", "4": "in flight", "6": "concurrency 4"} {
		p.keys(key)
		p.await("REPLAY", want)
	}
	p.keys("1", "n")
	p.await("note at 00:04")
	p.line("the cache was cold")
	p.await("noted at 00:04 in the recording")
	p.keys("End")
	p.await("DONE")
	p.keys("Home", "Space")
	p.await("spc pause", "00:02 /")
	p.keys("q")
	p.await("left 0")

	p.line("./redline replay x.run --speed max --ascii; echo gone $?")
	p.await("REPLAY", "DONE", "the cache was cold")
	p.keys("Q")
	p.await("gone 0")
	if all := p.all(); !strings.Contains(all, "REPLAY") {
		t.Error("the last frame is not left behind")
	}
}
