package view

import "redline/ui/style"

// part is a piece of text with a look.
type part struct {
	look style.Token
	text string
}

// ranked is a part with its importance: the lower the rank, the sooner it gets room.
type ranked struct {
	part
	rank int
}

// group is parts that stand or go together, with their importance.
type group struct {
	rank  int
	parts []part
}

// groups are those that there is room for, by importance, in their own order.
func (f *frame) groups(all []group, room int) []part {
	last := 0
	for _, g := range all {
		last = max(last, g.rank)
	}
	var fits [16]bool
	for rank := range last + 1 {
		for i, g := range all[:min(len(all), len(fits))] {
			if w := f.width(g.parts); g.rank == rank && w <= room {
				fits[i] = true
				room -= w
			}
		}
	}
	var out []part
	for i, g := range all[:min(len(all), len(fits))] {
		if fits[i] {
			out = append(out, g.parts...)
		}
	}
	return out
}

// width is the cells of several parts.
func (f *frame) width(parts []part) int {
	w := 0
	for _, p := range parts {
		w += f.st.Set.Width(p.text)
	}
	return w
}

// fitting are the parts that there is room for, by importance, in their own order.
func (f *frame) fitting(parts []ranked, room int) []part {
	var buffer [12]int
	widths, last := buffer[:0], 0
	for _, p := range parts {
		widths, last = append(widths, f.st.Set.Width(p.text)), max(last, p.rank)
	}
	out := make([]part, 0, len(parts))
	for rank := range last + 1 {
		for i, p := range parts {
			if p.rank != rank {
				continue
			}
			if widths[i] > room {
				widths[i] = -1
				continue
			}
			room -= widths[i]
		}
	}
	for i, p := range parts {
		if widths[i] >= 0 {
			out = append(out, p.part)
		}
	}
	return out
}

// beside is how many cells are left in the row beside a lane.
func (f *frame) beside(r *style.Row) int {
	if f.Side > 0 {
		return f.Label + f.Chart + f.Numbers - r.Cells() - 1
	}
	return r.Left()
}

// rightAligned writes parts at the row's right end, if there is room for them and a gap.
func (f *frame) rightAligned(r *style.Row, parts []part) {
	w := f.width(parts)
	if w == 0 || w+1 >= r.Left() {
		return
	}
	r.To(f.W - w - 1)
	for _, p := range parts {
		r.Put(p.look, p.text)
	}
}

// join is the text of several parts.
func join(parts []part) string {
	out := ""
	for _, p := range parts {
		out += p.text
	}
	return out
}
