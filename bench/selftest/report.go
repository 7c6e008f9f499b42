package selftest

import (
	"context"
	"fmt"
	"time"
)

// Options are what a self-test is to measure.
type Options struct {
	// Host is the host and port of a Server in another process.
	Host string
	// Files is how many files this process may have open, 0 if that is not known.
	Files int
	// Quick measures less, in half a minute.
	Quick bool
	// Progress, unless nil, is told what is measured next.
	Progress func(text string)
}

// Report is what a self-test found.
type Report struct {
	Rows []Row
	// Spread are steps of the rate at one number of streams, Bursts steps of the number of streams that send at once.
	Spread, Bursts []Result
	// SpreadEnd and BurstsEnd say why the steps went no further.
	SpreadEnd, BurstsEnd string
	// Agreement is that of all windows.
	Agreement Agreement
	// Files is how many files this process may have open (0 if not known); Left the largest number of streams that was left out for it.
	Files, Left int
}

// Row is a plan as both readers did it.
type Row struct{ Redline, Raw Result }

// beside is how many descriptors a process needs beside its streams.
const beside = 64

// budget is how long a whole self-test may take, quickBudget a quick one; steps are left out beyond it.
const budget, quickBudget = 170 * time.Second, 24 * time.Second

// plans are those of the table.
func plans(quick bool) []Plan {
	if quick {
		return []Plan{{Streams: 1000, Rate: 20}}
	}
	return []Plan{{Streams: 1, Rate: 100}, {Streams: 100, Rate: 50}, {Streams: 1000, Rate: 20}, {Streams: 10_000, Rate: 1}}
}

// fit is a plan whose streams fit into the limit of open files, at the same tokens a second in all.
func fit(p Plan, files int) Plan {
	if most := files - beside; files > 0 && p.Streams > most {
		all := float64(p.Streams) * p.Rate
		p.Streams = max(most/100*100, 1)
		p.Rate = all / float64(p.Streams)
	}
	return p
}

// Run measures. It ends early, with an error, when ctx does.
func Run(ctx context.Context, o Options) (*Report, error) {
	t := test{Options: o, rig: rig{host: o.Host, seconds: 3}, over: time.Now().Add(budget), report: &Report{Files: o.Files}}
	if o.Quick {
		t.rig.seconds, t.over = 1, time.Now().Add(quickBudget)
	}
	for _, p := range plans(o.Quick) {
		fits := fit(p, o.Files)
		if fits.Streams < p.Streams {
			t.report.Left = p.Streams
		}
		for _, burst := range []bool{false, true} {
			fits.Burst = burst
			var row Row
			var err error
			if row.Raw, err = t.measure(ctx, raw{}, fits); err != nil {
				return nil, err
			}
			if row.Redline, err = t.measure(ctx, path{}, fits); err != nil {
				return nil, err
			}
			t.report.Rows = append(t.report.Rows, row)
		}
	}
	return t.report, t.steps(ctx)
}

// test is a self-test that runs.
type test struct {
	Options
	rig    rig
	over   time.Time
	report *Report
}

func (t *test) measure(ctx context.Context, r reader, p Plan) (Result, error) {
	if t.Progress != nil {
		t.Progress(fmt.Sprintf("%s: %s", r.name(), p))
	}
	res, err := t.rig.measure(ctx, r, p)
	t.report.Agreement.Add(res.Agreement)
	return res, err
}

// String is the plan in words.
func (p Plan) String() string {
	return fmt.Sprintf("%s, %s tokens a second, %s", streams(p.Streams), grouped(int(float64(p.Streams)*p.Rate+0.5)), p.shape())
}

// Lost is how many tokens were sent and not counted, in all that was measured; below zero, how many were counted twice.
func (r *Report) Lost() (lost, sent int) {
	for _, res := range r.results() {
		lost, sent = lost+res.Sent.Tokens-res.Got, sent+res.Sent.Tokens
	}
	return lost, sent
}

// results are all results, of both readers.
func (r *Report) results() []*Result {
	var all []*Result
	for i := range r.Rows {
		all = append(all, &r.Rows[i].Redline, &r.Rows[i].Raw)
	}
	for i := range r.Spread {
		all = append(all, &r.Spread[i])
	}
	for i := range r.Bursts {
		all = append(all, &r.Bursts[i])
	}
	return all
}
