package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/bench/analysis"
)

// pageRun is a run, or a target of one, on the page.
type pageRun struct {
	// N is its place, from 1, and part of the names of its sections.
	N           int
	Title, Name string
	Facts       string
	Cards       []card
	Verdicts    []string
	// Cut: the file ends before the run did.
	Cut         bool
	Damage      []string
	Lanes       *drawing
	Curves      []*drawing
	CurveWords  []string
	Spreads     []*drawing
	Levels      *grid
	Promises    *grid
	Why         []string
	Redline     []string
	Errors      *grid
	ErrorNotes  []string
	Cost        []string
	Quotas      []string
	Server      []string
	Events      []pageEvent
	Environment []pair
	Strain      string
}

// card is a number that stands out.
type card struct{ Name, Value, Unit, Class string }

// pageEvent is a line of the log.
type pageEvent struct{ At, Kind, Text string }

// pair is a fact with its name.
type pair struct{ Name, Value string }

// page is the run on the page, in the place n.
func (t *told) page(n int) (*pageRun, error) {
	s, o := t.s, &t.d.end
	out := &pageRun{N: n, Title: t.title(), Verdicts: verdictLines(s), Facts: t.facts(), Strain: strainWords(s), Cut: o.Origin != nil && !o.Origin.Complete,
		Levels: levelGrid(s), Promises: promiseGrid(s), Why: whyLines(s), CurveWords: curveLines(s)}
	if o.Origin != nil {
		out.Name = Printable(o.Origin.Name)
		for _, text := range o.Origin.Damage {
			out.Damage = append(out.Damage, Printable(text))
		}
	}
	if len(promised(s.Run.Thresholds)) == 0 {
		out.Verdicts = nil
	}
	out.cards(s)
	var err error
	if out.Lanes, err = drawn(lanes(s, o.Origin, fmt.Sprintf("lanes-%d", n)), "no second of the run was measured", true); err != nil {
		return nil, err
	}
	if err := out.figures(s, n); err != nil {
		return nil, err
	}
	out.Redline = redlineLines(s, *o)
	out.Errors, out.ErrorNotes = errorGrid(s)
	out.Cost = costLines(s)
	limits := limitsOf(s)
	for i := range limits {
		out.Quotas = append(out.Quotas, quotaLine(&limits[i], s))
	}
	out.Server = serverLines(s)
	for _, e := range s.Events {
		if text := sentence(e); text != "" {
			out.Events = append(out.Events, pageEvent{stamp(e.At), e.Kind.String(), text})
		}
	}
	if o.Origin != nil {
		for _, a := range o.Origin.Annotations {
			out.Events = append(out.Events, pageEvent{stamp(a.At), "afterwards", Printable(a.Text)})
		}
	}
	out.environment(s, *o)
	return out, nil
}

// facts are when the run was, and how long it lasted.
func (t *told) facts() string {
	words, began := []string{}, t.began()
	if !began.IsZero() {
		words = append(words, began.Format("2 January 2006, 15:04 MST"))
	}
	words = append(words, span(t.s.At), fmt.Sprintf("%s requests", grouped(t.s.Total.Tally.Sent)))
	if t.s.Run.Scenario != "" {
		words = append(words, "scenario "+Printable(t.s.Run.Scenario))
	}
	if t.s.Why != "" {
		words = append(words, "ended: "+bench.Clause(Printable(t.s.Why)))
	}
	return strings.Join(words, " · ")
}

// began is the wall time of the run's instant 0; zero where none is known.
func (t *told) began() time.Time {
	if o := t.d.end.Origin; o != nil && !o.Began.IsZero() {
		return o.Began
	}
	return t.s.Run.Start
}

