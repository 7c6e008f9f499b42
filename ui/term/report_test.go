package term

import (
	"bytes"
	"strings"
	"testing"
)

func TestAReportIsFoundAmongKeys(t *testing.T) {
	for _, c := range []struct {
		why    string
		pieces []string
		rest   string
		cells  Cells
		found  bool
	}{
		{"one cell", []string{"\x1b[5;18R"}, "", 1, true},
		{"two cells", []string{"\x1b[5;19R"}, "", 2, true},
		{"on the first row", []string{"\x1b[1;18R"}, "", 1, true},
		{"keys before and behind", []string{"+\x1b[5;18Rq"}, "+q", 1, true},
		{"in single bytes, when nobody gives up in between", []string{"\x1b", "[", "5", ";", "1", "8", "R"}, "", 1, true},
		{"only the first is awaited", []string{"\x1b[5;18R\x1b[1;2R"}, "\x1b[1;2R", 1, true},
		{"F3 with shift, with alt, and with all that there is", []string{"\x1b[1;2R\x1b[1;3R\x1b[1;16R"}, "\x1b[1;2R\x1b[1;3R\x1b[1;16R", 0, false},
		{"an arrow and a wheel", []string{"\x1b[A\x1b[<64;18;9M"}, "\x1b[A\x1b[<64;18;9M", 0, false},
		{"no width has such a column", []string{"\x1b[5;40R"}, "", 0, true},
		{"a number without end", []string{"\x1b[5;" + strings.Repeat("1", 40) + "R"}, "\x1b[5;" + strings.Repeat("1", 40) + "R", 0, false},
		{"garbage", []string{"\x1b[;R\x1b[5R\x1b[5;R\x1b[?5;18R\x00\xff"}, "\x1b[;R\x1b[5R\x1b[5;R\x1b[?5;18R\x00\xff", 0, false},
		{"escape before it", []string{"\x1b\x1b[5;18R"}, "\x1b", 1, true},
		{"a half", []string{"x\x1b[5;1"}, "x", 0, false},
	} {
		var r report
		var rest []byte
		for _, piece := range c.pieces {
			rest = r.pass(rest, []byte(piece))
		}
		if string(rest) != c.rest || r.cells() != c.cells || r.found != c.found {
			t.Errorf("%s: rest %q, %d cells, found %v, want %q, %d, %v", c.why, rest, r.cells(), r.found, c.rest, c.cells, c.found)
		}
	}
}

func TestALateReportIsNoKey(t *testing.T) {
	for _, c := range []struct {
		why   string
		reads []string
		rest  string
	}{
		{"whole", []string{"+", "\x1b[1;18R", "q"}, "+q"},
		{"in two reads", []string{"\x1b[1;1", "8R", "q"}, "q"},
		{"behind its escape", []string{"\x1b", "[1;18R", "q"}, "\x1bq"},
		{"escape is not held back", []string{"\x1b"}, "\x1b"},
		{"nor is a bracket that follows it", []string{"\x1b", "[", "5", "q"}, "\x1b[5q"},
		{"F3 with shift stays one", []string{"\x1b[1;2R"}, "\x1b[1;2R"},
		{"an arrow that was cut", []string{"\x1b[", "A"}, "\x1b[A"},
	} {
		var r report
		var rest []byte
		for _, read := range c.reads {
			rest = r.typed(r.pass(rest, []byte(read)))
		}
		if string(rest) != c.rest {
			t.Errorf("%s: %q, want %q", c.why, rest, c.rest)
		}
	}
}

// FuzzReport: whatever comes, in whatever pieces, no key is lost or changed but the report itself, and little is held.
func FuzzReport(f *testing.F) {
	for _, text := range []string{"", "\x1b", "\x1b[5;18R", "+\x1b[5;19Rq", "\x1b\x1b[[5;;18R", "\x1b[1;2R", "\x1b[99999999999999999999;18R"} {
		f.Add([]byte(text), 3)
	}
	f.Fuzz(func(t *testing.T, all []byte, cut int) {
		var r report
		var out []byte
		cut = min(max(cut, 0), len(all))
		for _, piece := range [][]byte{all[:cut], all[cut:]} {
			out = r.typed(r.pass(out, piece))
			if len(r.held) > longestReport {
				t.Fatalf("holds %q", r.held)
			}
		}
		whole := append(bytes.Clone(out), r.held...)
		switch {
		case !r.found && !bytes.Equal(whole, all):
			t.Errorf("%q became %q", all, whole)
		case r.found && (len(r.held) > 0 || len(out) > len(all)-len("[1;18R")):
			t.Errorf("%q became %q, and the report was found", all, out)
		}
	})
}
