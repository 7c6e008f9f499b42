package bench

import (
	"fmt"
	"time"
)

// Readiness tells how far a number can be believed.
type Readiness uint8

const (
	// Absent: fewer than five samples; show the level before, greyed.
	Absent Readiness = iota
	// Few: from five samples on; shown with "~".
	Few
	// Ready: enough samples since the load was reached.
	Ready
)

// Stat is one metric over one scope, in the metric's unit.
type Stat struct {
	// N is the number of samples: requests for TTFT, E2E, TPOT, TPS and RPM, tokens for ITL and TPM.
	N         int
	Readiness Readiness
	// Mean is the level's mean: for TPS tokens ÷ stream-seconds, for RPM and TPM the rate; Half the half-width of its 95 % interval (rates only).
	Mean, Half Value
	// Percentiles over samples; absent for rates. For TPS P5 and P1 are the slow streams.
	P50, P95, P99, Max, P5, P1 Value
	// Missing is how many samples more there would be if no request had failed and every arrival had been sent (latencies and speeds only). Promised
	// are the percentiles with those counted as worse than every limit; absent where a percentile lies among them, and where none is missing.
	Missing  int
	Promised [numPercentiles]Value
	// Need is how many more samples readiness asks for, Wait about how long that takes (0: not known).
	Need int
	Wait time.Duration
}

// At is the value at a percentile, or the mean.
func (s *Stat) At(p Percentile) Value {
	switch p {
	case P50:
		return s.P50
	case P95:
		return s.P95
	case P99:
		return s.P99
	case Max:
		return s.Max
	case P5:
		return s.P5
	case P1:
		return s.P1
	}
	return s.Mean
}

// Summary is what a scope (a level, a window, the run) amounts to.
type Summary struct {
	// Span is the measured time: pauses and downtime are not in it.
	Span  time.Duration
	Stats [NumMetrics]Stat
	Tally Tally
	// Counted are those of Tally on which shares and verdicts rest: of a level, the requests that started when its load was in force (Sent is not known of
	// them, and 0).
	Counted Tally
	// Missed are those of the requests behind the latencies that gave none; in a level, those since the load was reached.
	Missed Missed
	// Goodput is the share, in percent, of requests that met every threshold, among succeeded, failed and unsent; GoodPerMinute their rate.
	// After a change of the promises those that ended before it are held to the new ones where the level still has them one by one; where it has an even
	// draw of them the share is reckoned from that (GoodputRough), and the rate always is the share times RPM (GoodRateRough). Elsewhere they are Ungraded, and
	// in neither: the goodput is then of the requests, and over the time, since the change.
	Goodput, GoodPerMinute      Value
	GoodputRough, GoodRateRough bool
	Ungraded                    int
	// OutputRate is output tokens per second of all streams; PerMinuteIn and PerMinuteOut the two parts of TPM; RPS requests per second.
	OutputRate, PerMinuteIn, PerMinuteOut, RPS Value
	// InFlight is the mean number of requests in flight, Residence their mean time in flight in seconds.
	InFlight, Residence Value
	// Stalls is the number of chunk gaps over the stall limit.
	Stalls int
	// PromptTokens and AnswerTokens are means per request that ended ok, by the server's count where it gives one.
	PromptTokens, AnswerTokens Value
	// CountedTokens is the mean length of the prompts that the server counted, AskedTokens that of the same prompts as they were asked for.
	CountedTokens, AskedTokens Value
	// Chars is output characters (code points of generated text) per second of all streams.
	Chars Value
	// Offered is arrivals a second, sent or not, and Achieved how many of them were sent; Lag how late requests were handed over, DueTTFT and DueE2E the
	// latencies from the instants at which they should have gone, in ms. Open loop only.
	Offered, Achieved    Value
	Lag, DueTTFT, DueE2E Stat
	// Wasted is the number of tokens of failed requests, Cached of prompt tokens from the server's prefix cache.
	Wasted, Cached int
	// NewConnections is the share of requests that had to open a connection, 0..1; Connect is what that took (look-up and TCP), Handshake what TLS
	// took on top, both in ms.
	NewConnections     Value
	Connect, Handshake Stat
	// Malformed is how many events could not be read, Bursts the share of requests that came in one burst, 0..1 (see Ended.Burst).
	Malformed int
	Bursts    Value
	// Server is what the server told of itself over the span; nil where it tells nothing.
	Server *ServerFacts
	// Strained is how many seconds the client was Busy, and Saturated: what was measured then may be its own doing.
	Strained [2]int
}

