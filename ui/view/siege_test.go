package view

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// siege are words that a terminal would obey, reorder, join or measure in more than one way. Each is in every text of a run at once.
var siege = []string{
	"\x1b[31mred\x1b[0m\x1b[2J\x1b]0;title\x07\x1bP1$r\x1b\\",
	"\x9b31m\u009b31m\u0085\u0090\x7f\x00\x08\r\n\t\v\f",
	"\x1b[6n\x1b[?1049l\x1b[8m\x1b[999C",
	"\u202eevil\u202c\u2066x\u2069\u200e\u200f\u061c\u2067",
	"👩‍👩‍👧‍👦🏳️‍🌈🇩🇪🇫🇷👍🏽❤️#️⃣",
	"模型名称ｆｕｌｌ한국어ﷺ𒐫",
	"שלום مرحبا 123 עולם",
	"e\u0301\u0327a\u0489\u0301ญี่ปุ่นहिन्दीཧཱུྃ",
	"\ufeffso\u00adft\u200b\u2028x\u2029\u3164\u115f\u1160\U000e0041\ue000\u0378",
	"\xff\xfe\xc3\x28\xed\xa0\x80",
	"12345 3.14 ms 99% 1,024 -7",
	"",
}

// ours is the only sequence that a row may have: a look.
var ours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// shows checks a frame: it keeps to the screen by two measures of different makers, and there is nothing in it that a terminal would obey but our own looks.
// A frame in ASCII has nothing else.
func shows(t *testing.T, rows []string, st *State, what string) bool {
	t.Helper()
	w, h := st.W, st.H
	if len(rows) > h {
		t.Errorf("%s at %d×%d: %d rows", what, w, h, len(rows))
		return false
	}
	for i, row := range rows {
		plain := ours.ReplaceAllString(row, "")
		if a, b := ansi.StringWidth(plain), uniseg.StringWidth(plain); a > w || b > w {
			t.Errorf("%s at %d×%d: row %d has %d cells, %d by another measure: %q", what, w, h, i, a, b, plain)
			return false
		}
		for _, c := range plain {
			if st.Set.Glyphs.ASCII && c > '~' {
				t.Errorf("%s at %d×%d: row %d is no ASCII: %q", what, w, h, i, plain)
				return false
			}
			if unicode.In(c, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co, unicode.Zl, unicode.Zp) || c == unicode.ReplacementChar || unicode.In(c, unicode.Variation_Selector) {
				t.Errorf("%s at %d×%d: row %d brings %U to the terminal: %q", what, w, h, i, c, plain)
				return false
			}
		}
	}
	return true
}

// besieged is the state in which the operator looks at a run with such a word, and has typed it too. The snapshot is a copy.
func besieged(s *bench.Snapshot, j *bench.Journal, word, look string, w, h int) (*bench.Snapshot, *State) {
	c := *s
	s = &c
	st := state(look, w, h)
	st.Journal, st.Notice = j, word
	for v := range st.Filter {
		st.Row[v] = 1
	}
	return s, st
}

// openings are what may be open in a view or before it.
var openings = []struct {
	name string
	set  func(st *State, s *bench.Snapshot, word string)
}{
	{"nothing", func(*State, *bench.Snapshot, string) {}},
	{"what is chosen", func(st *State, _ *bench.Snapshot, _ string) {
		st.Expanded, st.Chosen, st.Inspecting, st.Request = true, true, true, 12
	}},
	{"the cursor, a filter and a ghost", func(st *State, s *bench.Snapshot, word string) {
		st.Cursor, st.Ghost, st.Filter[st.View] = bench.MarkAt(s.At-20*time.Second), s.Levels[0], word
	}},
	{"a question", func(st *State, s *bench.Snapshot, word string) {
		st.Mode, s.Ask = action.Asked, &bench.Ask{Text: word}
	}},
	{"an entry with a problem", func(st *State, _ *bench.Snapshot, word string) {
		st.Entry = &Entry{For: ForNote, Prompt: "note", Text: word, Hint: word, Problem: word}
	}},
	{"the palette", func(st *State, _ *bench.Snapshot, word string) {
		st.Mode, st.Palette, st.Entry = action.Commanding, &Palette{}, &Entry{For: ForCommand, Prompt: ":", Text: word, Problem: word}
	}},
	{"the help", func(st *State, _ *bench.Snapshot, word string) { st.Mode, st.HelpWords = action.Helping, word }},
	{"the profile", func(st *State, _ *bench.Snapshot, word string) {
		st.Mode, st.Sheet, st.Entry = action.Planning, &Sheet{Plan: &bench.Profile{Text: word, Rounds: 1, Stages: []bench.Stage{{To: 4, Span: time.Minute}}}}, &Entry{For: ForProfile, Prompt: "profile", Text: word}
	}},
}

// TestNoWordOfAnybodyBreaksAFrame plants hostile words into every text of a snapshot and a journal, and draws all views at all densities.
func TestNoWordOfAnybodyBreaksAFrame(t *testing.T) {
	if raced {
		t.Skip("it draws for long, in one goroutine")
	}
	words := append(append([]string{}, siege...), strings.Join(siege, " "), strings.Repeat(siege[4]+siege[5], 12))
	for n, word := range words {
		run, journal := viewtest.Besieged(word)
		for v := range action.NumViews {
			for i, size := range sizes {
				for l, look := range []string{"ansi", "ascii"} {
					screen := NewScreen()
					for o, open := range openings {
						if (o+i+n+int(v))%6 != 3*l {
							continue
						}
						s, st := besieged(run, journal, word, look, size[0], size[1])
						st.View = v
						open.set(st, s, word)
						st.Private = i == 2 && look == "ascii"
						if !shows(t, screen.Rows(s, st), st, fmt.Sprintf("%q in %v with %s, %s", word, v, open.name, look)) {
							return
						}
					}
				}
			}
		}
	}
}

// TestNoMixOfWordsBreaksAFrame is the same with words that are put together by chance, at any size.
func TestNoMixOfWordsBreaksAFrame(t *testing.T) {
	if raced {
		t.Skip("it draws for long, in one goroutine")
	}
	r := rand.New(rand.NewPCG(21, 22))
	for range 120 {
		word := ""
		for range 1 + r.IntN(5) {
			some := siege[r.IntN(len(siege))]
			from := r.IntN(len(some) + 1)
			word += some[from : from+r.IntN(len(some)-from+1)]
		}
		w, h := 1+r.IntN(220), 1+r.IntN(70)
		run, journal := viewtest.Besieged(word)
		s, st := besieged(run, journal, word, []string{"ansi", "ascii", "mono"}[r.IntN(3)], w, h)
		for _, chance := range chances {
			chance(r, s, st)
		}
		open := openings[r.IntN(len(openings))]
		open.set(st, s, word)
		if !shows(t, NewScreen().Rows(s, st), st, fmt.Sprintf("%q in %v with %s", word, st.View, open.name)) {
			return
		}
	}
}
