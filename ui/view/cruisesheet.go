package view

import (
	"slices"
	"strconv"
	"strings"

	"redline/bench"
	"redline/ui/style"
)

// Course is the sheet of the cruise: which promise it is to keep at its edge, and between which loads.
type Course struct {
	// Promises are those that can be kept so; Cruise is what would begin, nil where nothing can.
	Promises []bench.Threshold
	Cruise   *bench.Cruise
	// Typed tells that something was typed.
	Typed bool
}

// courseSheet lays the sheet of the cruise over the lower rows of the frame.
func (f *frame) courseSheet() {
	room := f.H - 1 - min(f.Head, 2)
	if room < 1 {
		return
	}
	c := f.st.Course
	lines := []ranking{{1, f.courseHead}}
	term := func(rank int, name string, parts ...part) { lines = append(lines, f.term(rank, name, parts...)) }
	now := onCruise(f.live)
	if now != nil && !c.Typed {
		lines = append(lines, ranking{0, func(row *style.Row) {
			row.Blank(1)
			for _, p := range f.groups(f.cruiseParts(now), row.Left()-1) {
				row.Put(p.look, p.text)
			}
		}})
	}
	switch {
	case len(c.Promises) == 0 && c.Cruise == nil:
		term(0, "keep", part{style.Warn, noEdge(f.live.Run)})
	default:
		term(1, "keep", f.courseChoice()...)
	}
	if c.Cruise != nil {
		term(2, "within", part{style.Strong, f.courseLimits(c.Cruise)})
		term(4, "moves", f.courseMoves(c.Cruise)...)
		if why := f.waits(); why != "" {
			term(2, "now", part{style.Warn, why})
		} else if onRamp(f.live) != nil {
			term(2, "now", part{style.Warn, "a ramp has the load; the cruise ends it"})
		}
	}
	f.stack(room, lines, f.courseProblem(max(room-1, 1)))
}

// noEdge says that none of the promises can be kept at its edge.
func noEdge(r *bench.Run) string {
	if r != nil && slices.ContainsFunc(r.Thresholds, func(t bench.Threshold) bool { return t.Metric == bench.ITL }) {
		return "ITL is of tokens, a cruise goes by requests: type what it keeps, as in tpot.p95<=25ms"
	}
	return "no promise can be kept at its edge: type one, as in ttft.p95<=500ms"
}

// courseHead names the cruise that has the load, if one does, and how long it has had it.
func (f *frame) courseHead(r *style.Row) {
	name := "cruise control"
	if f.W < 60 {
		name = "cruise"
	}
	c := onCruise(f.live)
	if c == nil {
		f.sheetRule(r, name, "", nil)
		return
	}
	f.sheetRule(r, name, "", f.groups([]group{
		{0, []part{{style.Accent2, length(f.live.At-c.Began) + " in"}}},
		{1, []part{{style.Dim, ", judged " + strconv.Itoa(max(c.Epoch, 0)) + " times"}}},
		{2, []part{{style.Dim, ", between " + f.courseLimits(c.Cruise)}}},
	}, f.W-len(name)-10))
}

// courseChoice are the promises, the chosen one marked.
func (f *frame) courseChoice() []part {
	c := f.st.Course
	text := func(t bench.Threshold) string { return subject(t) + " " + limitText(t) }
	var out []part
	chosen := bench.Threshold{}
	if c.Cruise != nil {
		chosen = c.Cruise.Threshold
		if !slices.Contains(c.Promises, chosen) {
			out = append(out, part{style.Strong, f.g.Select + " " + text(chosen)})
		}
	}
	for _, t := range c.Promises {
		p := part{style.Dim, text(t)}
		if t == chosen {
			p = part{style.Strong, f.g.Select + " " + p.text}
		}
		if len(out) > 0 {
			p.text = "   " + p.text
		}
		out = append(out, p)
	}
	return out
}

// courseLimits are the loads between which the cruise may move.
func (f *frame) courseLimits(c *bench.Cruise) string {
	if f.live.Target.Mode == bench.Open {
		return perSecond(c.Least) + " to " + perSecond(c.Most) + " a second"
	}
	return slots(c.Least) + " to " + slots(c.Most) + " in flight"
}

// courseMoves are what moves the load.
func (f *frame) courseMoves(c *bench.Cruise) []part {
	t := c.Threshold
	share := strconv.FormatFloat(100*allowed(t.At), 'f', -1, 64) + "%"
	side := "over "
	if t.Floor {
		side = "under "
	}
	limit := strings.TrimLeft(limitText(t), "≤≥")
	return []part{{style.FG, "up while under " + share + " of requests are " + side + limit}, {style.FG, ", down when more are"}, {style.Dim, f.courseSteps()}, {style.Dim, "; any load key takes over"}}
}

// courseSteps are how far the load moves at a time: at small loads a few percent are less than a request.
func (f *frame) courseSteps() string {
	if f.live.Target.Mode == bench.Open {
		return ", a few percent at a time"
	}
	return ", by whole requests, a few percent"
}

// allowed is the share of requests that may break a promise at a percentile.
func allowed(p bench.Percentile) float64 {
	switch p {
	case bench.P50:
		return 0.5
	case bench.P95, bench.P5:
		return 0.05
	case bench.P99, bench.P1:
		return 0.01
	}
	return 0
}

// courseHints are what may be typed, in ever fewer words.
var courseHints = []string{"type a promise and limits: ttft.p95, e2e.p95 4..64, ttft.p95<=400ms 4..32", "4..64, e2e.p95 4..64, ttft.p95<=400ms", "4..64, e2e.p95"}

// courseProblem is what is wrong with what was typed, or what may be.
func (f *frame) courseProblem(most int) []part {
	if e := f.st.Entry; e != nil && e.Problem != "" {
		return f.problemLines(most)
	}
	return []part{{style.Faint, f.longestHint(courseHints)}}
}

// cruiseEvent is what becomes of a cruise, for the log.
func (f *frame) cruiseEvent(e *bench.Event, l *line) {
	l.glyph, l.look, l.text = f.g.Select, style.Accent2, strings.TrimPrefix(e.Text, "cruise ")
	switch e.N {
	case bench.CruiseMoves:
		if l.glyph = f.g.Up; e.To.N < e.From.N {
			l.glyph = f.g.Down
		}
		if l.text == "" {
			l.text = moves(e.From, e.To)
		}
	case bench.CruiseOver:
		l.glyph, l.look = f.g.Here, style.Mark
	}
}
