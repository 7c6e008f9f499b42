package view

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// helpLine is a heading, or a key with its words; the zero value is a blank line.
type helpLine struct{ title, keys, words string }

// helpColumn is the least width of a column of help; leastKeys and mostKeys bound the cells before its words.
const (
	helpColumn = 58
	leastKeys  = 12
	mostKeys   = 20
)

// helpKeys are the cells before the words of help: those of the longest keys, which may be others than the table's.
func (f *frame) helpKeys() int {
	cells := leastKeys
	for _, b := range f.st.Keys.Rows() {
		cells = max(cells, f.st.Set.Width(b.Show)+3)
	}
	return min(cells, mostKeys, max(f.W/3, leastKeys))
}

// help draws the table of actions, and the signs, over the whole screen but for the first and the last line.
func (f *frame) help() {
	if f.Density >= layout.Small {
		f.headLine()
	} else {
		f.listHead()
	}
	columns := f.helpPages()
	if f.st.HelpWords != "" && len(columns[0]) == 0 {
		columns[0] = []helpLine{{words: "nothing here has these words"}}
	}
	per := helpPer(f.W)
	from := min(max(f.st.HelpPage, 0)*per, max(len(columns)-1, 0))
	shown := columns[from:min(from+per, len(columns))]
	for y := range max(f.H-2, 0) {
		r := f.start()
		for c, column := range shown {
			if y < len(column) {
				r.To(c * (f.W / per))
				column[y].draw(r, f.helpKeys())
			}
		}
		f.end()
	}
	if len(f.out) < f.H {
		f.helpFoot()
	}
}

func (l helpLine) draw(r *style.Row, keys int) {
	if l.title != "" {
		r.Blank(1).Put(style.Accent, l.title)
		return
	}
	r.Blank(2).Cell(style.Strong, l.keys, keys-3).Blank(1).Put(style.FG, l.words)
}

// helpPer is how many columns of help stand side by side.
func helpPer(w int) int { return max(w/helpColumn, 1) }

// HelpPages is how many pages the help has on a screen.
func HelpPages(s *bench.Snapshot, st *State) int {
	f := &frame{Plan: st.Plan(), s: s, live: s, st: st, g: st.Set.Glyphs, level: s.Level(), scope: &nothing}
	if f.level != nil {
		f.scope = &f.level.Summary
	}
	per := helpPer(st.W)
	return (len(f.helpPages()) + per - 1) / per
}

// helpPages is the help in columns for a screen, groups kept whole where they fit. Words that are wider than a column go on in the next line.
func (f *frame) helpPages() [][]helpLine {
	per, rows := helpPer(f.W), max(f.H-2, 1)
	groups := f.helpGroups(f.W/per - f.helpKeys() - 1)
	total := 0
	for _, g := range groups {
		total += len(g) + 1
	}
	// The lowest columns that need no more room than the screen is wide; else full ones.
	for limit := min(total/per, rows); limit <= rows; limit++ {
		if out := pack(groups, limit); len(out) <= per {
			return out
		}
	}
	return pack(groups, rows)
}

// pack puts groups into columns of so many rows. A group that does not fit begins a column, unless the present one would stay half empty; where it goes
// on in the next one its heading stands there again.
func pack(groups [][]helpLine, rows int) [][]helpLine {
	var out [][]helpLine
	var column []helpLine
	for _, g := range groups {
		if n := len(column); n > 0 && n+1+len(g) > rows && (n > rows/2 || n+3 > rows) {
			out, column = append(out, column), nil
		}
		if len(column) > 0 {
			column = append(column, helpLine{})
		}
		for i, l := range g {
			if len(column) >= rows {
				out, column = append(out, column), nil
				if i > 0 && rows > 2 {
					column = append(column, g[0])
				}
			}
			column = append(column, l)
		}
	}
	return append(out, column)
}

