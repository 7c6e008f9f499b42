package workload

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"time"

	"redline/bench"
)

// Source hands out the prompts of one workload. Safe for concurrent use; nothing in it blocks.
type Source struct {
	spec  Spec
	words bench.Workload
	seed  uint64
	class uint64
	// fit knows how the server counts what we write, measure what it makes of the texts of a file.
	fit     *fit
	measure *yardstick
	// table are the rows of a file, nil without one; it never changes.
	table *table
	// shared: a part of the prompts may be in the server's cache.
	shared bool

	mu   sync.Mutex
	feed feed
}

// Open reads and checks all that the workload needs, until ctx ends. An error names the file, the line, what was read there and what is allowed; once ctx
// has ended it is that of ctx.
func Open(ctx context.Context, spec Spec, seed uint64) (*Source, error) {
	if spec.File == "" && !spec.In.set() {
		spec.In = Default().In
	}
	if err := spec.check(); err != nil {
		return nil, fmt.Errorf("workload %s: %w", spec.name(), err)
	}
	for _, l := range []*Lengths{&spec.In, &spec.Out, &spec.Think} {
		if err := l.load(ctx); err != nil {
			return nil, fmt.Errorf("workload %s: %w", spec.name(), err)
		}
	}
	// The prefix may be longer than what the histogram of a file has.
	if err := spec.check(); err != nil {
		return nil, fmt.Errorf("workload %s: %w", spec.name(), err)
	}
	s := &Source{spec: spec, seed: seed ^ fingerprint(spec), shared: spec.Prefix > 0}
	s.counting(newFit())
	if spec.File != "" {
		t, err := readTable(ctx, &spec)
		if err != nil {
			return nil, fmt.Errorf("workload %s: %w", spec.name(), err)
		}
		s.table = t
		s.shared = s.shared || t.blocks
	}
	s.words = s.describe()
	s.feed = s.newFeed()
	vocabulary()
	return s, nil
}

// counting sets what learns how the server counts.
func (s *Source) counting(f *fit) { s.fit, s.measure = f, newYardstick(f) }

// fingerprint tells workloads of one run apart, so that two of them do not send the same prompts.
func fingerprint(spec Spec) uint64 {
	h := fnv.New64a()
	h.Write([]byte(spec.String()))
	return h.Sum64()
}

// The streams of random numbers, each apart from the others.
const (
	streamIn = iota + 1
	streamOut
	streamThink
	streamShare
	streamPrefix
	streamBlock
)

func (s *Source) stream(kind uint64) *rand.Rand {
	return rand.New(rand.NewPCG(mix(s.seed, kind), mix(s.class, kind)))
}

// newFeed begins the work anew.
func (s *Source) newFeed() feed {
	write := newWriter(s)
	switch {
	case s.table == nil:
		return &synthesis{write: write, in: s.spec.In, out: s.spec.Out, most: s.spec.Max, lengths: s.stream(streamIn), answers: s.stream(streamOut)}
	case s.table.trace:
		return &replay{write: write, table: s.table, most: s.spec.Max, once: s.spec.Once && s.class == measured, arrivals: !s.spec.LengthsOnly}
	case s.class == measured:
		return newTalks(s)
	}
	return &alike{measure: s.measure, write: write, table: s.table, spec: &s.spec, answers: s.stream(streamOut)}
}

// The classes of prompts; first tries add to either.
const (
	measured = iota
	warming
	trying
)

// Next is the next prompt, and false once a file that is read once is used up. While conversations go on (see Pending) it may then be false only
// because no turn is due yet. Each prompt that asks to keep its answer is to come back through Ended, however it ended, or its conversation stays open.
func (s *Source) Next(now time.Duration) (bench.Prompt, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.feed.next(now)
	if ok && p.InputTokens == 0 {
		p.InputTokens = s.measure.estimate(askedOf(&p))
	}
	return p, ok
}

// Ended learns the server's count, and goes on with the conversation that the request belonged to.
func (s *Source) Ended(now time.Duration, e *bench.Ended) {
	input := e.Counts.Input
	if e.Counts.Cached > input {
		// Such a server leaves out of its count what its cache had.
		input += e.Counts.Cached
	}
	// What is all of the count, or more, may have been left out of it.
	tells := e.Counts.Cached > 0 && e.Counts.Cached < input
	if s.given() {
		s.measure.learn(askedOf(&e.Prompt), input, tells)
	} else {
		s.fit.learn(length(&e.Prompt), float64(input), s.shared && !tells)
	}
	if e.Prompt.Conversation == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.feed.ended(now, e)
}

// given tells whether the prompts are texts of a file, as they stand there.
func (s *Source) given() bool { return s.table != nil && !s.table.trace && s.class == measured }

// Learn takes the server's own count of the tokens of a prompt that s, its WarmUp or its Short made up, so that the next ones come closer to the asked
// length; 0 teaches nothing. What a data set says is learned by Ended.
func (s *Source) Learn(p *bench.Prompt, promptTokens int) {
	s.fit.learn(length(p), float64(promptTokens), s.shared)
}

// length is the prompt's own length as the fit takes it: what templates put around each further message is part of it.
func length(p *bench.Prompt) float64 { return float64(p.Counted + perMessage*len(p.History)) }

// Pending is how many conversations wait for an answer, or for the time of their next turn.
func (s *Source) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.feed.pending()
}

// WarmUp has prompts of the same lengths of which none is ever measured, has no end, and learns together with s.
func (s *Source) WarmUp() *Source {
	return s.like(warming, s.spec)
}

// Short has synthetic prompts of about so many tokens, for a first try, and learns together with s.
func (s *Source) Short(tokens int) *Source {
	spec := Spec{Name: s.spec.Name, In: Lengths{form: constant, a: float64(min(max(tokens, 1), maxLength))}, Out: s.spec.Out, Max: s.spec.Max}
	if spec.Max == 0 && !spec.Out.set() {
		spec.Max = s.words.MaxTokens
	}
	t := &Source{spec: spec, seed: s.seed, class: trying + s.class%2, fit: s.fit}
	t.words = t.describe()
	t.feed = t.newFeed()
	return t
}

func (s *Source) like(class uint64, spec Spec) *Source {
	t := &Source{spec: spec, words: s.words, seed: s.seed, class: class, fit: s.fit, measure: s.measure, shared: s.shared, table: s.table}
	t.feed = t.newFeed()
	return t
}

// Gap is the operational time from the row before to the row that the next Next returns: 1 on average over the trace, 0 before the first of all. It is 1
// where there are no times to replay.
func (s *Source) Gap() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.feed.gap()
}

// Words is the workload in words and figures.
func (s *Source) Words() bench.Workload { return s.words }
