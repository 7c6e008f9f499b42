package analysis

// rule is a cause with what it takes to name it.
type rule struct {
	cause Cause
	// refuted is what would show that it is something else, cure the direction of the cure.
	refuted, cure string
	// needs is what is missing to judge it; empty where nothing is.
	needs func(*signals) string
	// see is what was seen of it, false where the rule does not hold.
	see func(*signals) (sight, bool)
}

// sight is what a rule has seen.
type sight struct {
	saw []string
	// first and pace are the shares, 0..1, of the wait for the first token and of the time between tokens that it explains, failed that of failures.
	first, pace, failed float64
	// urgent, 1 or more, puts it before all that only explains; 0 for the others. binds tells that it limits the server though all promises are kept.
	urgent float64
	binds  bool
}

// rules are all causes, each once. Their order breaks ties.
var rules = [NumCauses]rule{
	ServerDied: {ServerDied, "it answers again", "step back; look for out of memory in its log", always, seesDeath},
	ClientBound: {ClientBound, "the client's verdict is ok", "fewer streams here, more machines, less drawing",
		measured, seesClient},
	QuotaBound: {QuotaBound, "no 429, and less than 70% of each quota used", "raise the tier; shorter requests for TPM, fewer and longer ones for RPM",
		always, seesQuota},
	ErrorsFirst: {ErrorsFirst, "no failures", "by class: read the first message", judged, seesErrors},
	Buffered: {Buffered, "as many chunks as tokens", "proxy buffering off, compression off, a smaller stream interval",
		ended, seesBuffer},
	KVCache: {KVCache, "usage under 80%, and no preemptions", "more cache memory, a quantised KV cache, shorter limits, shared prefixes",
		gauges, seesCache},
	PrefillBound: {PrefillBound, "a TTFT that does not depend on the prompt's length", "prefix caching, chunked prefill, prefill and decode apart, shorter prompts",
		lengths, seesPrefill},
	Queueing: {Queueing, "nothing waiting, or an ITL that grows in step with the load", "a larger batch if the KV cache allows, more replicas, admission control",
		waits, seesQueue},
	DecodeBound: {DecodeBound, "an output rate that still grows with the load", "quantisation, a smaller model, speculative decoding, tensor parallelism, more replicas",
		compared, seesDecode},
	PastPeak: {PastPeak, "an output rate that still grows, or stays", "step back to the peak; memory, batch limit", compared, seesPeak},
	Jitter:   {Jitter, "an ITL p99 under twice its p50", "chunked prefill, a smaller prefill budget, separate pools", tokens, seesJitter},
	Network: {Network, "a small difference between our TTFT and the server's own, and connections that are kept", "keep connections, a nearer client, settings of the gateway",
		outside, seesNetwork},
	ColdStart: {ColdStart, "slow first tokens later on", "warm up, keep alive, load models ahead", opening, seesCold},
	Shared:    {Shared, "as many requests running there as ours", "say so beside the results; measure alone", gauges, seesOthers},
	PrefixCache: {PrefixCache, "hits near 0", "unique prompts, or say so beside the results",
		cached, seesPrefix},
	UnderDriven: {UnderDriven, "any cause above", "raise the load", compared, seesRoom},
}

func causeOf(c Cause) *rule { return &rules[min(c, NumCauses-1)] }
