package selftest

import (
	"context"
	"time"
)

// stepStreams is the number of streams whose rate is stepped up; burstRate the tokens a second of each stream whose number is.
const stepStreams, burstRate = 1000, 2

var (
	stepRates  = []float64{2, 5, 10, 20, 30, 45, 70, 100, 150, 200}
	burstSizes = []int{30, 100, 300, 1000, 3000, 10_000}
)

// steps raises the rate of spread streams, and the number of streams in bursts, until instants are no more good to Late.
func (t *test) steps(ctx context.Context) (err error) {
	t.rig.seconds = min(t.rig.seconds, 2)
	var spread, bursts []Plan
	for _, rate := range stepRates {
		spread = append(spread, fit(Plan{Streams: stepStreams, Rate: rate}, t.Files))
	}
	for _, n := range burstSizes {
		if p := (Plan{Streams: n, Rate: burstRate, Burst: true}); fit(p, t.Files) == p {
			bursts = append(bursts, p)
		}
	}
	if t.Quick {
		spread, bursts = spread[4:], nil
	}
	if t.report.Spread, t.report.SpreadEnd, err = t.climb(ctx, spread); err != nil {
		return err
	}
	t.report.Bursts, t.report.BurstsEnd, err = t.climb(ctx, bursts)
	return err
}

// climb measures plan after plan until one is too much, and says why it went no further.
func (t *test) climb(ctx context.Context, plans []Plan) (done []Result, end string, err error) {
	for i, p := range plans {
		took := time.Now()
		res, err := t.measure(ctx, path{}, p)
		if err != nil {
			return done, "", err
		}
		done = append(done, res)
		switch {
		case res.P99 > Late:
			return done, "", nil
		case res.behind():
			return done, "the server, on this same machine, could send no more", nil
		case i == len(plans)-1:
			return done, "no more was tried", nil
		case time.Now().Add(time.Since(took)).After(t.over):
			return done, "the time was up", nil
		}
	}
	return done, "none was tried", nil
}

// behind tells whether the server did not keep up with its plan.
func (r *Result) behind() bool {
	return r.Rate < 0.9*float64(r.Plan.Streams)*r.Plan.Rate
}
