package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// column is one column of a table. Neighbours of the same group share a heading.
type column struct {
	group, name string
	// weight is its importance: where there is no room, the lightest go first.
	weight int
	cells  []string
}

// empty tells whether nothing stands in it.
func (c *column) empty() bool {
	for _, cell := range c.cells {
		if cell != "" {
			return false
		}
	}
	return true
}

// table is columns of the same length, with a word behind each row.
type table struct {
	columns []column
	words   []string
}

// fit drops columns, the empty ones first and then the lightest, until the rest is no wider than asked or only two are left; it returns
// what was dropped though there was something in it, in the table's order.
func (t *table) fit(width int) (dropped []string) {
	t.columns = slices.DeleteFunc(t.columns, func(c column) bool { return c.empty() })
	all := slices.Clone(t.columns)
	for len(t.columns) > 2 && t.width() > width {
		least := slices.MinFunc(t.columns, func(a, b column) int { return cmp.Compare(a.weight, b.weight) })
		t.columns = slices.DeleteFunc(t.columns, func(c column) bool { return c.group == least.group && c.name == least.name })
	}
	for _, c := range all {
		if !slices.ContainsFunc(t.columns, func(k column) bool { return k.group == c.group && k.name == c.name }) {
			dropped = append(dropped, strings.TrimSpace(c.group+" "+c.name))
		}
	}
	return dropped
}

// widths are those of the columns, wide enough for the headings above them.
func (t *table) widths() []int {
	out := make([]int, len(t.columns))
	for i, c := range t.columns {
		out[i] = utf8.RuneCountInString(c.name)
		for _, cell := range c.cells {
			out[i] = max(out[i], utf8.RuneCountInString(cell))
		}
	}
	for i := 0; i < len(t.columns); {
		end, sum := t.groupEnd(i), -1
		for _, w := range out[i:end] {
			sum += 1 + w
		}
		out[i] += max(0, utf8.RuneCountInString(t.columns[i].group)-sum)
		i = end
	}
	return out
}

// groupEnd is the first column behind the group that begins with column i.
func (t *table) groupEnd(i int) int {
	end := i + 1
	for end < len(t.columns) && t.columns[i].group != "" && t.columns[end].group == t.columns[i].group {
		end++
	}
	return end
}

// gap is the space before column i: more where a group begins or ends.
func (t *table) gap(i int) int {
	if i == 0 || t.columns[i].group == t.columns[i-1].group {
		return 1
	}
	return 2
}

func (t *table) width() int {
	sum := 0
	for i, w := range t.widths() {
		sum += t.gap(i) + w
	}
	return sum
}

// write writes headings and rows, numbers right. A row's word stands behind it where there is room, else on a line of its own.
func (t *table) write(b *strings.Builder, width int) {
	widths, whole := t.widths(), t.width()
	heading := ""
	for i := 0; i < len(t.columns); {
		end, room := t.groupEnd(i), -1
		for j := i; j < end; j++ {
			room += 1 + widths[j]
		}
		heading += strings.Repeat(" ", t.gap(i)) + padded(t.columns[i].group, room, false)
		i = end
	}
	if strings.TrimSpace(heading) != "" {
		b.WriteString(strings.TrimRight(heading, " ") + "\n")
	}
	b.WriteString(strings.TrimRight(t.line(widths, func(c *column) string { return c.name }), " ") + "\n")
	for row, word := range t.words {
		text := t.line(widths, func(c *column) string { return c.cells[row] })
		switch {
		case word == "":
		case whole+2+utf8.RuneCountInString(word) <= width:
			text += "  " + word
		default:
			text = strings.TrimRight(text, " ") + "\n" + clipped("        "+word, width)
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
}

// line is one row, filled up to the table's width.
func (t *table) line(widths []int, cell func(*column) string) string {
	text := ""
	for i := range t.columns {
		text += strings.Repeat(" ", t.gap(i)) + padded(cell(&t.columns[i]), widths[i], true)
	}
	return text
}

// padded fills a text up to a width, at its left or at its right.
func padded(text string, width int, left bool) string {
	blank := strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
	if left {
		return blank + text
	}
	return text + blank
}

// clipped is a text cut to a width.
func clipped(text string, width int) string {
	if r := []rune(text); len(r) > width && width > 0 {
		return string(r[:width-1]) + "…"
	}
	return text
}

// wrapped is a text broken between words so that no line is wider than asked, where that can be done.
func wrapped(text string, width int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return strings.Join(append(lines, line), "\n") + "\n"
}
