package record

import (
	"math"

	"redline/bench"
)

// units says, in the header of each file, how what stands in it is to be read: enough for a reader of other make that knows nothing of this program.
func units() map[string]string {
	return map[string]string{
		"columns": "a request's, by their places; at its end what is 0, empty or null is left out, and null is an instant that has not come",
		"numbers": "as fields says; the others are counts, of tokens where the name says In, Out or Tokens. What is left out is 0, empty or false; null is absent",
		"fields":  "the unit of each number that is no count, by the name of its field, behind that of the field it stands in and a dot where the name alone means something else",
		"load":    "N of an object of N and Mode: requests in flight where Mode is 0 (left out), arrivals a second where it is 1; other loads are such an N",
		"promise": "Metric (enums.metric), At (enums.percentile), Floor (true: at least Limit, else at most), Limit in the metric's unit: ms, TPS tokens a second, RPM and " +
			"TPM a minute, errors per cent",
		"ended":   "Ended of facts: a count for each of enums.outcome, in their order; Strained: seconds in which the client was busy, and saturated",
		"starts":  "pairs: a level, and how many requests of it were sent",
		"firsts":  "first tokens, column by column: at since the one before (the first since the batch's start), ttft, started since the run's start (left out: at less ttft), due from when it should have gone to its start; level and input of one number stand for all",
		"fixes":   "corrections of token counts, column by column: first since the batch's start, last since first; in and out of one number stand for all",
		"gauge":   "Values and Gauges, in the order of enums.gauge: requests, requests, 0..1, 0..1, a second, tokens a second, tokens a second, ms, ms, ms, ms, 0..1, 0..1, bytes, bytes, watts; each of Gauges is its sum, weight and greatest, the mean is sum / weight",
		"quotas":  "Limit, Remaining and Gone in what Kind says (enums.quota); Reset is since At",
		"gaps":    "of a request after its first chunk: varints in base64, flags (1: the server counted tokens, 2: not of every chunk), chunks an entry stands for, and of a last entry that is not full its chunks, ns, events, tokens. An entry is the gap in us, 2*events, and where that is odd the tokens too, else as many as events",
		"texts":   "message, head, finish, prompt, reply: words, or an array of one in base64 where they are not UTF-8",
		"sketch":  "count, sum, least, greatest, then pairs: by how much a bin's index is above the one before (the first: the index itself), and its count",
		"bins":    "index i holds values from v(i) to below v(i+1), counted as v(i)*(1+accuracy); v(i) = 2^e * (1+s), with x = i/per_doubling, e = floor(x), and s in 0..1 such that cubic[0]*s + cubic[1]*s^2 + cubic[2]*s^3 = x-e",
		"skipped": "checkpoint, part and index are redline's own, to start in the middle: all in them follows from the lines before, as long as none of those is missing",
	}
}

// bins are the numbers of the formula under units.bins.
type bins struct {
	Accuracy    float64    `json:"accuracy"`
	PerDoubling float64    `json:"per_doubling"`
	Cubic       [3]float64 `json:"cubic"`
}

// binsOf are those of a bench.Sketch: the cubically interpolated logarithm of DDSketch.
func binsOf() bins {
	const linear, square, cubic = 10.0 / 7, -3.0 / 5, 6.0 / 35
	a := bench.Accuracy
	return bins{Accuracy: a, PerDoubling: 1 / (linear * math.Ln2 * math.Log2((1+a)/(1-a))), Cubic: [3]float64{linear, square, cubic}}
}

// fields are the numbers in seconds and in the header's runs that are no counts, by their unit, as units.fields says.
var fields = map[string][]string{
	"ns since the run's start": {"start", "At", "Start", "Since", "Moving", "Began", "Ramping.Ended", "Begin", "End", "Cruising.Ended", "Frozen", "Moved", "HeldNext", "Changed",
		"Silent", "Deadline"},
	"ns": {"span", "active", "Span", "Following.At", "Per", "Reset", "Took", "Cap", "Limits.Connect", "FirstToken", "Idle", "Total", "Duration", "Stall"},
	"ms": {"TTFT", "TTFA", "ITL", "Gap", "E2E", "TPOT", "facts.Connect", "Handshake", "Lag", "DueTTFT", "DueE2E", "Queue", "TimerLag", "WakeLag", "SchedLag", "SendLag",
		"late_itl.Sketch", "Wrong", "WrongGap"},
	"us":                                    {"unsent.at", "firsts.at", "firsts.ttft", "firsts.started", "firsts.due", "fixes.first", "fixes.last"},
	"s":                                     {"UngradedSeconds", "Stay"},
	"s of a stream":                         {"DecodeSeconds", "DecodeSpare"},
	"s of a slot":                           {"facts.InFlight", "facts.Held"},
	"tokens":                                {"DecodeTokens", "DecodeFix", "KVTokens"},
	"tokens a second":                       {"TPS"},
	"tokens an event":                       {"per_event"},
	"requests":                              {"MaxRunning", "Worth"},
	"a minute":                              {"RPM", "TPM"},
	"a second":                              {"MaxRate", "Rate"},
	"0..1":                                  {"CPU", "GC", "Low", "High", "Share", "Aim", "Kept", "QuotaReserve"},
	"money":                                 {"Cost", "Budget", "GPUHour"},
	"money a million tokens":                {"PerMillion", "Prices.Input", "Prices.Output", "Prices.Cached"},
	"money an hour, tokens without prices":  {"PerHour"},
	"as units.load":                         {"Stages.From", "Stages.To", "Base", "Ramp.From", "Most", "Loads", "Least", "Capacity", "Spread"},
	"as units.quotas":                       {"quotas.Limit", "Remaining", "Gone"},
	"as units.gauge":                        {"Gauges", "Values"},
	"a factor, or a load":                   {"By"},
	"as the promise has it":                 {"Now.Value", "Trials.Value", "AtAbove"},
	"of a gamma distribution, 1 is Poisson": {"Burstiness"},
	"per cent":                              {"Goodput"},
	"enums.mode":                            {"Mode"},
	"enums.event":                           {"events.Kind", "fresh.Kind"},
	"enums.cause":                           {"Cause"},
	"enums.outcome":                         {"Outcome"},
	"enums.source":                          {"source"},
	"enums.strain":                          {"Strain"},
	"enums.scraping":                        {"server.State"},
	"enums.state":                           {"gauges.State"},
	"enums.quota":                           {"quotas.Kind"},
	"enums.ramp":                            {"Phase"},
	"enums.rise":                            {"Rise"},
	"enums.holds":                           {"Holds"},
	"enums.shape":                           {"Shape"},
	"enums.api":                             {"API"},
}
