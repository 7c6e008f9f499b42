package record

import (
	"bytes"
	"container/heap"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/aggregate"
)

// tape is a run that was made up: streams in virtual time through a real meter and fold, and the file that a writer made of them.
type tape struct {
	rng   *rand.Rand
	w     *writer
	out   bytes.Buffer
	run   []*bench.Run
	meter []*aggregate.Meter
	fold  []*aggregate.State
	// steps are what streams do next, by instant.
	steps steps
	id    uint64
	rate  float64
	// chunks is how many reads an answer has, gaps tells whether their gaps are kept.
	chunks int
	gaps   bool
	kept   map[uint64]*bench.Ended
	// checkpoint is after how many seconds there is another.
	checkpoint int
	// hand takes each second in the writer's place, if it is not nil; nothing is folded then.
	hand func(b *bench.Batch, m moment)
	// shown are the snapshots behind each second, if they are kept; flushed the file's length then.
	keep    bool
	shown   []*bench.Snapshot
	flushed []int64
	second  int
}

type step struct {
	at     time.Duration
	stream *stream
}

type steps []step

func (s steps) Len() int           { return len(s) }
func (s steps) Less(i, j int) bool { return s[i].at < s[j].at }
func (s steps) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *steps) Push(x any)        { *s = append(*s, x.(step)) }
func (s *steps) Pop() any {
	old := *s
	x := old[len(old)-1]
	*s = old[:len(old)-1]
	return x
}

// stream is a request that runs.
type stream struct {
	track int
	e     *bench.Ended
	probe *aggregate.Probe
	left  int
}

func us(seconds float64) time.Duration {
	return time.Duration(seconds*1e6) * time.Microsecond
}

func newTape(t testing.TB, targets int, rate float64, chunks int) *tape {
	p := &tape{rng: rand.New(rand.NewPCG(7, 7)), rate: rate, chunks: chunks, checkpoint: 60, kept: map[uint64]*bench.Ended{}}
	h := Header{Redline: "test", Began: time.Date(2026, 11, 30, 18, 0, 0, 0, time.UTC)}
	for i := range targets {
		run := &bench.Run{Model: "m", Target: "http://x/v1", Max: 256, Works: []bench.Workload{{Name: "chat"}}, Start: h.Began,
			Thresholds: []bench.Threshold{{Metric: bench.TTFT, At: bench.P95, Limit: 2000}}}
		name := ""
		if targets > 1 {
			name = bench.Letter(i)
		}
		h.Tracks = append(h.Tracks, TrackHeader{Name: name, Run: run})
		p.run, p.fold, p.meter = append(p.run, run), append(p.fold, aggregate.NewState(run)), append(p.meter, aggregate.NewMeter(1, 0))
	}
	var err error
	if p.w, err = newWriter(&p.out, h); err != nil {
		t.Fatal(err)
	}
	return p
}

// begin sends a request of a track at an instant.
func (p *tape) begin(track int, at time.Duration) {
	p.id++
	e := &bench.Ended{Status: 200, Finish: "stop", Reused: p.rng.IntN(50) > 0}
	e.ID, e.Level, e.Load = p.id, 1, bench.InFlight(64)
	n := int(512 * math.Exp(0.3*p.rng.NormFloat64()))
	e.Prompt = bench.Prompt{InputTokens: n, Counted: n + p.rng.IntN(3), Chars: 5*n + p.rng.IntN(200), MaxTokens: 512}
	e.Counts = bench.Counts{Source: bench.FromUsage, Input: n + 7}
	e.Marks = bench.Marks{Started: bench.MarkAt(at), Connected: bench.MarkAt(at), Written: bench.MarkAt(at + time.Duration(20+p.rng.IntN(60))*time.Microsecond)}
	s := &stream{track: track, e: e, probe: p.meter[track].Probe(&e.Request, at), left: 1 + p.rng.IntN(2*p.chunks)}
	if p.rng.IntN(100) == 0 {
		s.left = -1 // a failure
	}
	heap.Push(&p.steps, step{at + us(0.2*math.Exp(0.4*p.rng.NormFloat64())), s})
}

