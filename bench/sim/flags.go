package sim

import (
	"strings"

	"github.com/spf13/pflag"

	"redline/bench/sim/model"
)

// presetFlag reads a preset's name.
type presetFlag model.Preset

func (p *presetFlag) String() string { return model.Preset(*p).String() }
func (p *presetFlag) Type() string   { return "preset" }
func (p *presetFlag) Set(s string) error {
	parsed, err := model.ParsePreset(s)
	if err != nil {
		return err
	}
	*p = presetFlag(parsed)
	return nil
}

// Flags adds a flag for each option; what the options hold now is the default.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&o.Addr, "addr", o.Addr, "listen on `host:port`")
	fs.Var((*presetFlag)(&o.Preset), "preset", "small-gpu, large-gpu or hosted (with quotas and a network)")
	fs.Uint64Var(&o.Seed, "seed", o.Seed, "seed of lengths, jitter, texts and faults")
	fs.StringVar(&o.Model, "model", o.Model, "`name` of the one model served")
	fs.StringVar((*string)(&o.APIKey), "api-key", string(o.APIKey), "`key` that requests must bring (default: none)")

	fs.IntVar(&o.Slots, "slots", o.Slots, "sequences in one batch (0: the preset's)")
	fs.DurationVar(&o.Step, "step", o.Step, "shortest decode step, such as 16ms (0: the preset's)")
	fs.IntVar(&o.KVBlocks, "kv-blocks", o.KVBlocks, "KV cache in blocks of 16 tokens (0: the preset's)")
	fs.IntVar(&o.Context, "context", o.Context, "context length in tokens (0: the preset's)")
	fs.Var(&o.PrefixCache, "prefix-cache", "prompts that begin alike share the work: preset, on or off (small-gpu and large-gpu: on)")
	fs.IntVar(&o.MaxWaiting, "max-waiting", o.MaxWaiting, "requests that may wait for a batch before 503 (0: any number)")
	fs.Float64Var(&o.OutputTokens, "output-tokens", o.OutputTokens, "mean tokens of an answer (0: the preset's)")
	fs.Float64Var(&o.ReasoningShare, "reasoning-share", o.ReasoningShare, "part of each answer streamed as reasoning, 0 to 1")
	fs.Float64Var(&o.Speed, "speed", o.Speed, "engine speed, 0.05 to 1000 times real time")
	fs.Var(&o.Pace, "pace", "no engine: each stream at so many tok/s, 0 floods (off: engine)")
	fs.IntVar(&o.PaceTokens, "pace-tokens", o.PaceTokens, "tokens of a paced answer (0: max_tokens; flood: 100000)")

	fs.IntVar(&o.RPM, "rpm", o.RPM, "requests per minute before 429 (0: the preset's, -1: no limit)")
	fs.IntVar(&o.TPM, "tpm", o.TPM, "tokens per minute before 429 (0: the preset's, -1: no limit)")
	fs.Var(&o.QuotaHeaders, "quota-headers", "whose headers tell quotas: "+strings.Join(quotaHeaderNames[1:], ", ")+"; own: by protocol")
	fs.StringVar((*string)(&o.Refuse), "refuse", string(o.Refuse), "body `fields` to refuse, such as temperature,stream_options.include_usage")
	fs.IntVar(&o.RefuseAs, "refuse-as", o.RefuseAs, "`status` of that: 400, or 422 in pydantic's words")
	fs.Float64Var(&o.Faults.Error, "error-share", o.Faults.Error, "share of requests answered with HTTP 500")
	fs.Float64Var(&o.Faults.StreamError, "stream-error-share", o.Faults.StreamError, "share of streams with an error inside HTTP 200")
	fs.Float64Var(&o.Faults.Stall, "stall-share", o.Faults.Stall, "share of streams that pause once")
	fs.DurationVar(&o.Faults.StallFor, "stall", o.Faults.StallFor, "how long a stalled stream pauses")
	fs.Float64Var(&o.Faults.Cut, "cut-share", o.Faults.Cut, "share of streams cut in the middle")
}
