package main

import (
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/progress"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"golang.org/x/term"

	"redline/bench"
	"redline/bench/analysis"
	"redline/bench/report"
	"redline/ui/style"
	uiterm "redline/ui/term"
)

// bar shows on one line of a terminal how far a run without a screen is. What does not fit is left out, the least important first: nothing wraps. A terminal that takes
// nothing holds up nothing. nil shows nothing.
type bar struct {
	out *printer
	// width is that of the terminal at this moment.
	width        func() int
	color, ascii bool
	// shown is the line that stands there; over: it is shown no more.
	shown string
	over  bool
}

// besides is what a terminal needs behind the bar: for the ^C that it shows, which would wrap and leave the bar behind.
const besides = 3

// clearLine goes to the beginning of the line and clears it.
const clearLine = "\r\x1b[K"

// newBar is the bar of a session; nil where nobody would see it as it is: the error output is no terminal, or one without a cursor, it is a machine of CI, or the
// objects go to the same terminal.
func (r *session) newBar() *bar {
	h := &r.set.headless
	out, ok := r.Stderr.(*os.File)
	facts := uiterm.Look(r.text, runtime.GOOS, true)
	if !ok || !r.onTerminal(out) || facts.Plain() || r.text("CI") != "" || h.quiet || (h.json || h.plain) && r.onTerminal(r.Stdout) {
		return nil
	}
	lines := newPrinter(out)
	lines.missing = func(int) string { return "" }
	return &bar{
		out: lines, color: r.text("NO_COLOR") == "" && r.set.screen.color != "none", ascii: r.ascii || facts.ASCII() && !r.set.screen.unicode,
		width: func() int {
			if w, _, err := term.GetSize(int(out.Fd())); err == nil && w > 0 {
				return w
			}
			return usualWidth
		},
	}
}

// onTerminal tells whether what is written somewhere is seen on a terminal.
func (m *Main) onTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// draw shows a snapshot.
func (b *bar) draw(s *bench.Snapshot) {
	if b == nil || b.over {
		return
	}
	if line := b.line(report.Glance(s), s, b.width()-besides); line != b.shown {
		b.shown = line
		b.out.put(clearLine + line)
	}
}

// clear takes the bar away for good, and waits until it has gone.
func (b *bar) clear() {
	if b == nil || b.over {
		return
	}
	b.over = true
	b.out.put(clearLine)
	_ = b.out.close() // What follows on the terminal tells of it.
}

// Widths of the bar itself, in cells; it gives way to what it would push out.
const (
	leastBar = 8
	mostBar  = 32
)

// line is the bar with the parts behind it that there is room for, no wider than so many cells.
func (b *bar) line(parts []report.Part, s *bench.Snapshot, width int) string {
	set := style.Set{Glyphs: style.Unicode}
	if b.ascii {
		set.Glyphs = style.ASCII
	}
	done, ok := report.Progress(s)
	for {
		var words []string
		for _, p := range parts {
			words = append(words, set.Plain(p.Text))
		}
		text := strings.Join(words, "  ")
		room, least := width-ansi.StringWidth(text), lightest(parts)
		switch {
		case ok && room >= leastBar+2:
			return b.filled(done, s, min(room-2, mostBar)) + "  " + text
		case room >= 0 && (!ok || len(parts) == 0 || parts[least].Weight >= report.Essential):
			return text
		case len(parts) < 2:
			return ansi.Truncate(text, max(width, 0), "")
		}
		parts = slices.Delete(slices.Clone(parts), least, least+1)
	}
}

// lightest is the part that goes first.
func lightest(parts []report.Part) int {
	least := 0
	for i, p := range parts {
		if p.Weight < parts[least].Weight {
			least = i
		}
	}
	return least
}

// filled is the bar itself, so many cells wide: green while the promises of the present level are kept, red where one is broken.
func (b *bar) filled(done float64, s *bench.Snapshot, width int) string {
	o := []progress.Option{progress.WithoutPercentage(), progress.WithWidth(width), progress.WithColorProfile(termenv.Ascii), progress.WithSolidFill("6")}
	if b.ascii {
		o = append(o, progress.WithFillCharacters('#', '-'))
	}
	if b.color {
		o = append(o, progress.WithColorProfile(termenv.ANSI))
		if l := s.Level(); l != nil {
			switch kept, broken := analysis.Judged(l.Verdicts); {
			case broken:
				o = append(o, progress.WithSolidFill("1"))
			case kept:
				o = append(o, progress.WithSolidFill("2"))
			}
		}
	}
	p := progress.New(o...)
	p.EmptyColor = "8"
	return p.ViewAs(done)
}
