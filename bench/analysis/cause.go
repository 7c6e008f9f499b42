package analysis

import "redline/bench"

// Cause is why an endpoint does not do better at a load.
type Cause uint8

const (
	// ServerDied: nothing answers any more.
	ServerDied Cause = iota
	// ClientBound: this process does not keep up.
	ClientBound
	// QuotaBound: a quota of the key is used up, or nearly.
	QuotaBound
	// ErrorsFirst: more requests fail than were promised to.
	ErrorsFirst
	// Buffered: something on the way holds the streams back.
	Buffered
	// KVCache: the server's KV cache is full, or requests are thrown out of the batch for it.
	KVCache
	// PrefillBound: reading prompts takes most of the server's time.
	PrefillBound
	// Queueing: requests wait for a place in the batch.
	Queueing
	// PastPeak: the output rate falls while the load rises.
	PastPeak
	// DecodeBound: the batch is saturated, more streams only slow one another.
	DecodeBound
	// Jitter: single gaps are far longer than the usual one.
	Jitter
	// Network: a good part of the wait is spent outside the server.
	Network
	// ColdStart: the first requests were far slower than all later ones.
	ColdStart
	// Shared: others use this server too.
	Shared
	// PrefixCache: prompts that were read before flatter the numbers.
	PrefixCache
	// UnderDriven: nothing is saturated.
	UnderDriven
	// NumCauses is how many there are; not a cause.
	NumCauses
)

var causeNames = [NumCauses]string{"server died", "client-bound", "quota-bound", "errors first", "buffered stream", "KV cache", "prefill-bound", "queueing", "past the peak",
	"decode-bound", "batching jitter", "network or gateway", "cold start", "others use this server", "prefix cache flatters", "under-driven"}

// String is the cause's name on screens and in reports.
func (c Cause) String() string {
	if c < NumCauses {
		return causeNames[c]
	}
	return "cause?"
}

// Grade tells how much a reason matters.
type Grade uint8

const (
	// Remark: something to know when the numbers are read.
	Remark Grade = iota
	// Limits: this is what limits the server here, though no promise is broken.
	Limits
	// Alarm: it breaks a promise, or makes the numbers worth less.
	Alarm
)

// String is the grade's word.
func (g Grade) String() string { return [...]string{"remark", "limits", "alarm", ""}[g&3] }

// Reason is a cause that holds at a level.
type Reason struct {
	Cause Cause
	Grade Grade
	// Weight orders reasons: the share, 0..1, of a broken promise that it explains, half of that where none is broken, and 1 or more for what stands before
	// every other question.
	Weight float64
	// Promise is the broken promise of which it explains most, Explains the share, 0..1; 0 for none.
	Promise  bench.Threshold
	Explains float64
	// Saw is what led to it, the numbers that matter most first.
	Saw []string
}

// Refuted is what would show that the cause is not this one.
func (c Cause) Refuted() string { return causeOf(c).refuted }

// Cure is in which direction to look for a cure.
func (c Cause) Cure() string { return causeOf(c).cure }

// Lack is a cause that could not be judged, and what is missing for it.
type Lack struct {
	Cause   Cause
	Missing string
}
