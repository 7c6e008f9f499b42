package view

import (
	"slices"
	"strconv"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/chart"
	"redline/ui/style"
)

// Widths in the legend: a name with its sign, and the load behind it.
const (
	signCells = 8
	loadCells = 7
)

// legend is what follows from the levels, a line each, for so many cells.
func (f *frame) legend(cells int) [][]part {
	var out [][]part
	line := func(sign, name, load string, rest ...part) {
		head := []part{{style.Mark, pad(f, sign, 2)}, {style.Dim, pad(f, name, signCells-2)}, {style.Strong, pad(f, load, loadCells)}}
		out = append(out, append(head, f.shortened(rest, cells-signCells-loadCells)...))
	}
	gap := func() { out = append(out, nil) }
	load, words := f.kneeWords()
	line(f.drawn().Marker, "knee", load, words...)
	load, words = f.limitWords()
	line("", "limit", load, words...)
	if f.loads.limit.Bound == analysis.Undecided && f.width(words) > cells-signCells-loadCells {
		out = append(out, []part{{style.Dim, pad(f, "", signCells+loadCells) + undecided}})
	}
	if words = f.redlineParts(); words != nil {
		out = append(out, f.shortened(words, cells))
	}
	load, words = f.peakWords()
	line("", "peak", load, words...)
	indented := func(words []part) {
		if len(words) > 0 {
			out = append(out, append([]part{{style.Dim, pad(f, "", signCells)}}, f.shortened(words, cells-signCells)...))
		}
	}
	indented(f.lawWords())
	indented(f.leftWords())
	if load, words = f.cheapestWords(); words != nil {
		line("", "cheap", load, words...)
	}
	if f.level != nil {
		line(f.drawn().Here, "here", named(f.level.Load), f.hereWords()...)
		now := f.settling(true)
		if f.width(now) > cells-2 {
			now = f.settling(false)
		}
		if len(now) > 0 {
			out = append(out, append([]part{{style.Dim, "  "}}, now...))
		}
	}
	if f.level != nil && f.priced() {
		load, words = f.costWords(f.level)
		line("", "costs", load, words...)
	}
	if c, ok := f.onward(); ok {
		gap()
		for i, l := range c.lines(f) {
			head := ""
			if i == 0 {
				head = c.head(f)
			}
			out = append(out, []part{{style.Strong, pad(f, head, signCells+loadCells)}, {style.Dim, pad(f, l.name, 10)}, {l.look, l.text}})
		}
	}
	gap()
	return append(out, f.legendSigns()...)
}

// legendSigns are what the signs on the plots mean, and what of the levels is not on them.
func (f *frame) legendSigns() (out [][]part) {
	broken := part{style.Bad, f.drawn().Settled + " broken"}
	if f.st.Set.Mono() {
		broken.text = f.drawn().Fail + " broken"
	}
	out = append(out, []part{{style.Accent, f.drawn().Settled + " kept"}, {style.FG, "  "}, broken, {style.FG, "  "}, {style.Strong, f.drawn().Here + " here"}})
	for _, w := range f.hollow() {
		out = append(out, []part{{style.Accent, f.drawn().Short}, {style.FG, " " + w.word}, {style.Dim, ": " + w.means}})
	}
	switch before, ok := f.beforeNote(); {
	case ok:
		out = append(out, []part{{style.Dim, f.drawn().Past + " before " + before}})
	case f.revisited():
		text := " an earlier visit of the same load"
		if told := f.visitsWords(); told != "" {
			text = " an earlier visit" + told
		}
		out = append(out, []part{{style.Dim, f.drawn().Past + text}})
	}
	if sign, ok := f.pastSign(); ok {
		out = append(out, []part{sign})
	}
	for _, note := range []string{f.leftOut(), f.miscountedWords()} {
		if note != "" {
			out = append(out, []part{{style.Warn, note}})
		}
	}
	return out
}

// hollowWord is a word beside a hollow point, and what it means.
type hollowWord struct{ word, means string }

// hollow are the words beside hollow points that are on the screen.
func (f *frame) hollow() []hollowWord {
	var out []hollowWord
	for _, w := range []struct {
		firm  analysis.Firmness
		means string
	}{
		{analysis.Short, "left, or not yet settled"},
		{analysis.Few, "settled, n under 100"},
		{analysis.Unsettled, "not settled in 60 s"},
	} {
		if slices.ContainsFunc(f.loads.all, func(o standing) bool { return analysis.FirmnessOf(o.level) == w.firm }) {
			out = append(out, hollowWord{w.firm.String(), w.means})
		}
	}
	return out
}

