package aggregate

import (
	"math"
	"slices"
	"time"

	"redline/bench"
)

// latest bounds the instants of a saved state: sums of a few of them are still instants.
const latest = time.Duration(math.MaxInt64 / 8)

// check tells what of a saved state no State could have been, as far as it could do harm.
func (o *Saved) check() error {
	switch {
	case o.Folded < 0 || o.Folded > latest:
		return broken("folded up to %v", o.Folded)
	case o.Cleared < 0 || o.Cleared > o.Folded:
		return broken("cleared at %v of %v", o.Cleared, o.Folded)
	case len(o.Told) != len(o.Thresholds):
		return broken("what was told of %d promises, of %d", len(o.Told), len(o.Thresholds))
	case len(o.Events) > maxEvents || o.EventsGone < 0 || o.EventsGone > math.MaxInt32*1024:
		return broken("%d events behind %d", len(o.Events), o.EventsGone)
	case o.Outages.N < 0 || o.Outages.Lasted < 0 || o.Outages.Lasted > latest || o.Outages.Since.At < 0 || o.Outages.Since.At > latest:
		return broken("down %d times, for %v, and since %v", o.Outages.N, o.Outages.Lasted, o.Outages.Since.At)
	case len(o.Quotas) > maxQuotas:
		return broken("%d quotas, of which at most %d are kept", len(o.Quotas), maxQuotas)
	case o.Strained > bench.Saturated:
		return broken("a strain of %d", o.Strained)
	}
	for _, t := range append(slices.Clone(o.Thresholds), o.Promised...) {
		if t.Metric >= bench.NumMetrics || t.At > bench.Mean {
			return broken("a promise on metric %d at %d", t.Metric, t.At)
		}
	}
	for i := range o.Broken {
		if out := o.Broken[i].Outcome; out >= bench.NumOutcomes {
			return broken("an outcome of %d", out)
		}
	}
	return nil
}

// check tells the same of a level in a state that was folded up to an instant.
func (o *SavedLevel) check(run *bench.Run, folded time.Duration) error {
	switch {
	case o.Work != 0 && (o.Work < 0 || o.Work >= len(run.Works)):
		return broken("level %d has workload %d of %d", o.ID, o.Work, len(run.Works))
	case o.Begin < 0 || o.Begin > latest || o.Shown < 0 || o.Shown > folded:
		return broken("level %d begins at %v and is shown at %v", o.ID, o.Begin, o.Shown)
	case o.State > bench.Unsettled:
		return broken("level %d is in state %d", o.ID, o.State)
	case len(o.Requests.Sample) != min(o.Requests.Offered, sampleSize):
		return broken("level %d has %d samples of %d", o.ID, len(o.Requests.Sample), o.Requests.Offered)
	case o.Batches.Each < 0 || o.Batches.Grown < 0 || len(o.Batches.Full) >= maxSpans || (o.Batches.Growing == nil) != (o.Batches.Grown == 0):
		return broken("level %d has %d batches of %d, and %d towards the next", o.ID, len(o.Batches.Full), o.Batches.Each, o.Batches.Grown)
	case len(o.Requests.Draws) > 0 && drawsOf(o.Requests.Draws) == nil:
		return broken("level %d draws by %x", o.ID, o.Requests.Draws)
	}
	for i := range o.Batches.Full {
		if err := checkBucket(&o.Batches.Full[i]); err != nil {
			return err
		}
	}
	if b := o.Batches.Growing; b != nil {
		return checkBucket(b)
	}
	return nil
}

// checkBucket tells whether a span could be one of a run.
func checkBucket(b *bench.Bucket) error {
	if b.Start < 0 || b.Start > latest || b.Span <= 0 || b.Span > latest || b.Active < 0 || b.Active > b.Span {
		return broken("a span of %v from %v, active for %v", b.Span, b.Start, b.Active)
	}
	return nil
}
