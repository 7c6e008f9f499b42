package model

import (
	"fmt"
	"time"
)

// Preset names one engine that is worth driving.
type Preset uint8

const (
	// SmallGPU is a 7B model on one card of the 24 GB class: the knee lies near 32, an answer takes 4 s at 8.
	SmallGPU Preset = iota
	// LargeGPU is the same model on a large card: twice as fast for one reader, with its knee beyond 128.
	LargeGPU
	// Hosted is a provider's pool: the engine is never the limit, quotas and the network are (see package sim).
	Hosted
)

// BlockSize is how many tokens a KV block of every preset holds, as vLLM's do.
const BlockSize = 16

// Presets are all of them, the default first.
func Presets() []Preset { return []Preset{SmallGPU, LargeGPU, Hosted} }

var presetNames = [...]string{SmallGPU: "small-gpu", LargeGPU: "large-gpu", Hosted: "hosted"}

// String is the preset's name on the command line.
func (p Preset) String() string {
	if int(p) < len(presetNames) {
		return presetNames[p]
	}
	return fmt.Sprintf("preset(%d)", uint8(p))
}

// ParsePreset reads a name as String writes it.
func ParsePreset(name string) (Preset, error) {
	for p, known := range presetNames {
		if name == known {
			return Preset(p), nil
		}
	}
	return 0, fmt.Errorf("preset %q: small-gpu, large-gpu or hosted", name)
}

// Params are the preset's engine, with seed 0. An unknown preset is the default one.
func (p Preset) Params() Params {
	switch p {
	case LargeGPU:
		return Params{
			Slots: 256, TokenBudget: 2048, ContextLength: 32768,
			StepFloor: 7 * time.Millisecond, PerSequence: 30 * time.Microsecond,
			PerPrefillToken: 10 * time.Microsecond, PerKiloContext: 12 * time.Microsecond,
			Sharpness: 6, Jitter: 0.04,
			BlockSize: BlockSize, Blocks: 24000, PrefixCache: true,
			OutputMean: 220, OutputSigma: 0.4,
		}
	case Hosted:
		return Params{
			Slots: 512, TokenBudget: 4096, ContextLength: 131072,
			StepFloor: 11 * time.Millisecond, PerSequence: 20 * time.Microsecond,
			PerPrefillToken: 20 * time.Microsecond, PerKiloContext: 8 * time.Microsecond,
			Sharpness: 4, Jitter: 0.15,
			BlockSize: BlockSize, Blocks: 64000,
			OutputMean: 220, OutputSigma: 0.4,
		}
	default:
		return Params{
			Slots: 48, TokenBudget: 512, ContextLength: 8192,
			StepFloor: 16500 * time.Microsecond, PerSequence: 480 * time.Microsecond,
			PerPrefillToken: 80 * time.Microsecond, PerKiloContext: 100 * time.Microsecond,
			Sharpness: 6, Jitter: 0.05,
			BlockSize: BlockSize, Blocks: 2048, PrefixCache: true,
			OutputMean: 220, OutputSigma: 0.4,
		}
	}
}