// beforeNote names the newest note before which rows on the screen were measured.
func (f *frame) beforeNote() (string, bool) {
	newest := -1
	for i, o := range f.loads.all {
		if o.earlier && (newest < 0 || o.level.ID > f.loads.all[newest].level.ID) {
			newest = i
		}
	}
	if newest < 0 {
		return "", false
	}
	return f.noted(f.loads.all[newest].until), true
}

// pad is a text in exactly n cells, at least.
func pad(f *frame, text string, n int) string {
	return text + strings.Repeat(" ", max(n-f.st.Set.Width(text), 0))
}

// shortened are parts up to a width; one that leads over to the next does not end them.
func (f *frame) shortened(parts []part, cells int) []part {
	for len(parts) > 1 && (f.width(parts) > cells || strings.HasSuffix(parts[len(parts)-1].text, " ")) {
		parts = parts[:len(parts)-1]
	}
	return parts
}

func (f *frame) arrow() string {
	if f.g.ASCII {
		return " > "
	}
	return " → "
}

// kneeWords are the knee's load and what is to say of it.
func (f *frame) kneeWords() (string, []part) {
	d := &f.loads
	why := "out bends here"
	switch d.bend {
	case analysis.Bent:
		return about(d.rough) + named(bench.Setpoint{Mode: f.curveMode(), N: d.knee.X}), []part{{style.Dim, why}}
	case analysis.TooFew:
		if why = "not enough levels"; d.on >= 4 {
			why = "too few settled"
		}
	default:
		why = "no bend yet"
	}
	out := []part{{style.Dim, why}}
	if next, ok := f.worthTrying(); ok {
		out = append(out, part{style.Dim, ": try "}, part{style.Strong, named(next)})
	}
	return chart.Absent, out
}

// worthTrying is a load that would tell more. While the present one has not settled it is that.
func (f *frame) worthTrying() (bench.Setpoint, bool) {
	if f.level != nil && f.level.Load.N > 0 && !analysis.Decided(f.level) {
		return bench.Setpoint{}, false
	}
	var tried []bench.Setpoint
	for _, o := range f.loads.all {
		if !o.earlier {
			tried = append(tried, o.load())
		}
	}
	most, _ := MostOf(f.s.Run, f.curveMode())
	return analysis.Next(tried, f.loads.limit, f.curveMode(), most.N)
}

// about marks a number that rests on few samples.
func about(rough bool) string {
	if rough {
		return "~"
	}
	return ""
}

// hereWords are what the present load does: its promises, as the first row has them.
func (f *frame) hereWords() []part {
	if f.level == nil || !analysis.Measured(f.level) {
		return nil
	}
	o := standing{level: f.level}
	o.judge(f.s)
	if o.known == 0 {
		return nil
	}
	out := f.standingWords(&o)
	if v := f.goodputOf(o.level); sound(v) {
		out = append(out, part{style.Dim, ", goodput " + reckoned(o.level.GoodputRough) + portion(v)})
	}
	return out
}

// standingWords are the promises of a load: kept, as far as they are known, or which are broken.
func (f *frame) standingWords(o *standing) []part {
	switch {
	case o.breached():
		out := []part{{style.Bad, f.g.Fail + o.names()}}
		if text := through(o.missed); text != "" {
			out = append(out, part{style.Bad, text})
		}
		return out
	case o.known > 0 && o.known < o.promises:
		return []part{{style.FG, "~ " + strconv.Itoa(o.known) + " of " + strconv.Itoa(o.promises)}}
	case o.known > 0:
		return []part{{style.Good, f.g.OK}}
	}
	return []part{{style.Dim, chart.Absent}}
}

// names are the metrics whose promises are broken: " TTFT ITL err".
func (o *standing) names() string {
	out := ""
	for m, b := range o.broken {
		switch {
		case b && bench.Metric(m) == bench.Errors:
			out += " err"
		case b:
			out += " " + bench.Metric(m).String()
		}
	}
	return out
}

