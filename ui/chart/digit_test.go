package chart

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"redline/ui/style"
)

func TestBigDigitsStandInThreeRows(t *testing.T) {
	var b strings.Builder
	row := style.NewRow(sets["unicode"])
	for _, text := range []string{"0123456789", "40", "1.5k", "–", ""} {
		for y := range BigRows {
			row.Start(60)
			DrawBig(row, style.Big, text, y)
			if row.Cells() != BigWidth(sets["unicode"], text) {
				t.Errorf("%q row %d is %d cells, want %d", text, y, row.Cells(), BigWidth(sets["unicode"], text))
			}
			b.WriteString(strings.TrimRight(ansi.Strip(row.String()), " ") + "\n")
		}
	}
	golden(t, "digits", b.String())
}

func TestBigDigitsArePlainInASCII(t *testing.T) {
	row := style.NewRow(sets["ascii"])
	for y, want := range []string{"  |", "40|", "  |"} {
		row.Start(3)
		DrawBig(row, style.Big, "40", y)
		if got := row.Put(style.FG, "|").String(); got != want {
			t.Errorf("row %d is %q, want %q", y, got, want)
		}
	}
}

func TestBigDigitsLeaveOutWhatTheyHaveNot(t *testing.T) {
	row := style.NewRow(sets["unicode"])
	for y := -1; y <= BigRows; y++ {
		row.Start(60)
		DrawBig(row, style.Big, "4x0é", y)
		if row.Cells() != BigWidth(sets["unicode"], "40") {
			t.Errorf("row %d is %d cells", y, row.Cells())
		}
	}
}
