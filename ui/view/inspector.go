package view

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// paths are where each protocol is asked, below the target.
var paths = [bench.NumAPIs]string{bench.Chat: "/chat/completions", bench.Completions: "/completions", bench.Responses: "/responses", bench.Anthropic: "/messages"}

// inspected draws a request in full, from the line that was scrolled to.
func (f *frame) inspected(q *single, rows int) {
	list := &f.requests
	lines := f.account(q, true)
	list.lines, list.height = len(lines), max(rows-1, 0)
	top := min(max(f.st.Scroll, 0), max(len(lines)-list.height, 0))
	if rows > 1 {
		f.inspectTitle(q, top)
	} else {
		list.height = rows
	}
	for _, line := range lines[top:min(top+list.height, len(lines))] {
		f.written(line)
	}
}

// inspectTitle heads a request in full, and tells which of its lines are shown where not all are.
func (f *frame) inspectTitle(q *single, top int) {
	list := &f.requests
	state, look := q.state()
	r := f.start().Blank(1).Put(style.Dim, "request ").Put(style.Strong, strconv.FormatUint(q.ID, 10)).Blank(2).Put(look, state)
	if list.lines > list.height {
		last := min(top+list.height, list.lines)
		f.rightAligned(r, []part{{style.Dim, "lines " + strconv.Itoa(top+1) + " to " + strconv.Itoa(last) + " of " + strconv.Itoa(list.lines)}})
	}
	f.end()
}

// scroll goes through the lines of the request that was inspected last.
func (l *requestList) scroll(st *State, m Motion) {
	last := max(l.lines-l.height, 0)
	page := max(l.height-1, 1)
	at := min(max(st.Scroll, 0), last)
	switch m {
	case Up:
		at--
	case Down:
		at++
	case PageUp:
		at -= page
	case PageDown:
		at += page
	case First:
		at = 0
	case Last:
		at = last
	}
	st.Scroll = min(max(at, 0), last)
}

// labelCells is how wide the names of lines are, with the blanks around them; narrow screens have them in line.
func (f *frame) labelCells() int {
	if f.W < 50 {
		return 1
	}
	return 10
}

// flow lays items out in a line behind its name. What finds no room goes on below where the whole is asked for, and is left out otherwise.
func (f *frame) flow(label string, items [][]part, whole bool) [][]part {
	indent := f.labelCells()
	head := []part{{style.Dim, " " + label + strings.Repeat(" ", max(indent-1-f.st.Set.Width(label), 1))}}
	var out [][]part
	line, used := head, f.width(head)
	first := true
	for _, one := range items {
		w := f.width(one)
		if w == 0 {
			continue
		}
		if !first && used+2+w > f.W-1 || first && used+w > f.W-1 && len(out) == 0 && label != "" && whole && used > indent {
			if !whole {
				continue
			}
			out = append(out, line)
			line, used, first = []part{{style.Dim, strings.Repeat(" ", indent)}}, indent, true
		}
		if !first {
			line, used = append(line, part{style.Dim, "  "}), used+2
		}
		line, used, first = append(line, one...), used+w, false
	}
	return append(out, line)
}

// item is an item of a line: a name and what it is.
func item(name, value string) []part { return []part{{style.Dim, name + " "}, {style.FG, value}} }

// account is the lines about a request: in whole, or one line of each with what there is room for.
func (f *frame) account(q *single, whole bool) [][]part {
	var out [][]part
	add := func(label string, items ...[]part) {
		if len(items) > 0 {
			out = append(out, f.flow(label, items, whole)...)
		}
	}
	add("started", f.origin(q)...)
	e := q.ended
	if e != nil {
		add("end", f.ending(e)...)
		if e.Message != "" && !f.st.Private {
			out = append(out, f.quoted("message", e.Message, keptExtent(e.Message, messageBytes), whole)...)
		}
	}
	add("speed", f.speed(q)...)
	if whole {
		add("time", f.timeline(q, whole)...)
	}
	out = append(out, f.phases(q, whole)...)
	if e == nil {
		add("tokens", flightTokens(q.flight)...)
	} else {
		out = append(out, f.gapStrip(e, whole)...)
		add("tokens", endedTokens(e)...)
		add("server", serverTimings(e)...)
	}
	if !whole {
		add("time", f.timeline(q, whole)...)
	}
	if t := q.Prompt.Turn; t > 0 {
		turn := [][]part{{{style.FG, strconv.Itoa(t)}, {style.Dim, " of a conversation"}}}
		if n := len(q.Prompt.History); n > 0 {
			turn = append(turn, item("earlier messages", count(n)))
		}
		add("turn", turn...)
	} else if n := len(q.Prompt.History); n > 0 {
		add("history", []part{{style.FG, plural(n, "message")}, {style.Dim, " before the prompt"}})
	}
	if f.st.Private {
		return append(out, f.flow("private", [][]part{{{style.Dim, "what was asked and answered is hidden, P shows it"}}}, whole)...)
	}
	out = append(out, f.quoted("prompt", q.Prompt.Text, promptExtent(&q.Prompt), whole)...)
	if e != nil {
		if e.Reply != "" {
			out = append(out, f.quoted("reply", e.Reply, keptExtent(e.Reply, bench.ReplyBytes), whole)...)
		}
		if e.Head != "" {
			// What a terminal would obey is told as the escape that stands for it.
			raw := strings.ReplaceAll(strconv.Quote(e.Head), `\"`, `"`)
			of := keptExtent(e.Head, bench.HeadBytes)
			of.written = len(e.Head)
			out = append(out, f.quoted("body", raw[1:len(raw)-1], of, whole)...)
		}
		if whole {
			out = append(out, f.headers(e)...)
		}
	}
	return out
}

