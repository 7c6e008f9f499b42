package main

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"redline/ui/action"
)

const (
	readme    = "../../README.md"
	keysBegin = "<!-- keys: written by go test ./cmd/redline -args -update -->\n"
	keysEnd   = "<!-- keys end -->\n"
	// Those of a recording stand in a second table.
	replayBegin = "<!-- replay keys: written by go test ./cmd/redline -args -update -->\n"
	replayEnd   = "<!-- replay keys end -->\n"
)

func TestReadmeListsTheKeysThatThereAre(t *testing.T) {
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), keysBegin)
	_, after, also := strings.Cut(rest, keysEnd)
	if !ok || !also {
		t.Fatalf("the marks of the key table are gone")
	}
	want := before + keysBegin + (*action.Map)(nil).Markdown() + keysEnd + after
	head, rest, ok := strings.Cut(want, replayBegin)
	_, tail, also := strings.Cut(rest, replayEnd)
	if !ok || !also {
		t.Fatal("the table of a recording's keys is gone")
	}
	want = head + replayBegin + (*action.Map)(nil).Recording().Markdown() + replayEnd + tail
	if *update {
		if err := os.WriteFile(readme, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(data) != want {
		t.Error("the key table is not what ui/action says (go test ./cmd/redline -args -update writes it)")
	}
}

func TestReadmeNamesOnlyFlagsThatThereAre(t *testing.T) {
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	root := start(t, nil).command(nil)
	known := map[string]bool{"--help": true, "--version": true}
	var learn func(*cobra.Command)
	learn = func(cmd *cobra.Command) {
		for _, word := range strings.Fields(cmd.Flags().FlagUsages() + cmd.PersistentFlags().FlagUsages()) {
			known[strings.TrimSuffix(word, ",")] = true
		}
		for _, c := range cmd.Commands() {
			learn(c)
		}
	}
	learn(root)
	for _, word := range strings.FieldsFunc(string(data), func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-", r) }) {
		if strings.HasPrefix(word, "--") && len(strings.Trim(word, "-")) > 0 && !known[word] {
			t.Errorf("the README names %s, which is no flag", word)
		}
	}
}
