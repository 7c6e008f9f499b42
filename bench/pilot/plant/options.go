package plant

import (
	"fmt"
	"time"

	"redline/bench"
	"redline/bench/sim/model"
)

// Options are a plant's; what is zero has the value that is named.
type Options struct {
	// Model is the engine. Its Seed draws the lengths of the answers, and Seed what the clients do.
	Model model.Params
	Seed  uint64
	// Speed is how many times as fast as its parameters say the engine is (1).
	Speed float64
	// Load is the first load; Max bounds the requests in flight in the open loop (256).
	Load bench.Setpoint
	Max  int
	// Prompt is the mean length of the prompts in tokens (512), Sigma that of their log-normal lengths (0.3), MaxTokens what bounds the answers (512): those of
	// the chat scenario.
	Prompt, MaxTokens int
	Sigma             float64
	// Fail is the share of requests, 0..1, that the server answers with status 500.
	Fail float64
	// RPM is how many requests it takes a minute, in a bucket that fills steadily and holds Burst of them (a sixth of RPM, at least 1); beyond them it
	// answers with status 429 and says when to come again. 0: no limit.
	RPM, Burst int
	// Folds asks for snapshots: the batches then hold all that the engine's do, at about five times the cost. Else they lack the chunks behind the first ones:
	// Facts.Gap and Facts.ITL are empty, and the tokens of answers are booked at their ends.
	Folds      bool
	Thresholds []bench.Threshold
	// Bundle is how long tokens of a stream are gathered to be told as one chunk (200 ms), which spares most of the cost of folding.
	Bundle time.Duration
}

// withDefaults fills in what is zero, and checks the rest.
func (o Options) withDefaults() (Options, error) {
	def := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	def(&o.Max, 256)
	def(&o.Prompt, 512)
	def(&o.MaxTokens, 512)
	def(&o.Burst, max(o.RPM/6, 1))
	if o.Speed == 0 {
		o.Speed = 1
	}
	if o.Sigma == 0 {
		o.Sigma = 0.3
	}
	if o.Bundle == 0 {
		o.Bundle = 200 * time.Millisecond
	}
	if !(o.Speed > 0) {
		return o, fmt.Errorf("speed %g: above 0", o.Speed)
	}
	if o.Fail < 0 || o.Fail > 1 {
		return o, fmt.Errorf("share of failures %g: 0 to 1", o.Fail)
	}
	if o.RPM < 0 {
		return o, fmt.Errorf("requests a minute %d: at least 0", o.RPM)
	}
	return o, nil
}