// origin is where a request comes from and where it went.
func (f *frame) origin(q *single) [][]part {
	out := [][]part{{{style.FG, instant(q.started)}, {style.Dim, " at " + loadWord(q.Load) + " "}, {style.FG, named(q.Load)}}}
	if q.Level == bench.NoLevel {
		out = append(out, []part{{style.Dim, "in no level"}})
	} else {
		out = append(out, item("level", strconv.Itoa(q.Level)))
	}
	path := paths[f.s.Run.API%bench.NumAPIs]
	if u, err := url.Parse(f.s.Run.Target); err == nil && u.Host != "" {
		path = u.Path + path
	}
	out = append(out, []part{{style.FG, "POST " + path}})
	if works := f.s.Run.Works; len(works) > 1 && q.Prompt.Work >= 0 && q.Prompt.Work < len(works) {
		out = append(out, item("workload", works[q.Prompt.Work].Name))
	}
	return out
}

// loadWord is what a load counts.
func loadWord(s bench.Setpoint) string {
	if s.Mode == bench.Open {
		return "a rate of"
	}
	return "concurrency"
}

// instant is an instant of the run to the millisecond: "03:47.204".
func instant(at time.Duration) string {
	at = max(at, 0)
	ms := strconv.Itoa(int(at % time.Second / time.Millisecond))
	return stamp(at) + "." + strings.Repeat("0", 3-len(ms)) + ms
}

// requestIDs are the fields in which servers name a request.
var requestIDs = []string{"X-Request-Id", "Request-Id", "Apim-Request-Id", "X-Amzn-Requestid", "Cf-Ray"}

// ending is how a request ended, by its own words.
func (f *frame) ending(e *bench.Ended) [][]part {
	state, look := (&single{Request: &e.Request, ended: e}).state()
	if e.Outcome != bench.OK && e.Outcome.String() != state {
		state = e.Outcome.String()
	}
	out := [][]part{{{look, state}}}
	if e.Status > 0 {
		out = append(out, item("http", strconv.Itoa(e.Status)))
	} else {
		out = append(out, []part{{style.Dim, "no answer"}})
	}
	if e.Finish != "" {
		out = append(out, item("finish", e.Finish))
	}
	if e.RetryAfter > 0 {
		out = append(out, []part{{style.Dim, "retry-after "}, {style.Warn, length(e.RetryAfter + time.Second - 1)}})
	}
	for _, name := range requestIDs {
		if f.st.Private {
			break
		}
		if v := e.Header[name]; len(v) > 0 && v[0] != "" {
			out = append(out, item(strings.ToLower(name), v[0]))
			break
		}
	}
	return out
}

// ms is a length of time with its unit, to a tenth below ten milliseconds.
func ms(d time.Duration) string {
	text := chart.NumMillis(bench.Some(bench.Millis(d)))
	if strings.HasSuffix(text, "s") {
		return text[:len(text)-1] + " s"
	}
	return text + " ms"
}

