package view

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/view/viewtest"
)

// TestAStreamWithoutItsTextSaysSo: counts over an empty pane are not all that there is to read.
func TestAStreamWithoutItsTextSaysSo(t *testing.T) {
	for _, c := range []struct {
		sentence string
		set      func(*bench.Reading, *State)
		want     string
	}{
		{"its text comes", func(*bench.Reading, *State) {}, "212 tokens · arriving ─"},
		{"none has come since it was chosen", func(g *bench.Reading, _ *State) { g.Text = "" }, "212 tokens · waiting for its text ─"},
		{"no token either", func(g *bench.Reading, _ *State) { g.Text, g.FirstToken = "", bench.Mark{} }, "212 tokens · waiting for its first token ─"},
		{"it was over before", func(g *bench.Reading, _ *State) { g.Text, g.Over = "", true }, "212 tokens · done · ended before its text was read ─"},
		{"it has ended as it should", func(g *bench.Reading, _ *State) { g.Over = true }, "212 tokens · done ─"},
		{"what is hidden is not waited for", func(g *bench.Reading, st *State) { g.Text, st.Private = "", true }, "212 tokens · arriving · text hidden ─"},
	} {
		got := drawn(viewtest.Running, 120, 36, func(s *bench.Snapshot, st *State) {
			opened(bench.TPS)(s, st)
			c.set(&st.Journal.Reading, st)
		})
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q is not in\n%s", c.sentence, c.want, got)
		}
	}
}
