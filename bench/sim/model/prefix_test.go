package model

import (
	"testing"
	"time"
)

// blocks are the hashes of a prompt that begins as every other one of the same stem, up to where it branches off.
func blocks(stem uint64, n, branch int, tail uint64) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		list[i] = stem<<32 + uint64(i)
		if i >= branch {
			list[i] += tail << 16
		}
	}
	return list
}

// first is how long a job's first token takes on an engine that is otherwise idle, and how much of its prompt was cached.
func first(t *testing.T, m *Model, now *time.Duration, j Job) (time.Duration, int) {
	t.Helper()
	if err := m.Submit(*now, j); err != nil {
		t.Fatal(err)
	}
	began, took, cached := *now, time.Duration(0), 0
	for !m.Idle() {
		s := m.Step(*now)
		*now += s.Duration
		for _, a := range s.Admitted {
			cached = a.Cached
		}
		if len(s.Emitted) > 0 && took == 0 {
			took = *now - began
		}
	}
	return took, cached
}

func TestAPromptThatBeginsAsAnEarlierOneSkipsItsBlocks(t *testing.T) {
	p := SmallGPU.Params()
	p.Jitter = 0
	m, now := mustNew(t, p), time.Duration(0)
	ask := func(id ID, hashes []uint64) (time.Duration, int) {
		return first(t, m, &now, Job{ID: id, PromptTokens: 4000, MaxTokens: 2, Prefix: hashes})
	}
	cold, none := ask(1, blocks(1, 250, 250, 0))
	again, all := ask(2, blocks(1, 250, 250, 0))
	half, some := ask(3, blocks(1, 250, 125, 7))
	other, zero := ask(4, blocks(2, 250, 0, 9))
	if none != 0 || zero != 0 || all != 249*BlockSize || some != 125*BlockSize {
		t.Errorf("cached %d, %d, %d, %d", none, all, some, zero)
	}
	if again > cold/4 || half < cold/3 || half > 2*cold/3 || other != cold {
		t.Errorf("first tokens after %v, the same prompt %v, half of it %v, another %v", cold, again, half, other)
	}
	if g := m.Gauges(); g.CachedTokens != uint64(all+some) || g.PromptTokens != 16_000 || g.UsedBlocks != 0 {
		t.Errorf("%+v", g)
	}
	p.PrefixCache = false
	m, now = mustNew(t, p), 0
	ask(1, blocks(1, 250, 250, 0))
	if took, n := ask(2, blocks(1, 250, 250, 0)); n != 0 || took != cold {
		t.Errorf("without a cache %d tokens are cached, %v", n, took)
	}
}

func TestThePrefixCacheForgetsWhatWasUsedLongestAgo(t *testing.T) {
	c := newPrefixes(10)
	c.enter(blocks(1, 4, 4, 0))
	c.enter(blocks(2, 4, 4, 0))
	if n := c.match(blocks(1, 4, 4, 0)); n != 4 {
		t.Fatalf("%d blocks", n)
	}
	c.enter(blocks(3, 4, 4, 0))
	if a, b, d := c.match(blocks(1, 4, 4, 0)), c.match(blocks(2, 4, 4, 0)), c.match(blocks(3, 4, 4, 0)); a != 4 || b != 2 || d != 4 {
		t.Errorf("%d, %d and %d blocks are left: the end of what was not used goes first", a, b, d)
	}
	c.enter(blocks(4, 100, 100, 0))
	if n := c.match(blocks(4, 100, 100, 0)); n != 10 || c.order.Len() != 10 || len(c.known) != 10 {
		t.Errorf("%d blocks of a prompt that is too long, %d and %d kept", n, c.order.Len(), len(c.known))
	}
}