// answersInBrief are knee, limit and the present load in one line, by importance.
func (f *frame) answersInBrief() []part {
	knee, words := f.kneeWords()
	kneeParts := []part{{style.Mark, f.drawn().Marker}, {style.Dim, " knee "}, {style.Strong, knee}}
	if knee == chart.Absent {
		kneeParts = append([]part{{style.Mark, f.drawn().Marker}, {style.Dim, " knee: "}}, words...)
	}
	limit, why := f.limitWords()
	limitParts := []part{{style.Dim, "   limit "}, {style.Strong, limit}}
	groups := []group{{0, kneeParts}, {0, limitParts}, {1, append([]part{{style.Dim, "  "}}, why...)}}
	if f.loads.limit.Bound == analysis.Undecided {
		// Which loads they are matters more than what follows.
		groups[2].parts = groups[2].parts[:len(why)]
		groups = append(groups, group{2, why[len(why)-1:]})
	}
	if parts := f.redlineParts(); parts != nil {
		groups = append(groups, group{1, append([]part{{style.Dim, "   "}}, parts[:3]...)})
	}
	for i, parts := range f.predictedInBrief() {
		groups = append(groups, group{3 + i, parts})
	}
	if f.level != nil {
		groups = append(groups, group{2, append([]part{{style.Strong, "   " + f.drawn().Here + " "}, {style.Dim, "here "}, {style.Strong, named(f.level.Load) + " "}}, f.hereWords()...)})
	}
	return f.groups(groups, f.W-2)
}

// peakInBrief names the predicted peak.
const peakInBrief = "   peak "

// predictedInBrief are the peak that the scalability law predicts, and the cheapest load.
func (f *frame) predictedInBrief() [][]part {
	var out [][]part
	if m := f.loads.law; m.Carried == analysis.ToPeak {
		out = append(out, []part{{style.Dim, peakInBrief}, {style.Strong, inFlightOf(m.Peak.V)}})
	}
	if load, words := f.cheapestWords(); words != nil {
		out = append(out, append([]part{{style.Dim, "   cheapest "}, {style.Strong, load + " "}}, words[0]))
	}
	return out
}

// comparedInBrief is the comparison, the progress of the present load, and what was left out, in one line.
func (f *frame) comparedInBrief() []part {
	var groups []group
	if c, ok := f.onward(); ok {
		parts := []part{{style.Strong, "  " + c.head(f)}}
		for _, l := range c.lines(f) {
			parts = append(parts, part{style.Dim, "  " + l.name + " "}, part{l.look, l.text})
		}
		groups = append(groups, group{1, parts})
	}
	if said := f.answersInBrief(); !slices.ContainsFunc(said, func(p part) bool { return p.text == peakInBrief }) {
		for i, parts := range f.predictedInBrief() {
			groups = append(groups, group{1 + i, parts})
		}
	}
	if left := f.leftWords(); left != nil {
		groups = append(groups, group{1, append([]part{{style.Dim, "   "}}, left[0])})
	}
	if text := f.miscountedWords(); text != "" {
		groups = append(groups, group{0, []part{{style.Dim, "   "}, {style.Warn, text}}})
	}
	if now := f.settling(false); len(now) > 0 {
		groups = append(groups, group{2, append([]part{{style.Dim, "   "}}, now...)})
	}
	for i, w := range f.hollow() {
		groups = append(groups, group{3 + i, []part{{style.Dim, "   " + f.drawn().Short + " " + w.word + ": " + w.means}}})
	}
	if f.loads.limit.Bound == analysis.Undecided && !slices.ContainsFunc(f.answersInBrief(), func(p part) bool { return strings.Contains(p.text, undecided) }) {
		groups = append(groups, group{0, []part{{style.Dim, "   " + undecided}}})
	}
	if note := f.leftOut(); note != "" {
		groups = append(groups, group{0, []part{{style.Dim, "   "}, {style.Warn, note}}})
	}
	return f.groups(groups, f.W-2)
}

// revisited tells whether any load has an earlier visit.
func (f *frame) revisited() bool {
	for _, o := range f.loads.all {
		if len(o.past) > 0 {
			return true
		}
	}
	return false
}

// leftOut tells which levels stand on no curve with the present one; empty if there are none.
func (f *frame) leftOut() string {
	mode, work := f.loads.apart.mode, f.loads.apart.work
	var parts []string
	if mode > 0 {
		parts = append(parts, plural(mode, "level")+" of the "+f.curveMode().Other().String()+" loop")
	}
	if work > 0 {
		parts = append(parts, plural(work, "level")+" of another workload")
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + " not shown"
}
