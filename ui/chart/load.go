package chart

import (
	"math"
	"strconv"

	"redline/ui/style"
)

// Load is the load bar: one slot after another up to the most that is allowed.
type Load struct {
	// Busy slots are in use and wanted, Draining ones are in use and will not be used again, Held ones wait after a failure.
	Busy, Draining, Held int
	// Target is where the load is heading, shown while Moving.
	Target int
	// Max is the end of the bar, in slots.
	Max    int
	Moving bool
	Mode   Mode
}

// Draw writes the bar in exactly width cells. Every kind that there is shows in at least one cell, as long as there are cells.
func (l Load) Draw(row *style.Row, width int) {
	width = min(width, row.Left())
	if width <= 0 {
		return
	}
	g := l.Mode.Glyphs(row.Set())
	kinds := [...]struct {
		n     int
		look  style.Token
		glyph string
	}{
		{l.Busy, style.LaneLoad, g.Busy},
		{l.Draining, style.Dim, g.Drain},
		{l.Held, style.Warn, g.Held},
		{math.MaxInt, style.Faint, g.Free},
	}
	mark := -1
	if l.Moving {
		mark = min(l.cell(l.Target, width), width-1)
	}
	start, slots := row.Cells(), 0
	for _, k := range kinds {
		at := row.Cells() - start
		end := width
		if k.n != math.MaxInt {
			slots += min(max(k.n, 0), math.MaxInt32)
			end = l.cell(slots, width)
			if k.n > 0 && end <= at {
				end = at + 1
			}
		}
		if mark >= at && mark < end {
			row.Repeat(k.look, k.glyph, mark-at)
			row.Glyph(style.Strong, g.Target)
			at = mark + 1
		}
		row.Repeat(k.look, k.glyph, min(end, width)-at)
	}
}

// cell is where a number of slots ends.
func (l Load) cell(slots, width int) int {
	share := float64(max(slots, 0)) / float64(max(l.Max, 1))
	return int(min(share, 1)*float64(width) + 0.5)
}

// tickCells is the least distance of two ticks.
const tickCells = 6

// Ticks writes the numbers under the bar in exactly width cells: 1, then round steps, each ending under its slot.
func (l Load) Ticks(row *style.Row, width int) {
	width, l.Max = min(width, row.Left()), min(l.Max, math.MaxInt32)
	start := row.Cells()
	if width > 0 && l.Max > 0 {
		row.Put(style.Dim, "1")
		step := l.step(width)
		for n := step; n <= l.Max; n += step {
			text := strconv.Itoa(n)
			at := l.cell(n, width) - len(text)
			if n > 1 && at > row.Cells()-start {
				row.To(start+at).Put(style.Dim, text)
			}
		}
	}
	row.To(start + width)
}

// step is a round step that puts ticks far enough apart, one that ends at Max if there is any.
func (l Load) step(width int) int {
	least := max(1, int(math.Ceil(float64(tickCells*l.Max)/float64(width))))
	fallback := 0
	for unit := 1; unit <= l.Max && unit < math.MaxInt32/10; unit *= 10 {
		for _, s := range [...]int{1, 2, 4, 5, 8} {
			s *= unit
			if s < least {
				continue
			}
			if fallback == 0 {
				fallback = s
			}
			if l.Max%s == 0 && s <= 2*least {
				return s
			}
		}
	}
	for s := 16; s <= l.Max && s <= 2*least; s *= 2 {
		if s >= least && l.Max%s == 0 {
			return s
		}
	}
	return max(fallback, least)
}
