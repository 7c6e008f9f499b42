package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Model is one engine. It is not safe for concurrent use: whoever drives it holds a lock.
type Model struct {
	params Params
	// lengths and jitter are apart, so that an answer's length depends on its place in the order of submission alone.
	lengths, jitter *rand.Rand
	// known holds every job that has not ended.
	known map[ID]*sequence
	// running is in order of admission, waiting in order of service.
	running, waiting []*sequence
	// free is how many KV blocks are free.
	free int
	// cache is nil where no prefix is kept.
	cache  *prefixes
	totals Gauges
	step   Step
}

// New makes an idle engine.
func New(p Params) (*Model, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	m := &Model{
		params:  p,
		lengths: rand.New(rand.NewPCG(p.Seed, 1)),
		jitter:  rand.New(rand.NewPCG(p.Seed, 2)),
		known:   make(map[ID]*sequence),
		free:    p.Blocks,
	}
	if p.PrefixCache {
		m.cache = newPrefixes(p.Blocks)
	}
	return m, nil
}

// Params are the engine's own.
func (m *Model) Params() Params { return m.params }

// Idle tells that a step would do nothing.
func (m *Model) Idle() bool { return len(m.running) == 0 && len(m.waiting) == 0 }

// Submit queues a job at an instant; it is looked at when the next step begins.
func (m *Model) Submit(now time.Duration, j Job) error {
	if err := m.params.check(j); err != nil {
		return err
	}
	if _, taken := m.known[j.ID]; taken {
		return fmt.Errorf("job %d: already running", j.ID)
	}
	s := &sequence{job: j, arrived: now}
	s.length, s.reason = m.draw(j)
	m.known[j.ID] = s
	m.waiting = append(m.waiting, s)
	m.totals.Submitted++
	return nil
}

// Cancel takes a job out and frees its blocks at once; false when it has ended or never was.
func (m *Model) Cancel(id ID) bool {
	s, ok := m.known[id]
	if !ok {
		return false
	}
	m.forget(s)
	m.running = slices.DeleteFunc(m.running, func(o *sequence) bool { return o == s })
	m.waiting = slices.DeleteFunc(m.waiting, func(o *sequence) bool { return o == s })
	m.totals.Cancelled++
	return true
}

// Planned is how long the job's answer will be, in tokens, which only a simulation can know; 0 when it has ended.
func (m *Model) Planned(id ID) int {
	if s, ok := m.known[id]; ok {
		return s.length
	}
	return 0
}

// forget drops the sequence's name and blocks, not its place in the batch or the queue.
func (m *Model) forget(s *sequence) {
	delete(m.known, s.job.ID)
	m.release(s)
}

func (m *Model) release(s *sequence) {
	m.free += s.blocks
	s.blocks, s.computed = 0, 0
}

// draw decides how long the answer will be. It draws for jobs that ignore the end too, so that one such job does not
// shift the lengths of all later ones.
func (m *Model) draw(j Job) (int, Reason) {
	sigma := m.params.OutputSigma
	// The log-normal's mean is exp(mu + sigma²/2).
	wish := m.params.OutputMean * math.Exp(sigma*m.lengths.NormFloat64()-sigma*sigma/2)
	if j.IgnoreEOS || wish > float64(j.MaxTokens) {
		return j.MaxTokens, Length
	}
	return max(1, int(math.Round(wish))), Stop
}
