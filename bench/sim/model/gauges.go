package model

// Gauges are the engine's state and totals, as a server's metrics show them.
type Gauges struct {
	// Running is how many sequences are in the batch, Waiting how many are queued (preempted ones too).
	Running, Waiting int
	// UsedBlocks of Blocks hold KV cache.
	UsedBlocks, Blocks int
	// Preemptions counts sequences thrown out of the batch.
	Preemptions uint64
	// PromptTokens counts prompts at their first token, once each; GenerationTokens every token of an answer.
	PromptTokens, GenerationTokens uint64
	// QueriedTokens are those of prompts that the prefix cache was asked for, CachedTokens those that came from it; both at admission.
	QueriedTokens, CachedTokens uint64
	// Submitted = Stopped + CutShort + Cancelled + Running + Waiting.
	Submitted, Stopped, CutShort, Cancelled uint64
}

// KVUsage is the used part of the KV cache, 0 to 1.
func (g Gauges) KVUsage() float64 {
	if g.Blocks == 0 {
		return 0
	}
	return float64(g.UsedBlocks) / float64(g.Blocks)
}

// Gauges tells the state between two steps.
func (m *Model) Gauges() Gauges {
	g := m.totals
	g.Running, g.Waiting = len(m.running), len(m.waiting)
	g.Blocks, g.UsedBlocks = m.params.Blocks, m.params.Blocks-m.free
	return g
}
