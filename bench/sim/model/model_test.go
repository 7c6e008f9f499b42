package model

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// tiny is an engine whose cache is small enough to preempt all the time.
func tiny(seed uint64) Params {
	p := SmallGPU.Params()
	p.Seed, p.Slots, p.TokenBudget, p.Blocks, p.ContextLength = seed, 8, 64, 40, 400
	p.OutputMean = 60
	return p
}

func mustNew(t *testing.T, p Params) *Model {
	t.Helper()
	m, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// life is a random history: jobs come, some are cancelled, and the engine runs empty.
type life struct {
	emitted, finished, cancelled int
	admitted                     []ID
	prompts, steps               int
	ended                        map[ID]bool
}

func live(t *testing.T, seed uint64, jobs int) (life, Gauges) {
	t.Helper()
	m, r := mustNew(t, tiny(seed)), rand.New(rand.NewPCG(seed, 9))
	l := life{ended: make(map[ID]bool)}
	emitted := make(map[ID]int)
	now, next := time.Duration(0), ID(0)
	for l.steps = 0; int(next) < jobs || !m.Idle(); l.steps++ {
		if l.steps > 200_000 {
			t.Fatalf("seed %d: no end after %d steps, %+v", seed, l.steps, m.Gauges())
		}
		for int(next) < jobs && r.IntN(4) == 0 {
			next++
			if err := m.Submit(now, Job{ID: next, PromptTokens: 1 + r.IntN(150), MaxTokens: 1 + r.IntN(200), IgnoreEOS: r.IntN(5) == 0}); err != nil {
				t.Fatal(err)
			}
		}
		if next > 0 && r.IntN(20) == 0 {
			id := 1 + ID(r.IntN(int(next)))
			if m.Cancel(id) {
				l.cancelled++
				l.emitted -= emitted[id]
				l.ended[id] = true
			}
		}
		s := m.Step(now)
		now += max(s.Duration, time.Millisecond)
		if g := m.Gauges(); g.UsedBlocks > g.Blocks || g.UsedBlocks < 0 || g.Running > m.params.Slots {
			t.Fatalf("seed %d: %+v", seed, g)
		}
		if got := s.Decoding + s.Prefill; got > m.params.TokenBudget {
			t.Fatalf("seed %d: %d tokens in a step", seed, got)
		}
		for _, id := range s.Emitted {
			if l.ended[id] {
				t.Fatalf("seed %d: a token of job %d, which has ended", seed, id)
			}
			emitted[id]++
			l.emitted++
		}
		for _, a := range s.Admitted {
			l.admitted = append(l.admitted, a.ID)
		}
		for _, f := range s.Finished {
			if f.Output != emitted[f.ID] || l.ended[f.ID] {
				t.Fatalf("seed %d: job %d ended with %d of %d tokens, before: %v", seed, f.ID, f.Output, emitted[f.ID], l.ended[f.ID])
			}
			l.ended[f.ID] = true
			l.finished += f.Output
			l.prompts += f.Prompt
		}
	}
	return l, m.Gauges()
}

func TestEveryHistoryKeepsTheBooks(t *testing.T) {
	preempted := uint64(0)
	for seed := range uint64(40) {
		l, g := live(t, seed, 120)
		preempted += g.Preemptions
		if len(l.ended) != 120 || g.Submitted != 120 || g.Stopped+g.CutShort+g.Cancelled != 120 {
			t.Errorf("seed %d: %d of 120 jobs ended, %+v", seed, len(l.ended), g)
		}
		if l.emitted != l.finished {
			t.Errorf("seed %d: %d tokens emitted, %d in answers that ended", seed, l.emitted, l.finished)
		}
		if g.UsedBlocks != 0 || g.KVUsage() != 0 || g.Running != 0 || g.Waiting != 0 {
			t.Errorf("seed %d: not empty at the end: %+v", seed, g)
		}
		if !slices.IsSorted(l.admitted) {
			t.Errorf("seed %d: admitted out of order: %v", seed, l.admitted)
		}
	}
	if preempted == 0 {
		t.Error("no history preempted: the cache is too large for this test")
	}
}

func TestSameSeedSameHistory(t *testing.T) {
	a, ga := live(t, 7, 80)
	b, gb := live(t, 7, 80)
	if !reflect.DeepEqual(a, b) || ga != gb {
		t.Error("two histories of one seed differ")
	}
	c, gc := live(t, 8, 80)
	if reflect.DeepEqual(a, c) && ga == gc {
		t.Error("two seeds have one history")
	}
}

func TestPromptIsComputedInChunksOfTheBudget(t *testing.T) {
	p := SmallGPU.Params()
	p.TokenBudget, p.Slots, p.Jitter = 100, 48, 0
	m := mustNew(t, p)
	if err := m.Submit(0, Job{ID: 1, PromptTokens: 250, MaxTokens: 10, IgnoreEOS: true}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ prefill, decoding, emitted int }{{100, 0, 0}, {100, 0, 0}, {50, 0, 1}, {0, 1, 1}} {
		if s := m.Step(0); s.Prefill != want.prefill || s.Decoding != want.decoding || len(s.Emitted) != want.emitted {
			t.Errorf("step %d: %+v", i, s)
		}
	}
}

func TestDecodingGoesOnWhileAPromptIsComputed(t *testing.T) {
	p := SmallGPU.Params()
	p.TokenBudget, p.Slots = 100, 48
	m := mustNew(t, p)
	if err := m.Submit(0, Job{ID: 1, PromptTokens: 10, MaxTokens: 50, IgnoreEOS: true}); err != nil {
		t.Fatal(err)
	}
	m.Step(0)
	if err := m.Submit(0, Job{ID: 2, PromptTokens: 500, MaxTokens: 50}); err != nil {
		t.Fatal(err)
	}
	if s := m.Step(0); s.Decoding != 1 || s.Prefill != 99 || !slices.Equal(s.Emitted, []ID{1}) {
		t.Errorf("%+v", s)
	}
}

func TestLastAdmittedIsPreemptedAndComesBack(t *testing.T) {
	p := SmallGPU.Params()
	p.Slots, p.TokenBudget, p.Blocks, p.ContextLength = 4, 512, 20, 320
	m := mustNew(t, p)
	for id := ID(1); id <= 2; id++ {
		if err := m.Submit(0, Job{ID: id, PromptTokens: 100, MaxTokens: 100, IgnoreEOS: true}); err != nil {
			t.Fatal(err)
		}
	}
	var ended []ID
	preempted := 0
	for now := time.Duration(0); !m.Idle(); {
		s := m.Step(now)
		now += s.Duration
		for _, id := range s.Preempted {
			preempted++
			if id != 2 {
				t.Errorf("job %d preempted, the first one", id)
			}
		}
		for _, f := range s.Finished {
			ended = append(ended, f.ID)
			if f.Output != 100 {
				t.Errorf("job %d: %d tokens", f.ID, f.Output)
			}
		}
	}
	if preempted == 0 || !slices.Equal(ended, []ID{1, 2}) {
		t.Errorf("%d preemptions, ended %v", preempted, ended)
	}
}

func TestSubmitRefusesWhatCannotEnd(t *testing.T) {
	m := mustNew(t, SmallGPU.Params())
	if err := m.Submit(0, Job{ID: 1, PromptTokens: 5, MaxTokens: 5}); err != nil {
		t.Fatal(err)
	}
	for name, j := range map[string]Job{
		"the same name again":      {ID: 1, PromptTokens: 5, MaxTokens: 5},
		"no prompt":                {ID: 2, MaxTokens: 5},
		"no room":                  {ID: 2, PromptTokens: 5},
		"more than the context":    {ID: 2, PromptTokens: 8000, MaxTokens: 193},
		"a sum that would overrun": {ID: 2, PromptTokens: 8000, MaxTokens: 1<<63 - 1},
	} {
		if m.Submit(0, j) == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestIdleEngineDoesNothing(t *testing.T) {
	m := mustNew(t, SmallGPU.Params())
	if s := m.Step(time.Hour); s.Duration != 0 || len(s.Emitted) != 0 {
		t.Errorf("%+v", s)
	}
	if m.Cancel(3) || m.Planned(3) != 0 {
		t.Error("knows a job that never was")
	}
}

func TestParamsTellEveryProblemAtOnce(t *testing.T) {
	err := Params{}.Validate()
	if err == nil {
		t.Fatal("empty parameters are valid")
	}
	for _, want := range []string{"slots 0", "step floor 0s", "sharpness 0", "block size 0", "context length 0", "mean output 0"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	p := SmallGPU.Params()
	p.ContextLength = p.Blocks*p.BlockSize + 1
	if p.Validate() == nil {
		t.Error("a context longer than the cache is valid")
	}
}

func TestPresetsAreValidAndRoundTrip(t *testing.T) {
	for _, p := range Presets() {
		if err := p.Params().Validate(); err != nil {
			t.Errorf("%v: %v", p, err)
		}
		if back, err := ParsePreset(p.String()); err != nil || back != p {
			t.Errorf("%v: %v, %v", p, back, err)
		}
	}
	if _, err := ParsePreset("huge"); err == nil {
		t.Error("an unknown preset is known")
	}
}
