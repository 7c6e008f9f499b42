package sim

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"redline/bench/sim/model"
)

// Options configure a server. Begin with Defaults; where a number says "0: the preset's", the preset decides.
type Options struct {
	// Addr is where the command listens, host:port; the server itself takes any listener.
	Addr string
	// Preset is the kind of server.
	Preset model.Preset
	// Seed makes answers, lengths, jitter and faults repeatable.
	Seed uint64
	// Model is the one model that is served; not empty.
	Model string
	// APIKey must come with every request when it is not empty: as a bearer token, or in the header of the request's protocol.
	APIKey Key

	// Slots is the largest batch; 0: the preset's.
	Slots int
	// Step is the shortest step, the time to read the weights once; 0: the preset's.
	Step time.Duration
	// KVBlocks is the KV cache in blocks of 16 tokens; 0: the preset's.
	KVBlocks int
	// Context is the context length in tokens; 0: the preset's, or the KV cache where that is smaller.
	Context int
	// PrefixCache lets prompts that begin alike share the work.
	PrefixCache Switch
	// MaxWaiting is how many requests may wait for a place in the batch before the next is refused with 503; 0: any number, as with vLLM.
	MaxWaiting int
	// OutputTokens is the mean length of answers; 0: the preset's.
	OutputTokens float64

	// ReasoningShare is the part of each answer that is streamed as reasoning_content, 0 to 1.
	ReasoningShare float64
	// Speed scales the engine's time: at 2 all steps take half as long; 0.05 to 1000. Quotas and the network keep
	// real time.
	Speed float64
	// Pace replaces the engine by a fixed rate per stream.
	Pace Pace
	// PaceTokens is the length of a paced answer; 0: what the request's max_tokens asks, and 100,000 in a flood.
	PaceTokens int

	// RPM and TPM are the quotas per minute of real time; 0: the preset's, below 0: none.
	RPM, TPM int
	// QuotaHeaders is whose headers tell them.
	QuotaHeaders QuotaHeaders
	// Refuse names the fields of a body that are refused, with status RefuseAs: 400 in the protocol's words, or 422 in pydantic's.
	Refuse   Fields
	RefuseAs int
	Faults   Faults
}

// Faults are the shares of requests that go wrong; together at most 1. Each request meets at most one.
type Faults struct {
	// Error answers with HTTP 500 before anything is streamed.
	Error float64
	// StreamError puts an error object into a stream that began with HTTP 200.
	StreamError float64
	// Stall stops a stream for StallFor, then goes on.
	Stall float64
	// StallFor is how long, more than 0.
	StallFor time.Duration
	// Cut closes the connection in mid-stream.
	Cut float64
}

func (f Faults) shares() float64 { return f.Error + f.StreamError + f.Stall + f.Cut }

// Key is an API key; it prints as stars in every format.
type Key string

// Format writes stars, or nothing for an empty key.
func (k Key) Format(f fmt.State, _ rune) {
	if k != "" {
		_, _ = f.Write([]byte("***"))
	}
}

// Defaults are the demo's: a small GPU, no faults, no quota.
func Defaults() Options {
	return Options{
		Addr: "127.0.0.1:8321", Preset: model.SmallGPU, Seed: 1, Model: "redline-sim-7b", Speed: 1, RefuseAs: http.StatusBadRequest,
		Faults: Faults{StallFor: 5 * time.Second},
	}
}

// Validate returns every problem at once, each with its value and what is allowed.
func (o *Options) Validate() error {
	var errs []error
	need := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	if _, _, err := net.SplitHostPort(o.Addr); err != nil {
		need(false, "addr %q: host:port", o.Addr)
	}
	need(int(o.Preset) < len(model.Presets()), "preset %v: small-gpu, large-gpu or hosted", o.Preset)
	need(strings.TrimSpace(o.Model) != "", "model %q: a name", o.Model)
	need(o.Slots >= 0, "slots %d: 1 or more, or 0 for the preset's", o.Slots)
	need(o.Step >= 0, "step %v: more than 0, or 0 for the preset's", o.Step)
	need(o.KVBlocks >= 0, "kv-blocks %d: 1 or more, or 0 for the preset's", o.KVBlocks)
	need(o.Context >= 0, "context %d: 2 or more, or 0 for the preset's", o.Context)
	need(o.PrefixCache <= Off, "prefix-cache %d: preset, on or off", o.PrefixCache)
	need(o.MaxWaiting >= 0, "max-waiting %d: 1 or more, or 0 for no limit", o.MaxWaiting)
	need(o.OutputTokens >= 0, "output-tokens %g: 1 or more, or 0 for the preset's", o.OutputTokens)
	need(o.ReasoningShare >= 0 && o.ReasoningShare <= 1, "reasoning-share %g: 0 to 1", o.ReasoningShare)
	need(o.Speed >= 0.05 && o.Speed <= 1000, "speed %g: 0.05 to 1000", o.Speed)
	need(o.PaceTokens >= 0, "pace-tokens %d: 1 or more, or 0 for max_tokens", o.PaceTokens)
	need(int(o.QuotaHeaders) < len(quotaHeaderNames), "quota-headers %d: one of %s", o.QuotaHeaders, strings.Join(quotaHeaderNames, ", "))
	need(o.Refuse.valid(), "refuse %q: names of fields, separated by commas", string(o.Refuse))
	need(o.RefuseAs == http.StatusBadRequest || o.RefuseAs == http.StatusUnprocessableEntity, "refuse-as %d: 400 or 422", o.RefuseAs)
	o.Faults.validate(need)
	midStream := o.Faults.shares() - o.Faults.Error
	need(!o.Pace.On || midStream == 0, "pace %v with stream-error, stall or cut shares: faults in mid-stream need the engine", o.Pace)
	if len(errs) == 0 {
		if err := o.params().Validate(); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (f Faults) validate(need func(bool, string, ...any)) {
	share := func(name string, v float64) { need(v >= 0 && v <= 1, "%s %g: 0 to 1", name, v) }
	share("error-share", f.Error)
	share("stream-error-share", f.StreamError)
	share("stall-share", f.Stall)
	share("cut-share", f.Cut)
	need(!(f.shares() > 1), "fault shares %g in all: at most 1", f.shares())
	need(f.Stall == 0 || f.StallFor > 0, "stall %v: more than 0", f.StallFor)
}

// params are the preset's engine with the options laid over it.
func (o *Options) params() model.Params {
	p := o.Preset.Params()
	p.Seed = o.Seed
	if o.Slots > 0 {
		p.Slots = o.Slots
		p.TokenBudget = max(p.TokenBudget, p.Slots)
	}
	if o.Step > 0 {
		p.StepFloor = o.Step
	}
	if o.KVBlocks > 0 {
		p.Blocks = o.KVBlocks
		p.ContextLength = min(p.ContextLength, p.Blocks*p.BlockSize)
	}
	if o.Context > 0 {
		p.ContextLength = o.Context
	}
	if o.PrefixCache != ByPreset {
		p.PrefixCache = o.PrefixCache == On
	}
	if o.OutputTokens > 0 {
		p.OutputMean = o.OutputTokens
	}
	return p
}
