//go:build e2e && unix

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// restart is a script that gives a server other flags, and marks that on the lanes of a run that goes on.
const restart = `set -e
./redline ctl drain
: here the server is started anew
./redline ctl note 'max_num_seqs 256'
./redline ctl resume
./redline ctl load --yes 20
`

func TestE2EAScriptMarksOnTheLanesWhatItChanges(t *testing.T) {
	p := open(t, 120, 36)
	p.start("--listen :0 --max-tokens 64")
	run := func(text string) string {
		t.Helper()
		cmd := exec.Command("sh", "-c", text)
		cmd.Dir, cmd.Env = p.dir, []string{"HOME=" + p.dir, "PATH=/usr/bin:/bin"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, out, p.screen())
		}
		return string(out)
	}
	out := run(restart)
	if !strings.Contains(out, "resume: running") || !strings.Contains(out, "concurrency 20") {
		t.Errorf("the script says:\n%s", out)
	}
	p.await("max_num_seqs 256", "→ 20")
	p.keys("6")
	p.await("remote", "load 20", "max_num_seqs 256")
	p.keys("Escape")
	// What the operator locks is locked for scripts too.
	p.keys("L")
	p.await("LOCK")
	cmd := exec.Command(filepath.Join(p.dir, "redline"), "ctl", "load", "24")
	cmd.Env = []string{"HOME=" + p.dir}
	if text, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != exitNothing || !strings.Contains(string(text), "locked") {
		t.Errorf("under the lock: %v\n%s", err, text)
	}
	run("./redline ctl stop")
	p.await("DONE")
	p.keys("q")
	p.left(exitOK)
}