// helpGroups is the table of actions, what belongs to the present view first, and then the signs, their words in lines of so many cells.
func (f *frame) helpGroups(width int) [][]helpLine {
	var out [][]helpLine
	words := strings.Fields(strings.ToLower(f.st.HelpWords))
	add := func(title string, rows []action.Row) {
		g := []helpLine{{title: title}}
		for _, row := range rows {
			if has(words, title, row.Keys, row.Name, row.Help) {
				g = f.explain(g, row.Keys, row.Help, width)
			}
		}
		if len(g) > 1 {
			out = append(out, g)
		}
	}
	pairs := func(title string, all [][2]string) {
		var rows []action.Row
		for _, s := range all {
			rows = append(rows, action.Row{Keys: s[0], Help: s[1]})
		}
		add(title, rows)
	}
	sections := f.st.Keys.Sections()
	here, sections := f.apart(sections)
	add("in "+f.st.View.Title(), here)
	for _, s := range sections {
		add(s.Title, s.Rows)
	}
	pairs("this run", f.facts())
	signs := f.signs()
	if f.st.Replay != nil {
		signs = append(signs, [2]string{f.g.Annotation, "a note that was added to the recording; it begins no level"})
	}
	pairs("signs", signs)
	return out
}

// apart takes out of the sections what works in the present view and not in all.
func (f *frame) apart(sections []action.Section) (here []action.Row, rest []action.Section) {
	for _, s := range sections {
		var rows []action.Row
		for _, row := range s.Rows {
			if slices.Contains(row.Views, f.st.View) {
				here = append(here, row)
			} else {
				rows = append(rows, row)
			}
		}
		rest = append(rest, action.Section{Title: s.Title, Rows: rows})
	}
	return here, rest
}

// has tells whether texts have all the words among them.
func has(words []string, texts ...string) bool {
	all := strings.ToLower(strings.Join(texts, " "))
	for _, w := range words {
		if !strings.Contains(all, w) {
			return false
		}
	}
	return true
}

// explain adds keys or a sign with words, in as many lines as it takes.
func (f *frame) explain(to []helpLine, keys, words string, width int) []helpLine {
	line := ""
	for _, word := range strings.Fields(words) {
		// A word that is wider than a line goes on in the next.
		for f.st.Set.Width(word) > max(width, 1) {
			head, rest := f.split(word, width)
			if line != "" {
				to = append(to, helpLine{keys: keys, words: line})
				keys, line = "", ""
			}
			to = append(to, helpLine{keys: keys, words: head})
			keys, word = "", rest
		}
		switch {
		case line == "":
			line = word
		case f.st.Set.Width(line)+1+f.st.Set.Width(word) <= width:
			line += " " + word
		default:
			to = append(to, helpLine{keys: keys, words: line})
			keys, line = "", word
		}
	}
	return append(to, helpLine{keys: keys, words: line})
}

// split takes as much of a word as fits a width, at least one character.
func (f *frame) split(word string, width int) (head, rest string) {
	for i := range word {
		if i > 0 && f.st.Set.Width(word[:i]) > width {
			return word[:at(word, i)], word[at(word, i):]
		}
	}
	return word, ""
}

// at is where the character before byte i begins, but never 0.
func at(word string, i int) int {
	_, size := utf8.DecodeLastRuneInString(word[:i])
	if i == size {
		return i
	}
	return i - size
}

// signs are the signs of numbers and pictures with what they mean.
func (f *frame) signs() [][2]string {
	g, d := f.g, f.drawn()
	return [][2]string{
		{"~", "few samples yet, or a forecast"},
		{"≈", "scaled from under a minute, tokens in chunks, or a change that may be noise"},
		{"±", "95% interval of a mean; a step's size"},
		{f.deltaSign(), "change against another level, which is named above it"},
		{g.OK + " " + g.Fail, "promise kept, broken"},
		{"≥", "of streams: 95 or 99 of 100 are at least that fast"},
		{d.Marker, "the load changed, or a note was written"},
		{g.Up + " " + g.Down + " " + g.Note, "load up, load down, note; a bar above the scale"},
		{d.Bars[5] + " " + d.Bars[5], "right of now: what a profile will set"},
		{d.Drain, "load bar: above the target, running out"},
		{d.Held, "load bar: held back after a failure"},
		{d.Free, "load bar: free"},
		{"grey", "few samples in a lane; numbers of the level before"},
		{"red " + d.OverFull, "in a lane: over a promise, or under a floor"},
	}
}

