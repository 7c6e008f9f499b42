package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Result is what a closed loop of clients saw, the first quarter of the time left out.
type Result struct {
	Concurrency int
	// Requests ended in the measured time; Stopped of them by themselves.
	Requests, Stopped int
	// TTFT and E2E are counted from submission; ITL is the gap between two tokens of one answer.
	TTFT50, TTFT95, E2E50, ITL50, ITL99 time.Duration
	// TPS50 and TPS5 are tokens per second after the first one, per answer; the low side is the fifth percentile.
	TPS50, TPS5 float64
	// OutputRate is tokens per second of all answers together, RequestRate requests per minute.
	OutputRate, RequestRate float64
	// Waiting and KVUsage are means over time.
	Waiting, KVUsage float64
	// Preemptions in the measured time.
	Preemptions uint64
}

// The prompts and bounds of the driver's clients: those of the chat scenario.
const (
	drivePrompt      = 512
	drivePromptSigma = 0.3
	driveMaxTokens   = 512
)

// Drive runs a closed loop of clients against an engine for a span of virtual time: each sends its next prompt when
// the last token of its answer has come.
func Drive(p Params, concurrency int, span time.Duration) (Result, error) {
	if concurrency < 1 || span <= 0 {
		return Result{}, fmt.Errorf("concurrency %d over %v: at least 1, over more than 0", concurrency, span)
	}
	m, err := New(p)
	if err != nil {
		return Result{}, err
	}
	d := &drive{model: m, prompts: rand.New(rand.NewPCG(p.Seed, 3)), clients: make(map[ID]*client), from: span / 4}
	for range concurrency {
		if err := d.send(0); err != nil {
			return Result{}, err
		}
	}
	for now := time.Duration(0); now < span; {
		s := m.Step(now)
		now += s.Duration
		if err := d.observe(now, s); err != nil {
			return Result{}, err
		}
	}
	return d.result(concurrency, span-d.from), nil
}

// client is one answer as its reader sees it.
type client struct {
	sent, first, last time.Duration
	tokens            int
}

type drive struct {
	model   *Model
	prompts *rand.Rand
	clients map[ID]*client
	nextID  ID
	// from is when measuring begins; before is the count of preemptions then.
	from   time.Duration
	before uint64

	ttft, e2e, itl                 []float64
	tps                            []float64
	tokens, stopped                int
	waiting, usage, measuredWeight float64
}

func (d *drive) send(now time.Duration) error {
	d.nextID++
	prompt := drivePrompt * math.Exp(drivePromptSigma*d.prompts.NormFloat64()-drivePromptSigma*drivePromptSigma/2)
	d.clients[d.nextID] = &client{sent: now}
	return d.model.Submit(now, Job{ID: d.nextID, PromptTokens: max(1, int(prompt)), MaxTokens: driveMaxTokens})
}

// observe takes the step that ended now into account.
func (d *drive) observe(now time.Duration, s Step) error {
	measured := now > d.from
	g := d.model.Gauges()
	if measured {
		w := s.Duration.Seconds()
		d.waiting += w * float64(g.Waiting)
		d.usage += w * g.KVUsage()
		d.measuredWeight += w
		d.tokens += len(s.Emitted)
	} else {
		d.before = g.Preemptions
	}
	for _, id := range s.Emitted {
		c := d.clients[id]
		c.tokens++
		switch {
		case c.tokens == 1:
			c.first = now
			if measured {
				d.ttft = append(d.ttft, (now - c.sent).Seconds())
			}
		case measured:
			d.itl = append(d.itl, (now - c.last).Seconds())
		}
		c.last = now
	}
	for _, f := range s.Finished {
		d.end(f, measured)
		if err := d.send(now); err != nil {
			return err
		}
	}
	return nil
}

func (d *drive) end(f Finish, measured bool) {
	c := d.clients[f.ID]
	delete(d.clients, f.ID)
	if !measured {
		return
	}
	d.e2e = append(d.e2e, (c.last - c.sent).Seconds())
	if f.Reason == Stop {
		d.stopped++
	}
	if c.tokens > 1 {
		d.tps = append(d.tps, float64(c.tokens-1)/(c.last-c.first).Seconds())
	}
}

func (d *drive) result(concurrency int, span time.Duration) Result {
	return Result{
		Concurrency: concurrency,
		Requests:    len(d.e2e), Stopped: d.stopped,
		TTFT50: seconds(quantile(d.ttft, 0.5)), TTFT95: seconds(quantile(d.ttft, 0.95)),
		E2E50: seconds(quantile(d.e2e, 0.5)),
		ITL50: seconds(quantile(d.itl, 0.5)), ITL99: seconds(quantile(d.itl, 0.99)),
		TPS50: quantile(d.tps, 0.5), TPS5: quantile(d.tps, 0.05),
		OutputRate:  float64(d.tokens) / span.Seconds(),
		RequestRate: float64(len(d.e2e)) / span.Minutes(),
		Waiting:     d.waiting / max(d.measuredWeight, 1e-9), KVUsage: d.usage / max(d.measuredWeight, 1e-9),
		Preemptions: d.model.Gauges().Preemptions - d.before,
	}
}

// quantile sorts the values; 0 when there are none.
func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[int(q*float64(len(v)-1))]
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