// cards are the numbers that the run comes down to.
func (out *pageRun) cards(s *bench.Snapshot) {
	var held *bench.Level
	var kinds []analysis.Kind
	found, kind := analysis.Findings(s.Levels), ""
	for _, f := range found {
		kinds = append(kinds, f.Kind)
	}
	for i, name := range kindNames(s, kinds) {
		if found[i].Held != nil {
			// What held on one side of a note says nothing of the other.
			held, kind = found[i].Held, strings.TrimSuffix(", "+name, ", ")
		}
	}
	best, at := mostOutput(s), held
	if len(promised(s.Run.Thresholds)) > 0 {
		if held != nil {
			out.Cards = append(out.Cards, card{"greatest load that kept every promise" + kind, roughly(analysis.FirmnessOf(held).String() != "") + held.Load.String(), loadUnit(held.Load), "good"})
		} else {
			out.Cards = append(out.Cards, card{"load that kept every promise", "none known", "", "bad"})
		}
	}
	if at == nil {
		at = best
	}
	if at != nil {
		there := " at " + at.Load.String()
		out.Cards = append(out.Cards, card{"output" + there, number(at.OutputRate), "tok/s", ""}, card{"TTFT p95" + there, figure(&at.Stats[bench.TTFT], bench.P95), "ms", ""},
			card{"slow streams (TPS p5)" + there, figure(&at.Stats[bench.TPS], bench.P5), "tok/s", ""}, card{"requests" + there, figure(&at.Stats[bench.RPM], bench.Mean), "a minute", ""})
	}
	if best != nil && best != at {
		out.Cards = append(out.Cards, card{"most output, at " + best.Load.String(), number(best.OutputRate), "tok/s", ""})
	}
	errors := card{"errors", share(s.Total.Counted.ErrorShare()), "", ""}
	if s.Total.Tally.Failed > 0 {
		errors.Class = "bad"
	}
	out.Cards = append(out.Cards, errors)
	if s.Total.Goodput.OK && len(promised(s.Run.Thresholds)) > 0 {
		name := "goodput"
		if s.Total.Ungraded > 0 {
			name = "goodput " + goodputOf(s)
		}
		out.Cards = append(out.Cards, card{name, share(s.Total.Goodput), "", ""})
	}
	if s.Spend.Cost.OK && s.Spend.Cost.V > 0 {
		out.Cards = append(out.Cards, card{"cost of the run", money(s.Spend.Cost.V), "", ""})
	}
}

// loadUnit is the unit of a load where its text has none.
func loadUnit(load bench.Setpoint) string {
	if load.Mode == bench.Open {
		return ""
	}
	return "in flight"
}

// figures are the curves and the distributions.
func (out *pageRun) figures(s *bench.Snapshot, n int) error {
	curves := curvesOf(s)
	var kinds []analysis.Kind
	for _, c := range curves {
		kinds = append(kinds, c.Kind)
	}
	names := kindNames(s, kinds)
	for i := range curves {
		name := strings.TrimSuffix(names[i], ", ")
		if name != "" {
			name = ": " + name
		}
		f := curveFigure(s, &curves[i], fmt.Sprintf("curve-%d-%d", n, i+1), name)
		if f == nil {
			continue
		}
		d, err := drawn(f, "", true)
		if err != nil {
			return err
		}
		if name != "" {
			d.Note = f.Title
		}
		out.Curves = append(out.Curves, d)
	}
	for _, of := range []struct {
		id, name, what string
		sketch         func(*bench.Facts) bench.Sketch
		metric         bench.Metric
	}{
		{"ttft", "TTFT", "requests", func(f *bench.Facts) bench.Sketch { return f.TTFT }, bench.TTFT},
		{"itl", "ITL", "tokens", func(f *bench.Facts) bench.Sketch { return f.ITL }, bench.ITL},
		{"e2e", "E2E", "requests", func(f *bench.Facts) bench.Sketch { return f.E2E }, bench.E2E},
		{"tps", "TPS", "streams", func(f *bench.Facts) bench.Sketch { return f.TPS }, bench.TPS},
	} {
		f := spreadFigure(s, fmt.Sprintf("%s-%d", of.id, n), of.name, of.what, of.metric, of.sketch)
		d, err := drawn(f, of.name+": too few samples for a distribution", false)
		if err != nil {
			return err
		}
		out.Spreads = append(out.Spreads, d)
	}
	return nil
}

