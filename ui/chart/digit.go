package chart

import "redline/ui/style"

// BigRows is the height of big digits in rows.
const BigRows = 3

// bigDigits are drawn with heavy box lines, three cells wide (the point is one).
var bigDigits = map[rune][BigRows]string{
	'0': {"┏━┓", "┃ ┃", "┗━┛"},
	'1': {"╺┓ ", " ┃ ", "╺┻╸"},
	'2': {"╺━┓", "┏━┛", "┗━╸"},
	'3': {"╺━┓", "╺━┫", "╺━┛"},
	'4': {"╻ ╻", "┗━┫", "  ╹"},
	'5': {"┏━╸", "┗━┓", "╺━┛"},
	'6': {"┏━╸", "┣━┓", "┗━┛"},
	'7': {"╺━┓", "  ┃", "  ╹"},
	'8': {"┏━┓", "┣━┫", "┗━┛"},
	'9': {"┏━┓", "┗━┫", "╺━┛"},
	'k': {"╻ ╻", "┣┳┛", "╹┗╸"},
	'.': {" ", " ", "▖"},
	'–': {"   ", "╺━╸", "   "},
}

// BigWidth is how many cells text takes in big digits. What has no big form takes none. In ASCII it is the text's own width.
func BigWidth(set *style.Set, text string) int {
	if set.Glyphs.ASCII {
		return set.Width(text)
	}
	width := 0
	for _, c := range text {
		if form, ok := bigDigits[c]; ok {
			if width > 0 {
				width++
			}
			width += set.Width(form[0])
		}
	}
	return width
}

// DrawBig writes row y (0 to 2) of text in big digits: 0 to 9, point, k and –, one cell apart. In ASCII it is the plain number
// on the middle row.
func DrawBig(row *style.Row, look style.Token, text string, y int) {
	if row.Set().Glyphs.ASCII {
		if y == BigRows/2 {
			row.Put(look, text)
		} else {
			row.Blank(BigWidth(row.Set(), text))
		}
		return
	}
	if y < 0 || y >= BigRows {
		row.Blank(BigWidth(row.Set(), text))
		return
	}
	first := true
	for _, c := range text {
		form, ok := bigDigits[c]
		if !ok {
			continue
		}
		if !first {
			row.Blank(1)
		}
		row.Put(look, form[y])
		first = false
	}
}