// facts are what holds for the whole run.
func (f *frame) facts() [][2]string {
	run := f.s.Run
	if run == nil {
		return [][2]string{{"–", "none yet"}}
	}
	how := run.API.String() + " stream"
	if v := version(run); v != "" {
		how += ", " + v
	}
	if run.Address != "" {
		how += ", address " + run.Address
	}
	out := [][2]string{{"asked", how}, {"limits", run.Limits.Words(limitLength)}}
	if f.counted() {
		out = append(out, [2]string{"tokens", "counted by " + f.source().text})
	}
	out = append(out, [2]string{"client", f.client()})
	if sound(f.scope.Chars) {
		out = append(out, [2]string{"output", chart.Num(f.scope.OutputRate) + " tok/s, " + chart.Num(f.scope.Chars) + " characters/s of all streams"})
	}
	if share := run.QuotaReserve; share > 0 && share <= 1 {
		out = append(out, [2]string{"reserve", percent(bench.Some(100*share)) + " of each quota is left to others"})
	}
	for _, n := range run.Notes {
		out = append(out, [2]string{"note", n})
	}
	return out
}

// client is what this process sees of itself: whether it could be the cause of what is on the screen.
func (f *frame) client() string {
	h := &f.s.Health
	out := or(h.Strain.String(), "ok")
	if h.Why != "" {
		out += " (" + h.Why + ")"
	}
	out += ": in the last second cpu " + percent(bench.Some(100*h.CPU))
	if v := h.Lag(); sound(v) {
		out += ", p99 of how late its instants were " + chart.Num(v) + " ms"
	}
	if v := h.SendLag; sound(v) && f.s.Target.Mode == bench.Open {
		out += ", its sends " + chart.Num(v) + " ms"
	}
	if s := f.s.Strained; s[0]+s[1] > 0 {
		out += "; busy for " + length(time.Duration(s[0])*time.Second) + " of the run, saturated for " + length(time.Duration(s[1])*time.Second)
	}
	return out
}

// helpFoot tells how to go on, and what this screen costs; or it is the line into which words are typed.
func (f *frame) helpFoot() {
	r := f.start()
	defer f.end()
	if f.st.Entry != nil {
		f.entry(r)
		return
	}
	keys := f.st.Keys
	r.Blank(1).Put(style.Strong, "esc")
	if f.st.HelpWords != "" {
		r.Put(style.Dim, " all of it  ").Put(style.Strong, keys.Key(action.Filter)).Cut(style.Accent, " "+f.st.HelpWords, 16)
	} else {
		r.Put(style.Dim, " close")
		if key := keys.Key(action.Filter); f.W >= 60 {
			r.Put(style.Strong, "  "+key).Put(style.Dim, " search")
		}
	}
	if pages := HelpPages(f.s, f.st); pages > 1 {
		next := " more ("
		if f.st.HelpPage+1 >= pages {
			next = " closes too ("
		}
		r.Put(style.Strong, "  "+keys.Key(action.Help)).Put(style.Dim, next+strconv.Itoa(f.st.HelpPage+1)+" of "+strconv.Itoa(pages)+")")
	}
	f.rightAligned(r, []part{{style.Dim, f.cost(r.Left() - 2)}})
}

// cost is what this screen costs, in the longest words that fit.
func (f *frame) cost(room int) string {
	looks := strconv.Itoa(max(f.st.FPS, 1)) + " looks/s"
	forms := []string{looks}
	if f.st.BytesPerSecond >= 0 {
		bytes := chart.Num(bench.Some(f.st.BytesPerSecond/1000)) + " KB/s"
		if cpu := f.st.Drawing; sound(cpu) {
			bytes += ", " + strconv.FormatFloat(100*cpu.V, 'f', 1, 64) + "% of a core"
		}
		forms = []string{"this screen: " + bytes + ", " + looks, bytes + ", " + looks, bytes}
	}
	if cpu := bench.Some(100 * f.s.Health.CPU); sound(cpu) && cpu.V > 0 && f.Density >= layout.Compact {
		forms = append([]string{forms[0] + ", CPU " + percent(cpu)}, forms...)
	}
	for _, text := range forms {
		if f.st.Set.Width(text) <= room {
			return text
		}
	}
	return ""
}
