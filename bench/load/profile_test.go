package load

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"redline/bench"
)

func TestProfileIsReadFromAFile(t *testing.T) {
	for _, c := range []struct {
		what, text string
		mode       bench.Mode
		want       string
		wantMode   bench.Mode
	}{
		{"stages of the closed loop", `
[[stage]]
load = 4
for = "1m"
[[stage]]
from = 4
to = 32
for = "1m30s"
[[stage]]
load = 128
spike = true
for = "5s"
[[stage]]
to = 8
for = "1h"
`, bench.Closed, "4:1m, ramp 4..32 in 1m30s, spike 128 for 5s, ramp ..8 in 1h", bench.Closed},
		{"the file's mode goes before the one given, wherever it stands", "mode = \"open\"\nrepeat = 2\nstage = [{load = 2.5, for = \"1m\"}, {load = \"150/m\", for = \"1m\"}]",
			bench.Closed, "2.5:1m, 2.5:1m x2", bench.Open},
		{"the mode given holds without one", "[[stage]]\nfrom = \"60/m\"\nto = 2\nfor = \"20s\"", bench.Open, "ramp 1..2 in 20s", bench.Open},
		{"a whole number may have a point", "[[stage]]\nload = 4.0\nfor = \"20s\"", bench.Closed, "4:20s", bench.Closed},
		{"a spike that is none", "[[stage]]\nload = 4\nspike = false\nfor = \"20s\"", bench.Closed, "4:20s", bench.Closed},
		{"lines may end as on Windows", "repeat = 3\r\n[[stage]]\r\nload = 4\r\nfor = \"20s\"\r\n", bench.Closed, "4:20s x3", bench.Closed},
	} {
		p, err := ReadProfile(strings.NewReader(c.text), "steps.toml", c.mode)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if p.String() != c.want || p.Mode != c.wantMode || p.Text != "steps.toml" {
			t.Errorf("%s: %v (%v), want %v (%v)", c.what, p, p.Mode, c.want, c.wantMode)
		}
	}
}

func TestProfileFileErrorsNameTheLine(t *testing.T) {
	const whole = "want a whole number of requests in flight, 0 to 1000000"
	for _, c := range []struct {
		what, text string
		want       []string
	}{
		{"an empty file", "", []string{"p.toml:1: stage: want one or more [[stage]]"}},
		{"no TOML", "mode = \"open\"\n[[stage]]\nload = = 4\n", []string{"p.toml:3: "}},
		{"a key given twice", "repeat = 2\nrepeat = 3\n", []string{"p.toml:2: "}},
		{"unknown keys", "rounds = 2\n[[stage]]\nload = 4\nspan = \"1m\"\nfor = \"1m\"\n",
			[]string{"p.toml:1: rounds: no such key, want mode, repeat, stage", "p.toml:4: span: no such key, want load, from, to, for, spike"}},
		{"an unknown table", "[[stage]]\nload = 4\nfor = \"1m\"\n[more]\nx = 1\n", []string{"p.toml:4: more: no such key"}},
		{"a mode that is none", "mode = \"ajar\"\n[[stage]]\nload = 4\nfor = \"1m\"\n", []string{`p.toml:1: mode "ajar": want "closed" or "open"`}},
		{"a repeat that is no number", "repeat = \"3\"\n[[stage]]\nload = 4\nfor = \"1m\"\n", []string{`p.toml:1: repeat "3": want a whole number, 1 to 10000`}},
		{"a repeat that is too large", "repeat = 10001\n[[stage]]\nload = 4\nfor = \"1m\"\n", []string{`p.toml:1: repeat 10001: want a whole number, 1 to 10000`}},
		{"a stage without its length", "[[stage]]\nload = 4\n\n[[stage]]\nload = 8\nfor = \"1m\"\n\n[[stage]]\nload = 4\n",
			[]string{"p.toml:1: a stage without for", "p.toml:8: a stage without for", `for = "1m"`}},
		{"a length that is a number", "[[stage]]\nload = 4\nfor = 60\n", []string{`p.toml:3: for 60: want a length of time in quotes`}},
		{"a length that is too short", "[[stage]]\nload = 4\nfor = \"5ms\"\n", []string{`p.toml:3: for: span "5ms": want 1s to 720h`}},
		{"a load that is no number", "[[stage]]\nload = true\nfor = \"1m\"\n", []string{`p.toml:2: load true: want a number`}},
		{"a part of a request", "[[stage]]\nload = 4.5\nfor = \"1m\"\n", []string{`p.toml:2: load "4.5": ` + whole}},
		{"a load below 0", "[[stage]]\nto = -4\nfor = \"1m\"\n", []string{`p.toml:2: to: load "-4": ` + whole}},
		{"a rate in the closed loop", "[[stage]]\nload = \"4/s\"\nfor = \"1m\"\n", []string{`p.toml:2: load "4/s": a rate is for the open loop, ` + whole}},
		{"a rate that is no number", "mode = \"open\"\n[[stage]]\nload = inf\nfor = \"1m\"\n", []string{`p.toml:3: load "+Inf": want requests a second or a minute, 0/s to 1000000/s`}},
		{"a load and a ramp", "[[stage]]\nload = 4\nto = 8\nfor = \"1m\"\n", []string{"p.toml:2: load beside from or to"}},
		{"half a ramp", "[[stage]]\nfrom = 4\nfor = \"1m\"\n", []string{"p.toml:2: from without to"}},
		{"no load", "[[stage]]\nfor = \"1m\"\n", []string{"p.toml:1: a stage without a load"}},
		{"a spike that is a ramp", "[[stage]]\nto = 4\nspike = true\nfor = \"1m\"\n", []string{"p.toml:3: spike beside to"}},
		{"a spike that is a word", "[[stage]]\nload = 4\nspike = \"yes\"\nfor = \"1m\"\n", []string{`p.toml:3: spike "yes": want true or false`}},
		{"stages that are none", "mode = \"open\"\nstage = 5\n", []string{"p.toml:2: stage: want one or more [[stage]]"}},
		{"one table in place of a list", "mode = \"open\"\n[stage]\nload = 4\n", []string{"p.toml:2: stage: want one or more [[stage]]"}},
		{"a list of other things", "mode = \"open\"\nstage = [5]\n", []string{"p.toml:2: stage 5: want a table"}},
		{"a fault in braces has the line of its list", "mode = \"open\"\nstage = [{load = \"x\", for = \"1m\"}]\n", []string{`p.toml:2: load "x"`}},
		{"too long in all", "repeat = 2\n[[stage]]\nload = 4\nfor = \"400h\"\n", []string{"p.toml:2: longer than 720h in all"}},
		{"many faults", strings.Repeat("[[stage]]\nload = 4\n", 30), []string{"p.toml:1: ", "p.toml:39: ", "p.toml: 10 more problems"}},
	} {
		_, err := ReadProfile(strings.NewReader(c.text), "p.toml", bench.Closed)
		if err == nil {
			t.Errorf("%s: no error", c.what)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nsays nothing of %q", c.what, err, want)
			}
		}
	}
}

