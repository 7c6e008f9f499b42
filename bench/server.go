package bench

import (
	"slices"
	"time"
)

// Gauge is something that a server tells of itself in its metrics.
type Gauge uint8

const (
	// ServerRunning and ServerWaiting are requests in the batch, and in the queue before it.
	ServerRunning Gauge = iota
	ServerWaiting
	// KVUsage is the used share of the KV cache, 0..1.
	KVUsage
	// PrefixHits is the share of prompt tokens, 0..1, that came from the prefix cache.
	PrefixHits
	// Preemptions are requests thrown out of the batch, a second.
	Preemptions
	// PromptRate and GenerationRate are tokens a second.
	PromptRate
	GenerationRate
	// ServerTTFT, ServerITL, ServerQueue and ServerE2E are means in ms, by the server's own clock.
	ServerTTFT
	ServerITL
	ServerQueue
	ServerE2E
	// Accepted is the share of drafted tokens, 0..1, that speculative decoding kept.
	Accepted
	// GPUUse is a share, 0..1; GPUMemory bytes in use, GPUMemoryFree those that are free; GPUPower watts.
	GPUUse
	GPUMemory
	GPUMemoryFree
	GPUPower
	// NumGauges is how many there are; not a gauge.
	NumGauges
)

// Additive tells whether the values of several servers, or of one's parallel engines, add up; the others are averaged.
func (g Gauge) Additive() bool {
	switch g {
	case ServerRunning, ServerWaiting, Preemptions, PromptRate, GenerationRate, GPUMemory, GPUMemoryFree, GPUPower:
		return true
	}
	return false
}

// Amount is a gauge over a span: its mean is Sum ÷ Weight. The weight is readings for what is read, seconds for rates, and what a share is of for shares.
type Amount struct{ Sum, Weight, Max float64 }

// Mean is the gauge's mean; absent without readings.
func (a Amount) Mean() Value {
	if !(a.Weight > 0) {
		return Value{}
	}
	return Some(a.Sum / a.Weight)
}

// ServerFacts are what a server told of itself over a span. They never change once they are part of Facts.
type ServerFacts struct {
	Gauges [NumGauges]Amount `json:",omitzero"`
	// Scrapes answered, Missed did not; Restarts is how often counters began anew.
	Scrapes, Missed, Restarts int `json:",omitzero"`
	// TTFT, ITL and Queue are the server's histograms in ms. Within a bucket they are spread evenly, so that quantiles are estimates.
	TTFT, ITL, Queue Sketch `json:",omitzero"`
}

// plus is the facts of two spans together; either may be nil.
func (f *ServerFacts) plus(o *ServerFacts) *ServerFacts {
	if f == nil || o == nil {
		if f == nil {
			return o
		}
		return f
	}
	out := *f
	for g := range out.Gauges {
		a, b := &out.Gauges[g], &o.Gauges[g]
		a.Sum, a.Weight, a.Max = a.Sum+b.Sum, a.Weight+b.Weight, max(a.Max, b.Max)
	}
	out.Scrapes, out.Missed, out.Restarts = out.Scrapes+o.Scrapes, out.Missed+o.Missed, out.Restarts+o.Restarts
	out.TTFT, out.ITL, out.Queue = Merge(out.TTFT, o.TTFT), Merge(out.ITL, o.ITL), Merge(out.Queue, o.Queue)
	return &out
}

// Mean is a gauge's mean over the span; absent where the server does not tell it, and on nil.
func (f *ServerFacts) Mean(g Gauge) Value {
	if f == nil || g >= NumGauges {
		return Value{}
	}
	return f.Gauges[g].Mean()
}

// Beside is how many output tokens the server says that it generated in buckets that follow one another, how many came here in the time that its readings are of,
// and how long that was. What lies between two readings that are too far apart is in neither.
func Beside(buckets []*Bucket) (generated, came float64, read time.Duration) {
	ahead := 0.0 // seconds that a later reading is of
	for _, b := range slices.Backward(buckets) {
		if b.Server != nil {
			a := &b.Server.Gauges[GenerationRate]
			generated, ahead = generated+a.Sum, ahead+a.Weight
		}
		span := b.Span.Seconds()
		if span <= 0 {
			continue
		}
		of := min(ahead, span)
		came, ahead = came+float64(b.Out+b.OutFix)*of/span, ahead-of
		read += time.Duration(of * float64(time.Second))
	}
	return generated, came, read
}

// Max is a gauge's greatest reading of the span; absent where the server does not tell it, and on nil.
func (f *ServerFacts) Max(g Gauge) Value {
	if f == nil || g >= NumGauges || !(f.Gauges[g].Weight > 0) {
		return Value{}
	}
	return Some(f.Gauges[g].Max)
}

// What an EventServer says, in its N.
const (
	// ServerCame: gauges are read; ServerWent: there are none, or none any more; ServerRestarted: counters began anew.
	ServerCame = iota
	ServerWent
	ServerRestarted
)

// ServerAt stands in the text of an EventServer before the host that it is about, where there are several.
const ServerAt = " at "

// Scraping is how the reading of a server's metrics goes.
type Scraping uint8

const (
	// ScrapeUnknown: not tried yet.
	ScrapeUnknown Scraping = iota
	// ScrapeOK: gauges are read.
	ScrapeOK
	// ScrapeAbsent: there are none at the address (404, or none that is known). ScrapeDenied: 401 or 403.
	ScrapeAbsent
	ScrapeDenied
	// ScrapeUnreachable: no answer. ScrapeForeign: an answer that is no Prometheus text, or of no server that is
	// known. ScrapeTooLarge: more than is read.
	ScrapeUnreachable
	ScrapeForeign
	ScrapeTooLarge
)

// Scrape is what was last read at one address of a server's metrics.
type Scrape struct {
	// URL is without user, password and query. Engine is who answers, in its own spelling ("vLLM", "llama.cpp"), with its Version where it says one.
	URL, Engine, Version string   `json:",omitzero"`
	State                Scraping `json:",omitzero"`
	// Why is what is wrong, in words; empty while nothing is.
	Why string `json:",omitzero"`
	// At is the instant of the last answer that could be read; absent before. Took is how long it took, Size its bytes.
	At   Mark          `json:",omitzero"`
	Took time.Duration `json:",omitzero"`
	Size int           `json:",omitzero"`
	// Values are the gauges now, rates and shares over the last five seconds; absent is what the server does not tell.
	Values [NumGauges]Value `json:",omitzero"`
	// Late: its tokens are counted once the request that they are of has ended.
	Late bool `json:",omitzero"`
	// MaxRunning is how many requests its batch can hold, KVTokens how many tokens its KV cache; absent where it does not say.
	MaxRunning, KVTokens Value `json:",omitzero"`
}

// Reads tells whether any of the scrapes brings gauges.
func Reads(all []Scrape) bool {
	return slices.ContainsFunc(all, func(s Scrape) bool { return s.State == ScrapeOK })
}
