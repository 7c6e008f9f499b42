package bench

// Metric is a measured quantity. The first five are the lanes of the dashboard, in their order.
type Metric uint8

const (
	// TTFT, time to first token, ms: first event with non-empty text in any generated channel, minus the hand-over to the transport.
	TTFT Metric = iota
	// ITL, inter-token latency, ms: a chunk's gap divided by the tokens in the chunk, counted once per token.
	ITL
	// TPS, tokens per second of one stream as its reader feels it: after the stream's first chunk, waiting excluded.
	TPS
	// RPM, requests finished well per minute.
	RPM
	// TPM, tokens processed per minute, prompt and output together.
	TPM
	// E2E, end-to-end latency, ms: last token minus hand-over to the transport.
	E2E
	// TPOT, time per output token, ms: per request, (last token − first token) ÷ tokens after the first chunk.
	TPOT
	// TTFA, time to first answer, ms: as TTFT, for the first token that is not reasoning.
	TTFA
	// Errors, percent: failed ÷ (succeeded + failed); limited and cancelled requests are in neither.
	Errors
	// NumMetrics is how many there are; not a metric.
	NumMetrics
)

var metricNames = [NumMetrics]string{"TTFT", "ITL", "TPS", "RPM", "TPM", "E2E", "TPOT", "TTFA", "errors"}

// Lanes are the metrics of the five effect lanes, from the top.
var Lanes = [...]Metric{TTFT, ITL, TPS, RPM, TPM}

// String is the metric's name as the field writes it.
func (m Metric) String() string {
	if m < NumMetrics {
		return metricNames[m]
	}
	return "metric?"
}

// Unit is the unit of the metric's numbers.
func (m Metric) Unit() string {
	switch m {
	case TPS:
		return "tok/s"
	case RPM:
		return "req/min"
	case TPM:
		return "tok/min"
	case Errors:
		return "%"
	}
	return "ms"
}

// paced tells whether the metric is about the pace of a stream.
func (m Metric) paced() bool { return m == ITL || m == TPS || m == TPOT }

// HigherIsBetter tells the side of the metric that operators want.
func (m Metric) HigherIsBetter() bool { return m == TPS || m == RPM || m == TPM }

// Percentile is one of the points of a distribution that screens and thresholds name.
type Percentile uint8

const (
	P50 Percentile = iota
	P95
	P99
	Max
	P5
	P1
	// Mean is not a percentile of a distribution but takes its place where counts have none.
	Mean
	numPercentiles
)

var (
	percentileNames = [numPercentiles]string{"p50", "p95", "p99", "max", "p5", "p1", "mean"}
	percentileQ     = [numPercentiles]float64{0.50, 0.95, 0.99, 1, 0.05, 0.01, -1}
)

// String is the percentile's name: "p95".
func (p Percentile) String() string {
	if p < numPercentiles {
		return percentileNames[p]
	}
	return "p?"
}

// Q is the percentile as a quantile in 0..1; -1 for Mean.
func (p Percentile) Q() float64 { return percentileQ[p] }