// promiseGrid is what became of each promise at each level; nil where nothing is promised.
func promiseGrid(s *bench.Snapshot) *grid {
	all := promised(s.Run.Thresholds)
	if len(all) == 0 {
		return nil
	}
	g := &grid{Caption: "Promises at each level", Head: []gridCell{{"level", "n"}, {"load", "n"}}}
	for _, p := range all {
		g.Head = append(g.Head, gridCell{p.String(), "n"})
	}
	for _, l := range s.Levels {
		if !analysis.Measured(l) {
			continue
		}
		cells := []gridCell{{strconv.Itoa(l.ID), "n"}, {l.Load.String(), "n"}}
		for _, p := range all {
			c := gridCell{outcomeOf(l, p), "n"}
			switch {
			case strings.HasPrefix(c.Text, "✓"):
				c.Class += " kept"
			case strings.HasPrefix(c.Text, "✗"):
				c.Class += " broken"
			}
			cells = append(cells, c)
		}
		g.Rows = append(g.Rows, cells)
	}
	return g
}

// redlineLines are what searches and cruises came to.
func redlineLines(s *bench.Snapshot, o Options) []string {
	var b strings.Builder
	writeRamp(&b, s, o, boundless)
	writeCruise(&b, s, o, boundless)
	return entries(b.String())
}

// entries are lines of a summary without their indents.
func entries(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// errorGrid are the classes of failures with the newest of each; nil where nothing failed.
func errorGrid(s *bench.Snapshot) (g *grid, notes []string) {
	r := reportOf(s, Options{})
	if n := s.Total.Malformed; n > 0 {
		notes = append(notes, fmt.Sprintf("%d events of streams could not be read, and were left out.", n))
	}
	if text := errorShares(s); text != "" {
		notes = append(notes, text)
	}
	if len(r.Failures) == 0 {
		return nil, notes
	}
	g = &grid{Caption: "Failures", Head: []gridCell{{"class", "t"}, {"count", "n"}, {"newest HTTP status", "n"}, {"newest message", "t"}}}
	for _, f := range r.Failures {
		status := absent
		if f.Status != nil {
			status = strconv.Itoa(*f.Status)
		}
		g.Rows = append(g.Rows, []gridCell{{f.Class, "t"}, {grouped(f.Count), "n"}, {status, "n"}, {f.Message, "t"}})
	}
	return g, notes
}

// costLines are what the run cost, and its cheapest loads.
func costLines(s *bench.Snapshot) []string {
	if !s.Spend.Cost.OK || s.Spend.Cost.V == 0 {
		return nil
	}
	line := "The run cost " + money(s.Spend.Cost.V)
	if ok := s.Total.Tally.OK + s.Forgotten.OK; ok > 0 {
		line += ", " + money(s.Spend.Cost.V/float64(ok)) + " for each request that ended well"
	}
	out := []string{line + "; the table of levels has the cost of a million output tokens and of a request at each load."}
	for _, c := range curvesOf(s) {
		if text := cheapestWords(s, &c); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// serverLines are what the server told of itself.
func serverLines(s *bench.Snapshot) []string {
	var b strings.Builder
	writeServer(&b, s, boundless)
	return entries(b.String())
}

// environment is what is needed to repeat the run, and to know what it rests on.
func (out *pageRun) environment(s *bench.Snapshot, o Options) {
	r := s.Run
	add := func(name, value string) {
		if value != "" {
			out.Environment = append(out.Environment, pair{name, value})
		}
	}
	add("Model", Printable(r.Model))
	if !o.Private {
		add("URL", Printable(ShownURL(r.Target)))
	}
	add("API", strings.TrimSpace(r.API.String()+" over "+strings.TrimSuffix(Printable(r.Protocol), ".0")))
	for i := range r.Works {
		add("Workload", workWords(&r.Works[i]))
	}
	add("Prompts", promptWords(s))
	if opened(s) {
		add("Arrivals", spreads(r))
	}
	add("Scenario", Printable(r.Scenario))
	add("Promises", ThresholdList(promised(r.Thresholds)))
	add("Most in flight", strconv.Itoa(r.Max))
	add("Limits", r.Limits.Words(span))
	add("Seed", strconv.FormatUint(r.Seed, 10))
	add("Tokens counted from", s.Source.String())
	add("Tokens", tokenWords(s))
	add("redline", Printable(r.Version))
	if o.Origin != nil {
		add("Flags", Printable(strings.Join(o.Origin.Options, " ")))
		add("Machine", o.Origin.Machine.words())
		add("Began", o.Origin.Began.Format(time.RFC3339))
	}
	for _, n := range r.Notes {
		add("Note", Printable(n))
	}
}
