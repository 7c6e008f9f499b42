package bench

import "time"

// Prices are what a target costs in the operator's currency: by the token, or by the hour of its GPUs; 0 means not set.
type Prices struct {
	// Input and Output are per million tokens, of prompts and of answers. Cached is that of prompt tokens which the server took from its cache; absent:
	// they cost as the others do.
	Input, Output float64 `json:",omitzero"`
	Cached        Value   `json:",omitzero"`
	// GPUHour is what one of the GPUs costs an hour.
	GPUHour float64 `json:",omitzero"`
	GPUs    int     `json:",omitzero"`
}

// Set tells whether there is any price.
func (p Prices) Set() bool { return p.ByToken() || p.Hourly() > 0 }

// ByToken tells whether tokens have prices.
func (p Prices) ByToken() bool { return p.Input > 0 || p.Output > 0 || p.Cached.V > 0 }

// Hourly is what the GPUs cost an hour, idle or not; 0 where that is not set.
func (p Prices) Hourly() float64 { return p.GPUHour * float64(p.GPUs) }

// Tokens is what prompt tokens, of which some came from the server's cache, and answer tokens cost together.
func (p Prices) Tokens(in, cached, out float64) float64 {
	cost := in*p.Input + out*p.Output
	if p.Cached.OK {
		cost += min(cached, in) * (p.Cached.V - p.Input)
	}
	return cost / 1e6
}

// Over is what the GPUs cost over a time, whatever they do in it.
func (p Prices) Over(d time.Duration) float64 { return p.Hourly() * d.Hours() }