// endedTokens are the counts, who counted them, and whether chunks are tokens.
func endedTokens(e *bench.Ended) [][]part {
	c := e.Counts
	in := item("in", count(e.Prompt.InputTokens)+" asked")
	if c.Input > 0 {
		in = append(item("in", count(c.Input)), part{style.Dim, " of " + count(e.Prompt.InputTokens) + " asked"})
	}
	out := [][]part{in}
	if c.Cached > 0 {
		out = append(out, item("cached", count(c.Cached)))
	}
	generated := item("out", count(c.Output))
	if c.Output > 0 {
		generated = append(generated, part{style.Dim, " by " + by(c.Source)})
	}
	out = append(out, generated)
	if c.Hidden > 0 {
		out = append(out, item("hidden", count(c.Hidden)))
	}
	if c.Reasoning > 0 {
		out = append(out, item("reasoning", count(c.Reasoning)))
	}
	if c.Events > 0 {
		chunks := item("chunks", count(c.Events))
		if c.Chunks != c.Events {
			chunks = append(chunks, part{style.Dim, " in " + count(c.Chunks) + " reads"})
		}
		out = append(out, chunks)
		per := c.PerEvent()
		switch {
		case c.Source == bench.FromEvents:
			out = append(out, []part{{style.Dim, "each taken for a token"}})
		case per > 1.1 || per < 0.9:
			out = append(out, []part{{style.Warn, "! " + chart.Num(bench.Some(per)) + " tok/chunk: gaps are of chunks"}})
		default:
			out = append(out, []part{{style.Dim, strconv.FormatFloat(per, 'f', 2, 64) + " tok/chunk"}})
		}
	}
	if c.Malformed > 0 {
		out = append(out, []part{{style.Bad, plural(c.Malformed, "event") + " unreadable"}})
	}
	return out
}

// by says who counted tokens.
func by(s bench.Source) string {
	return [...]string{"chunks", "the server's usage", "the server's running count", "what came before the cut"}[s&3]
}

// flightTokens are the counts so far.
func flightTokens(fl *bench.Flight) [][]part {
	return [][]part{item("in", count(fl.Prompt.InputTokens)+" asked"), append(item("out", amount(fl.Tokens)), part{style.Dim, " so far, at most " + count(fl.Prompt.MaxTokens)}), item("chunks", count(fl.Events))}
}

// speed is what follows from times and counts.
func (f *frame) speed(q *single) [][]part {
	var out [][]part
	one := func(name string, v bench.Value, unit string) {
		if sound(v) {
			text := chart.NumMillis(v)
			if unit == "ms" && strings.HasSuffix(text, "s") {
				text, unit = text[:len(text)-1], "s"
			}
			out = append(out, append(item(name, text), part{style.Dim, " " + unit}))
		}
	}
	if q.waits {
		out = append(out, item("first token", "waited for "+strings.TrimSuffix(waiting(q.ttft.V), "…")))
	} else {
		one("TTFT", q.ttft, "ms")
	}
	one("TPOT", q.tpot, "ms")
	if q.tpot.OK && q.tpot.V > 0 {
		out = append(out, []part{{style.FG, chart.Num(bench.Some(1000 / q.tpot.V))}, {style.Dim, " tok/s"}})
	}
	if q.ended == nil {
		one("max gap", q.gap, "ms")
		return out
	}
	one("E2E", q.e2e, "ms")
	if d, ok := q.ended.TTFA(); ok && q.ended.Marks.FirstAnswer != q.ended.Marks.FirstToken {
		one("first answer", bench.Some(bench.Millis(d)), "ms")
	}
	if d, ok := q.ended.DueTTFT(); ok {
		one("TTFT from schedule", bench.Some(bench.Millis(d)), "ms")
	}
	return out
}

// serverTimings are what the server says of itself, where it does.
func serverTimings(e *bench.Ended) [][]part {
	t := e.Timings
	if !t.OK {
		return nil
	}
	out := [][]part{append(item("prompt", count(t.PromptN)), part{style.Dim, " tok in "}, part{style.FG, ms(time.Duration(t.PromptMs * float64(time.Millisecond)))}),
		append(item("answer", count(t.PredictedN)), part{style.Dim, " tok in "}, part{style.FG, ms(time.Duration(t.PredictedMs * float64(time.Millisecond)))})}
	if t.PredictedMs > 0 && t.PredictedN > 0 {
		out = append(out, []part{{style.FG, chart.Num(bench.Some(1000 * float64(t.PredictedN) / t.PredictedMs))}, {style.Dim, " tok/s by its own clock"}})
	}
	return out
}

// headers are the fields of the answer's head.
func (f *frame) headers(e *bench.Ended) [][]part {
	var out [][]part
	label := "headers"
	for _, name := range slices.Sorted(maps.Keys(e.Header)) {
		value := strings.Join(e.Header[name], ", ")
		out = append(out, f.quotedAs(label, strings.ToLower(name)+": ", value, extent{all: len(value), unit: "bytes"}, true)...)
		label = ""
	}
	return out
}
