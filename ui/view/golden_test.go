package view

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"redline/ui/view/viewtest"
)

var update = flag.Bool("update", false, "write the golden frames anew")

// essential are the scenes that are kept in every look; the others in one.
var essential = []viewtest.Scene{viewtest.Ready, viewtest.Running, viewtest.Breach, viewtest.Paused, viewtest.Draining, viewtest.Down, viewtest.Warming, viewtest.Done,
	viewtest.Open, viewtest.Unsent, viewtest.Overload, viewtest.Profiled, viewtest.Handheld, viewtest.Sheet, viewtest.Busy, viewtest.Saturated, viewtest.Warmup, viewtest.Works}

// coloured are the scenes that are kept with the colours of the default theme too.
var coloured = essential[:8]

// TestGoldenFrames compares every scene at every size with the frames that were looked at and found good.
func TestGoldenFrames(t *testing.T) {
	for _, look := range []string{"plain", "ansi", "mono", "ascii"} {
		for _, scene := range viewtest.Scenes {
			if look != "plain" && !slices.Contains(essential, scene) || look == "ansi" && !slices.Contains(coloured, scene) {
				continue
			}
			t.Run(look+"/"+string(scene), func(t *testing.T) {
				var b strings.Builder
				for _, size := range sizes {
					s, st := dressed(scene, look, size[0], size[1])
					fmt.Fprintf(&b, "== %d×%d\n", size[0], size[1])
					for _, row := range NewScreen().Rows(s, st) {
						b.WriteString(strings.ReplaceAll(row, "\x1b", "␛") + "\n")
					}
				}
				path := filepath.Join("testdata", look, string(scene)+".txt")
				if *update {
					if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if got := b.String(); got != string(want) {
					t.Errorf("%s differs (run with -update after looking):\n%s", path, difference(string(want), got))
				}
			})
		}
	}
}

// difference is the first lines that differ.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	var b strings.Builder
	shown := 0
	for i := range max(len(w), len(g)) {
		a, c := "", ""
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			c = g[i]
		}
		if a != c && shown < 6 {
			fmt.Fprintf(&b, "line %d\n  want %s\n  got  %s\n", i+1, a, c)
			shown++
		}
	}
	return b.String()
}