// do does what a stream does next.
func (p *tape) do(s *stream, at time.Duration) {
	e := s.e
	if s.left == -1 {
		e.Outcome, e.Status, e.Finish, e.Message, e.Head = bench.ServerError, 500, "", "no room", "{\"error\":\xff}"
		e.Marks.Ended = bench.MarkAt(at)
		p.end(s)
		return
	}
	c := bench.Chunk{At: at, Events: 1, Chars: 3 + p.rng.IntN(3)}
	if e.Counts.Chunks == 0 {
		c.First, c.TTFT = true, at-e.Marks.Started.At
		m := &e.Marks
		m.Headers, m.FirstChunk, m.FirstToken, m.FirstAnswer = bench.MarkAt(at-150*time.Microsecond), bench.MarkAt(at), bench.MarkAt(at), bench.MarkAt(at)
		e.Counts.FirstEvents = 1
	} else {
		c.Gap = at - e.Marks.LastToken.At
		e.MaxGap = max(e.MaxGap, c.Gap)
		if p.gaps {
			e.Gaps.Add(c.Gap, 1)
		}
	}
	s.probe.Chunk(c)
	e.Marks.LastToken = bench.MarkAt(at)
	e.Counts.Chunks, e.Counts.Events, e.Counts.Chars = e.Counts.Chunks+1, e.Counts.Events+1, e.Counts.Chars+c.Chars
	if s.left--; s.left == 0 {
		e.Counts.Output = e.Counts.Events + 1
		e.Marks.Ended = bench.MarkAt(at + time.Duration(50+p.rng.IntN(300))*time.Microsecond)
		p.end(s)
		return
	}
	heap.Push(&p.steps, step{at + us(0.02*math.Exp(0.3*p.rng.NormFloat64())), s})
}

func (p *tape) end(s *stream) {
	if p.gaps {
		whole := *s.e
		p.kept[s.e.ID] = &whole
	}
	s.probe.End(*s.e)
}

// next runs, folds and writes another second of all targets.
func (p *tape) next(t testing.TB) {
	from, to := time.Duration(p.second)*time.Second, time.Duration(p.second+1)*time.Second
	for track := range p.run {
		for at := from + us(p.rng.ExpFloat64()/p.rate); at < to; at += us(p.rng.ExpFloat64() / p.rate) {
			p.begin(track, at)
		}
	}
	for len(p.steps) > 0 && p.steps[0].at < to {
		s := heap.Pop(&p.steps).(step)
		p.do(s.stream, s.at)
	}
	for track := range p.run {
		p.write(t, track, from)
	}
	if p.hand != nil {
		p.second++
		return
	}
	if err := p.w.flush(); err != nil {
		t.Fatal(err)
	}
	if p.second++; p.second%p.checkpoint == 0 {
		if err := p.w.checkpoint(p.fold); err != nil {
			t.Fatal(err)
		}
	}
	p.flushed = append(p.flushed, p.w.offset())
}

func (p *tape) write(t testing.TB, track int, from time.Duration) {
	b := p.meter[track].Cut(p.second)
	b.Active, b.Target = time.Second, bench.InFlight(64)
	b.Health = bench.Health{CPU: p.rng.Float64(), GC: p.rng.Float64() / 10, TimerLag: bench.Some(p.rng.Float64()), SchedLag: bench.Some(p.rng.Float64())}
	if p.second == 0 {
		load := bench.InFlight(64)
		b.Events = []bench.Event{{Kind: bench.EventStart}, {Kind: bench.EventOpen, Level: 1, To: load}, {Kind: bench.EventCommit, Level: 1, To: load},
			{At: time.Millisecond, Kind: bench.EventReach, Level: 1, To: load}}
	}
	if p.second%20 == 19 {
		b.Events = append(b.Events, bench.Event{At: from + time.Second/2, Kind: bench.EventWarn, Level: 1, Text: "für <you> & \"me\""})
	}
	if p.hand == nil {
		p.fold[track].Fold(b)
	}
	m := moment{Gauges: bench.Gauges{At: from + 1100*time.Millisecond, State: bench.Running, Target: bench.InFlight(64), InFlight: p.flying(track),
		Spend: bench.Spend{In: p.second, Cost: bench.Some(p.rng.Float64())}}, Shown: p.second / 7 % len(p.run)}
	if p.second%5 == 4 {
		m.Fresh = []bench.Event{{At: from + 1050*time.Millisecond, Kind: bench.EventNote, Text: "soon"}}
	}
	if p.hand != nil {
		p.hand(b, m)
		return
	}
	if err := p.w.seconds(track, []*bench.Batch{b}, m, func(id uint64) *bench.Ended {
		e := p.kept[id]
		delete(p.kept, id)
		return e
	}); err != nil {
		t.Fatal(err)
	}
	if p.keep {
		s := *p.fold[track].Snapshot()
		s.Gauges, s.Tail = m.Gauges, m.Tail
		s.Events = append(s.Events[:len(s.Events):len(s.Events)], m.Fresh...)
		p.shown = append(p.shown, &s)
	}
}

func (p *tape) flying(track int) (n int) {
	if len(p.steps) > 5000 {
		return 0 // for the long runs nobody asks
	}
	for _, s := range p.steps {
		if s.stream.track == track {
			n++
		}
	}
	return n
}
