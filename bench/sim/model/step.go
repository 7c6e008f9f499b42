package model

import (
	"math"
	"slices"
	"time"
)

// Step is what one step does. Its slices are reused: they hold until the next step.
type Step struct {
	// Duration is how long it takes; what it yields is there at its end. 0 only when there was nothing to do.
	Duration time.Duration
	// Emitted are the jobs that have one more token, in order of admission.
	Emitted []ID
	// Admitted are the jobs that entered the batch for the first time.
	Admitted []Admission
	// Preempted are the jobs thrown out, first thrown first.
	Preempted []ID
	// Finished are the jobs whose last token is among Emitted.
	Finished []Finish
	// Decoding sequences and Prefill tokens made up the batch.
	Decoding, Prefill int
}

// Admission is a job's first entry into the batch.
type Admission struct {
	ID ID
	// Queued is how long it waited.
	Queued time.Duration
	// Cached is how many tokens of its prompt came from the prefix cache.
	Cached int
}

// Finish is a job's end.
type Finish struct {
	ID     ID
	Reason Reason
	// Prompt and Output are its tokens.
	Prompt, Output int
}

// watermark is the share of the KV cache that admission leaves free, so that a newcomer does not preempt at once.
const watermark = 0.01

// Step computes the step that begins now. An idle engine returns a zero Step.
func (m *Model) Step(now time.Duration) Step {
	m.step = Step{
		Emitted: m.step.Emitted[:0], Admitted: m.step.Admitted[:0],
		Preempted: m.step.Preempted[:0], Finished: m.step.Finished[:0],
	}
	if m.Idle() {
		return m.step
	}
	b := batch{left: m.params.TokenBudget}
	m.scheduleRunning(&b)
	if len(m.step.Preempted) == 0 {
		m.admit(now, &b)
	}
	m.step.Decoding, m.step.Prefill = b.decoding, b.prefill
	m.step.Duration = m.jittered(m.params.stepTime(b.decoding, b.prefill, b.context))
	m.retire()
	return m.step
}

// batch is what the step has taken on so far.
type batch struct {
	// left of the token budget.
	left                       int
	decoding, prefill, context int
}

// scheduleRunning gives every running sequence its tokens, oldest first.
func (m *Model) scheduleRunning(b *batch) {
	for i := 0; i < len(m.running) && b.left > 0; i++ {
		s := m.running[i]
		tokens := min(s.missing(), b.left)
		if !m.reserve(s, tokens) {
			return // it preempted itself, and it was the last
		}
		m.compute(s, tokens, b)
	}
}

// reserve finds blocks for that many more tokens, preempting from the end; false when s itself had to go.
func (m *Model) reserve(s *sequence, tokens int) bool {
	want := m.params.blocksFor(s.computed+tokens) - s.blocks
	for want > m.free {
		victim := m.running[len(m.running)-1]
		m.running = m.running[:len(m.running)-1]
		m.release(victim)
		m.waiting = slices.Insert(m.waiting, 0, victim)
		m.step.Preempted = append(m.step.Preempted, victim.job.ID)
		m.totals.Preemptions++
		if victim == s {
			return false
		}
	}
	m.free -= want
	s.blocks += want
	return true
}

// admit fills the batch from the queue's head. Blocks for the whole prompt are taken at once, though they are filled
// chunk by chunk: a half-admitted prompt could otherwise starve itself.
func (m *Model) admit(now time.Duration, b *batch) {
	spare := int(watermark * float64(m.params.Blocks))
	for len(m.waiting) > 0 && len(m.running) < m.params.Slots && b.left > 0 {
		s := m.waiting[0]
		want := m.params.blocksFor(s.missing())
		if want > m.free || (want > m.free-spare && len(m.running) > 0) {
			return
		}
		m.waiting[0] = nil
		m.waiting = m.waiting[1:]
		m.running = append(m.running, s)
		m.free -= want
		s.blocks = want
		s.computed = m.cache.match(s.prefix(m.params.BlockSize)) * m.params.BlockSize
		if !s.admitted {
			s.admitted = true
			if m.cache != nil {
				m.totals.QueriedTokens += uint64(s.job.PromptTokens)
				m.totals.CachedTokens += uint64(s.computed)
			}
			m.step.Admitted = append(m.step.Admitted, Admission{ID: s.job.ID, Queued: now - s.arrived, Cached: s.computed})
		}
		m.compute(s, min(s.missing(), b.left), b)
	}
}

// compute spends tokens of the budget on the sequence, and emits its next token when nothing is missing any more.
func (m *Model) compute(s *sequence, tokens int, b *batch) {
	if s.computed > 0 && s.missing() == 1 {
		b.decoding++
	} else {
		b.prefill += tokens
	}
	b.left -= tokens
	s.computed += tokens
	b.context += s.computed
	if s.missing() > 0 {
		return
	}
	if s.emitted == 0 {
		m.totals.PromptTokens += uint64(s.job.PromptTokens)
		m.cache.enter(s.job.Prefix)
	}
	s.emitted++
	m.totals.GenerationTokens++
	m.step.Emitted = append(m.step.Emitted, s.job.ID)
}

// retire takes finished sequences out of the batch.
func (m *Model) retire() {
	m.running = slices.DeleteFunc(m.running, func(s *sequence) bool {
		if s.emitted < s.length {
			return false
		}
		m.forget(s)
		if s.reason == Length {
			m.totals.CutShort++
		} else {
			m.totals.Stopped++
		}
		m.step.Finished = append(m.step.Finished, Finish{ID: s.job.ID, Reason: s.reason, Prompt: s.job.PromptTokens, Output: s.emitted})
		return true
	})
}

// jittered stretches a step by its log-normal factor.
func (m *Model) jittered(d time.Duration) time.Duration {
	return max(1, time.Duration(float64(d)*math.Exp(m.params.Jitter*m.jitter.NormFloat64())))
}