func TestProfileFileIsBounded(t *testing.T) {
	if _, err := ReadProfile(iotest.ErrReader(errors.New("is a directory")), "p.toml", bench.Closed); err == nil || err.Error() != "p.toml: is a directory" {
		t.Error(err)
	}
	endless := io.MultiReader(strings.NewReader("# "), iotest.OneByteReader(strings.NewReader("x")), &zeros{})
	if _, err := ReadProfile(endless, "p.toml", bench.Closed); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Error(err)
	}
	var most strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&most, "[[stage]]\nload = %d\nfor = \"1m\"\n", i)
	}
	p, err := ReadProfile(strings.NewReader(most.String()), "p.toml", bench.Closed)
	if err != nil || p.Length() != 10_000*time.Minute || p.Most() != 9999 {
		t.Error(err)
	}
	if _, err := ReadProfile(strings.NewReader(most.String()+"[[stage]]\nload = 1\nfor = \"1m\"\n"), "p.toml", bench.Closed); err == nil || !strings.Contains(err.Error(), "at most 10000") {
		t.Error(err)
	}
}

// zeros is a file without end.
type zeros struct{}

func (*zeros) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '0'
	}
	return len(b), nil
}

func FuzzReadProfile(f *testing.F) {
	for _, text := range []string{
		"mode = \"open\"\nrepeat = 2\n[[stage]]\nload = 2.5\nfor = \"1m\"\n[[stage]]\nfrom = 1\nto = 4\nfor = \"1m\"\n[[stage]]\nload = 9\nspike = true\nfor = \"2s\"\n",
		"stage = [{load = 4, for = \"1m\"}]", "[stage]", "[[stage.x]]\n[[stage]]", "stage.load = 4", "[[stage]]\nload = inf\nfor = 1979-05-27\n", "[[\"stage\"]]\n\"load\" = 0x10\nfor = '1s'",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ReadProfile(strings.NewReader(text), "p.toml", bench.Closed)
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, "p.toml:") {
					t.Fatalf("an error without its file: %q", line)
				}
			}
			return
		}
		again, err := bench.ParseProfile(p.String(), p.Mode)
		if err != nil || again.String() != p.String() {
			t.Fatalf("%q reads back as %v (%v)", p, again, err)
		}
	})
}
