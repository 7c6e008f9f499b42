package bench

// Outcome is how a request ended.
type Outcome uint8

const (
	// OK: the stream ended properly, with a finish reason that is not a failure.
	OK Outcome = iota
	// RateLimited: HTTP 429 that asks to wait.
	RateLimited
	// Overloaded: HTTP 503 or 529, or an overload error inside the stream.
	Overloaded
	// Unauthorized: 401, 402, 403, or a 429 that says the quota is exhausted. Pauses the run.
	Unauthorized
	// ClientError: any other 4xx.
	ClientError
	// ServerError: any other 5xx.
	ServerError
	// StreamError: an error, a failing finish reason, or last words that nobody understands, inside an HTTP 200.
	StreamError
	// Truncated: the stream ended without a finish reason or [DONE].
	Truncated
	// Malformed: bytes came, but no event, or no token of an answer, could be read.
	Malformed
	// NotStreaming: HTTP 200 with something that is not an event stream.
	NotStreaming
	// Stalled: no byte for longer than the idle limit.
	Stalled
	// TimeoutConnect: the connection was not made within its limit.
	TimeoutConnect
	// TimeoutFirst: no token within the first-token limit.
	TimeoutFirst
	// TimeoutTotal: not finished within the total limit.
	TimeoutTotal
	// Refused: connection refused.
	Refused
	// Reset: connection reset or closed by the other side before an answer.
	Reset
	// Stale: a kept connection that the server had closed meanwhile; the request met its end.
	Stale
	// DNS: the host name did not resolve.
	DNS
	// TLS: the TLS handshake or certificate was refused.
	TLS
	// NoDescriptors: this machine ran out of file descriptors or local ports.
	NoDescriptors
	// Network: any other transport error.
	Network
	// Cancelled: ended by the operator, or by the end of the run.
	Cancelled
	// Interrupted: it spanned a gap in time (suspend, sleep): nothing it measured is true.
	Interrupted
	// NumOutcomes is how many there are; not an outcome.
	NumOutcomes
)

var outcomeNames = [NumOutcomes]string{"ok", "429", "overloaded", "unauthorized", "4xx", "5xx", "stream error", "truncated",
	"malformed", "not streaming", "stalled", "connect timeout", "first-token timeout", "total timeout", "refused", "reset",
	"stale connection", "dns", "tls", "no descriptors", "network", "cancelled", "interrupted"}

// String is the short class name that screens and reports use.
func (o Outcome) String() string {
	if o < NumOutcomes {
		return outcomeNames[o]
	}
	return "outcome?"
}

// Failed tells whether the request counts as failed: neither ok, nor limited (429), nor ended by us.
func (o Outcome) Failed() bool {
	return o != OK && o != RateLimited && o != Cancelled && o != Interrupted && o < NumOutcomes
}

// Broken tells whether the server or the way to it did not keep the request's promise: neither ok nor ended by us. What a broken request measured
// is in no statistic of latencies.
func (o Outcome) Broken() bool { return o != OK && !o.Withdrawn() }

// Withdrawn tells whether it was our doing that the request did not finish; it is then in no share.
func (o Outcome) Withdrawn() bool { return o == Cancelled || o == Interrupted }

// TargetDown tells whether the outcome speaks of a target that is not there at all. A server that says that it is overloaded is there.
func (o Outcome) TargetDown() bool {
	return o == Refused || o == Reset || o == DNS || o == TimeoutConnect
}
