//go:build unix

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestObjectsForAnOutputThatIsClosedAreRefused(t *testing.T) {
	for _, row := range []struct {
		sentence, command string
		refused           bool
	}{
		{"run, closed", "run --requests 3 --max-tokens 4 --slo none --json --config none >&-", true},
		{"find, closed", "find --slo ttft.p95<=20s --json --config none >&-", true},
		{"run, thrown away by the shell", "run --requests 3 --max-tokens 4 --slo none --json --config none >/dev/null", false},
	} {
		cmd := exec.Command("sh", "-c", os.Args[0]+" "+strings.ReplaceAll(row.command, "ttft.p95<=20s", "'ttft.p95<=20s'"))
		cmd.Env = append(os.Environ(), "REDLINE_TEST_AS=program", "XDG_STATE_HOME="+t.TempDir())
		text, err := cmd.CombinedOutput()
		code := cmd.ProcessState.ExitCode()
		if told := strings.Contains(string(text), "--json: want an output to write to, it is closed"); told != row.refused || (code == exitUsage) != row.refused {
			t.Errorf("%s: exit code %d (%v)\n%s", row.sentence, code, err, text)
		}
	}
}
