package report

import (
	"bytes"
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/view"
	"redline/ui/view/viewtest"
)

func TestARampIsToldInLinesSummaryAndMarkdown(t *testing.T) {
	s := viewtest.Make(viewtest.Found, 0)
	end := Options{Saved: savedAt, Ramp: view.RedlineWords, Cruise: view.CruiseWords}
	var text bytes.Buffer
	if err := summarize(&text, s, end, 0); err != nil {
		t.Fatal(err)
	}
	mark := markdown(s, end)
	p := Lines{}
	for _, c := range []struct{ where, text, want string }{
		{"summary", text.String(), "redline   concurrency 40 · RPM 478"},
		{"summary", text.String(), "48 broke (n 41, ttft.p95<=500ms: 905 ms, 95.1% over, 84.0 to 99.0)"},
		{"markdown", mark, "## Redline"},
		{"line", p.line(s), " ramp=found redline=40"},
		{"line of one in force", p.line(viewtest.Make(viewtest.Seeking, 0)), " ramp=confirming ramp.load=40 ramp.n=62 ramp.need=28"},
		{"line of a cruise", p.line(viewtest.Make(viewtest.Cruising, 0)), " cruise=on cruise.promise=ttft.p95<=500ms cruise.over=6.2% cruise.kept=95.3% capacity=38.4"},
	} {
		if !strings.Contains(c.text, c.want) {
			t.Errorf("%s: %q is not in\n%s", c.where, c.want, c.text)
		}
	}
	if got := p.line(viewtest.Make(viewtest.Running, 0)); strings.Contains(got, "ramp") || strings.Contains(got, "cruise") {
		t.Errorf("a run without either tells of one: %s", got)
	}
}

func TestWhatBecomesOfARampIsASentence(t *testing.T) {
	for _, c := range []struct {
		e    bench.Event
		want string
	}{
		{bench.Event{Kind: bench.EventRamp, To: bench.InFlight(4), Text: "looks for the redline from 4, up to 64"}, "ramp rising at 4: looks for the redline from 4, up to 64"},
		{bench.Event{Kind: bench.EventRamp, N: int(bench.RampHalving), To: bench.InFlight(8), Text: "8 broke ttft.p95<=2s: goes back"}, "ramp halving: 8 broke ttft.p95<=2s: goes back"},
		{bench.Event{Kind: bench.EventRamp, N: int(bench.RampFound), To: bench.InFlight(6), Text: "redline 6: 7 broke ttft.p95<=2s"}, "ramp found: redline 6: 7 broke ttft.p95<=2s"},
		{bench.Event{Kind: bench.EventRamp, N: int(bench.RampLeft), Text: "taken over by hand"}, "ramp left: taken over by hand"},
		{bench.Event{Kind: bench.EventCruise, Text: "cruise at ttft.p95<=500ms begins"}, "cruise at ttft.p95<=500ms begins"},
	} {
		if got := sentence(c.e); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