// Missed are requests that gave no sample because they failed, or were never sent.
type Missed struct{ Failed, Unsent int }

// All is how many they are together.
func (m Missed) All() int { return m.Failed + m.Unsent }

// String is what there is of them in words: "3 failed, 40 unsent"; empty if there are none.
func (m Missed) String() string {
	switch {
	case m.Failed > 0 && m.Unsent > 0:
		return fmt.Sprintf("%d failed, %d unsent", m.Failed, m.Unsent)
	case m.Failed > 0:
		return fmt.Sprintf("%d failed", m.Failed)
	case m.Unsent > 0:
		return fmt.Sprintf("%d unsent", m.Unsent)
	}
	return ""
}

// Settling is how far a level has come.
type Settling uint8

const (
	// Moving: the hand has not rested yet.
	Moving Settling = iota
	// Reaching: in flight + held is not yet the target.
	Reaching
	// Settles: the load is reached, some lane is not ready.
	Settles
	// Settled: all five lanes are ready.
	Settled
	// Unsettled: not ready within 60 s of reaching; stays so until the level ends.
	Unsettled
)

// String is the state's word.
func (s Settling) String() string {
	return [...]string{"moving", "reaching", "settling", "ready", "unsettled", "", "", ""}[s&7]
}

// Shortfall tells why what is measured in a level is not the load that was set.
type Shortfall uint8

const (
	// InFull: the load is in force.
	InFull Shortfall = iota
	// SlotsHeld: a good part of the slots is held after failures, and not in flight (closed loop).
	SlotsHeld
	// ArrivalsUnsent: more arrivals than may be were never sent (open loop).
	ArrivalsUnsent
)

// NoLevel is the ID of no level: what is sent while the target is down or warms up counts as traffic, and in no statistic.
const NoLevel = -1

// Level is the time between two changes, and the numbers that belong to it alone. Its Summary holds only what came after the load was reached
// (and, for each metric, after what was still the old load's doing had passed).
type Level struct {
	ID    int
	Cause Cause
	// Load is the committed load (the load so far, while Moving); Was the load before.
	Load, Was Setpoint
	// Work is the workload, as its place in Run.Works.
	Work int
	// Begin is when the load began to move; Committed when the hand rested; Reached when the load was in force; Ended when the next began.
	Begin                     time.Duration
	Committed, Reached, Ended Mark
	State                     Settling
	// Short tells what keeps the level from being Settled, whatever its numbers say.
	Short Shortfall
	// ReadyAt is when it became Settled.
	ReadyAt Mark
	// Note is what the operator wrote when the level began, or since the one before could last be measured.
	Note string
	Summary
	// Unfinished is how many of its requests were still running when it ended. Above 20 % of those sent its E2E is hidden.
	Unfinished int
	// Verdicts are the promises, in the order of the run's thresholds.
	Verdicts []Verdict
	// Batches are at most 40 spans of the level's ready time, for intervals.
	Batches []*Bucket
	// Sample are at most 2,048 of the requests that its statistics rest on, drawn evenly; for what sketches cannot give.
	Sample []Sample
}

// Sample is one request that ended ok: its tokens, and its times in ms (TPOT 0 where there was nothing to divide, TTFA where there was no answer).
type Sample struct {
	Input, Output         int32
	TTFT, TTFA, TPOT, E2E float32
}

// Breaks tells whether the request breaks a promise that can be asked of a single one. What it has no measure for it cannot break. A limit is
// rounded as the samples are, which are true to a ten millionth.
func (s *Sample) Breaks(t Threshold) bool {
	switch t.Metric {
	case TTFT:
		return s.TTFT > float32(t.Limit)
	case TTFA:
		return s.TTFA > float32(t.Limit)
	case ITL, TPOT:
		return s.TPOT > float32(t.Limit)
	case TPS:
		return s.TPOT > 0 && 1000/s.TPOT < float32(t.Limit)
	case E2E:
		return s.E2E > float32(t.Limit)
	}
	return false
}
