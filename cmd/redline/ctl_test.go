package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"redline/bench/record"
	"redline/bench/remote"
)

// TestANoteMayBeginLikeAFlag: it is often about one of the server's.
func TestANoteMayBeginLikeAFlag(t *testing.T) {
	for _, row := range []struct{ sentence, words, note, run string }{
		{"a flag of the server's", "-np 2", "-np 2", ""},
		{"one of several letters", "--max-num-seqs 256", "--max-num-seqs 256", ""},
		{"with ctl's own before it", "--run 7 --max-num-seqs 256", "--max-num-seqs 256", "7"},
		{"and behind it", "-np 2 --run=7 --json", "-np 2", "7"},
		{"words that flags are called", "run json", "run json", ""},
		{"behind two dashes all is text", "-- --run 7", "--run 7", ""},
		{"a dash is one", "- 7", "- 7", ""},
	} {
		c := &control{}
		cmd := &cobra.Command{Use: "note"}
		cmd.Flags().StringVar(&c.run, "run", "", "")
		cmd.Flags().BoolVar(&c.json, "json", false, "")
		words, err := c.aside(cmd, strings.Fields(row.words))
		if got := strings.Join(words, " "); err != nil || got != row.note || c.run != row.run {
			t.Errorf("%s: note %q, run %q, %v", row.sentence, got, c.run, err)
		}
	}
	l := listenRun(t)
	defer l.end(t)
	if code, out, errs := l.ctl(t, "note", "-np 2"); code != exitOK || !strings.Contains(out, "note: running") {
		t.Errorf("%d %q %q", code, out, errs)
	}
	l.out.await(t, `event note "-np 2"`)
	if code, out, _ := l.ctl(t, "note", "--help"); code != exitOK || !strings.Contains(out, "ctl note") {
		t.Errorf("help: %d %q", code, out)
	}
	if code, _, errs := l.ctl(t, "note", "x", "--run"); code != exitUsage || !strings.Contains(errs, "--run") {
		t.Errorf("a flag without its value: %d %q", code, errs)
	}
}

func TestARunIsChosenByANumberOfItsOwnOrByPartOfItsName(t *testing.T) {
	found := []remote.Notice{
		{PID: 4129, Address: "127.0.0.1:7788", Target: "gpu-9:8000", Model: "qwen2.5-7b"},
		{PID: 513, Address: "127.0.0.1:9012", Target: "gpu-7:8000", Model: "llama"},
	}
	for word, want := range map[string]int{"4129": 4129, "9012": 513, "127.0.0.1:7788": 4129, "gpu-7": 513, "qwen": 4129, "9": 0, "5": 0, "8000": 0, "gpu": 0, "": 0} {
		c := &control{run: word}
		if got, err := c.chosen(found); got.PID != want || (err == nil) != (want != 0) {
			t.Errorf("--run %q: %d, %v; want %d", word, got.PID, err, want)
		}
	}
}

func TestRunsOfTheSimulatedServerAreFoundByWhatTheyAreCalled(t *testing.T) {
	e := record.Entry{Demo: true, Targets: []string{"127.0.0.1:40911"}, Model: "sim"}
	for word, want := range map[string]bool{"simulated": true, "127": false, "gpu": false} {
		if got := (&runsAsked{target: word}).takes(&e); got != want {
			t.Errorf("--target %s: %v", word, got)
		}
	}
	if e.Demo = false; (&runsAsked{target: "simulated"}).takes(&e) {
		t.Error(fmt.Sprint(e.Targets) + " is called simulated")
	}
}
