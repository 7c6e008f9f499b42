package script_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"redline/bench"
	"redline/bench/sim/script"
)

// difference collects what is not as expected.
type difference []string

func (d *difference) equal(name string, got, want any) {
	if got != want {
		*d = append(*d, fmt.Sprintf("%s %v, want %v", name, got, want))
	}
}

// compare holds a request's facts against an expectation. Times are compared in microseconds: packets that nothing else keeps apart are a
// nanosecond apart.
func compare(want *script.Expect, e bench.Ended, seen *observed) []string {
	var d difference
	d.equal("outcome", fmt.Sprintf("%v", e.Outcome), want.Outcome)
	d.equal("status", e.Status, want.Status)
	ttft, ok := e.TTFT()
	d.equal("first token", spanOf(ttft, ok), spanOf(want.FirstToken.D, want.FirstToken.OK))
	ttfa, ok := e.TTFA()
	d.equal("answer", spanOf(ttfa, ok), spanOf(want.Answer.D, want.Answer.OK))
	n := e.Counts
	d.equal("in", n.Input, want.In)
	d.equal("cached", n.Cached, want.Cached)
	d.equal("out", n.Output, want.Out)
	d.equal("hidden", n.Hidden, want.Hidden)
	d.equal("reasoning", n.Reasoning, want.Reasoning)
	d.equal("events", n.Events, want.Events)
	d.equal("malformed", n.Malformed, want.Malformed)
	d.equal("chunks", n.Chunks, want.Chunks)
	if want.Source != "" {
		d.equal("source", n.Source.String(), want.Source)
	}
	d.equal("finish", e.Finish, want.Finish)
	d.equal("retry after", e.RetryAfter, want.RetryAfter)
	d.equal("burst", e.Burst, want.Burst)
	if want.Reused != nil {
		d.equal("reused", e.Reused, *want.Reused)
	}
	d.gaps(want.Gaps, &e)
	d.tpot(want.TPOT, &e)
	if took, _ := e.Marks.Ended.Since(e.Marks.Started); want.Took.OK && (took < want.Took.D || took > want.Took.D+500*time.Millisecond) {
		d = append(d, fmt.Sprintf("took %v, want %v", took, want.Took.D))
	}
	if !strings.Contains(strings.ToLower(e.Message), strings.ToLower(want.Message)) || (e.Outcome == bench.OK) != (e.Message == "") {
		d = append(d, fmt.Sprintf("message %q, want %q", e.Message, want.Message))
	}
	d.quotas(want.Quotas, seen)
	d.observer(&e, seen)
	return d
}

func spanOf(v time.Duration, ok bool) string {
	if !ok {
		return "none"
	}
	return v.Truncate(time.Microsecond).String()
}

func (d *difference) gaps(want []time.Duration, e *bench.Ended) {
	var got []time.Duration
	for gap := range e.Gaps.All() {
		got = append(got, gap)
	}
	if !slices.Equal(got, want) && !(e.Gaps.Thinned() && sum(got) == sum(want)) {
		*d = append(*d, fmt.Sprintf("gaps %v, want %v", got, want))
	}
}

func sum(all []time.Duration) (s time.Duration) {
	for _, one := range all {
		s += one
	}
	return s
}

func (d *difference) tpot(want *float64, e *bench.Ended) {
	got, ok := e.TPOT()
	if want != nil && (!ok || math.Abs(got-*want) > 0.001) {
		*d = append(*d, fmt.Sprintf("tpot %.4f (%v), want %.4f", got, ok, *want))
	}
	if ok && (got <= 0 || math.IsInf(got, 0) || math.IsNaN(got)) {
		*d = append(*d, fmt.Sprintf("tpot %v", got))
	}
}

// quotas are compared where they are expected: "RPM 59/60 1s".
func (d *difference) quotas(want []string, seen *observed) {
	var got []string
	for _, q := range seen.quotas {
		text := fmt.Sprintf("%s %s/%s", q.Unit(), number(q.Remaining), number(q.Limit))
		if reset, ok := q.Reset, q.Reset.OK; ok {
			text += " " + reset.At.Round(time.Millisecond).String()
		}
		got = append(got, text)
	}
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		*d = append(*d, fmt.Sprintf("quotas %q, want %q", got, want))
	}
}

func number(v bench.Value) string {
	if !v.OK {
		return "?"
	}
	return fmt.Sprintf("%.0f", v.V)
}

// observer checks that what was told meanwhile adds up to the facts at the end.
func (d *difference) observer(e *bench.Ended, seen *observed) {
	events := 0
	for i, c := range seen.chunks {
		events += c.Events
		if c.First != (i == 0) {
			*d = append(*d, fmt.Sprintf("chunk %d: first %v", i, c.First))
		}
	}
	d.equal("chunks told", len(seen.chunks), e.Counts.Chunks)
	d.equal("events told", events, e.Counts.Events)
	d.equal("starts told", seen.started, 1)
	if !e.Marks.Ended.OK || e.Marks.Ended.At < e.Marks.LastToken.At {
		*d = append(*d, fmt.Sprintf("ended %v before its last token %v", e.Marks.Ended, e.Marks.LastToken))
	}
}
