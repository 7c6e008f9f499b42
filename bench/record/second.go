package record

import (
	"encoding/json"
	"fmt"
	"time"

	"redline/bench"
)

// secondLine is what is kept of one second of a track: some batches, as a rule one, and the moment behind them. The records of the requests that ended in them
// stand before it.
type secondLine struct {
	Track   int         `json:"track,omitzero"`
	Batches []batchLine `json:"batches"`
	Moment  momentLine  `json:"moment"`
}

// batchLine is a bench.Batch without what follows from its requests' records. Instants and lengths are in nanoseconds, columns in microseconds.
type batchLine struct {
	Start  time.Duration  `json:"start"`
	Span   time.Duration  `json:"span"`
	Active time.Duration  `json:"active,omitzero"`
	Target bench.Setpoint `json:"target"`
	Facts  bench.Facts    `json:"facts"`
	// Starts and Unsent are rows of a level and a count; those of Unsent begin with the instant since the second's start.
	Starts   [][2]int             `json:"starts,omitzero"`
	Unsent   []unsentRow          `json:"unsent,omitzero"`
	Firsts   *firstColumns        `json:"firsts,omitzero"`
	Ended    int                  `json:"ended,omitzero"`
	Fixes    *fixColumns          `json:"fixes,omitzero"`
	Late     []bench.SecondSketch `json:"late_itl,omitzero"`
	Quotas   []bench.Quota        `json:"quotas,omitzero"`
	Events   []bench.Event        `json:"events,omitzero"`
	PerEvent float64              `json:"per_event,omitzero"`
	Source   bench.Source         `json:"source,omitzero"`
	Health   bench.Health         `json:"health,omitzero"`
	Server   []bench.Scrape       `json:"server,omitzero"`
}

type unsentRow struct {
	At    micros `json:"at"`
	Level int    `json:"level"`
	N     int    `json:"n"`
}

// firstColumns are the first tokens of a second, column by column. At is since the one before, Due the time from when the request should have gone to its start;
// null where it was not due at an instant. Started is left out where it is the instant less TTFT, Level and Input where all are as the first.
type firstColumns struct {
	At      []micros  `json:"at"`
	TTFT    []micros  `json:"ttft"`
	Started []micros  `json:"started,omitzero"`
	Level   []int     `json:"level"`
	Due     []*micros `json:"due,omitzero"`
	Input   []int     `json:"input"`
}

// fixColumns are corrections of token counts, column by column: the first token's instant since the second's start, the last one's since that, tokens in and out.
type fixColumns struct {
	First []micros `json:"first"`
	Last  []micros `json:"last"`
	In    []int    `json:"in,omitzero"`
	Out   []int    `json:"out,omitzero"`
}

// micros is a length of time that is written in microseconds.
type micros time.Duration

func (m micros) MarshalJSON() ([]byte, error) { return appendMicros(nil, time.Duration(m)), nil }

func (m *micros) UnmarshalJSON(text []byte) error {
	d, ok := microsOf(text)
	if !ok {
		return fmt.Errorf("%.20q: want microseconds", text)
	}
	*m = micros(d)
	return nil
}

// batchLineOf is a batch as it is kept.
func batchLineOf(b *bench.Batch) batchLine {
	out := batchLine{
		Start: b.Start, Span: b.Span, Active: b.Active, Target: b.Target, Facts: b.Facts, Ended: len(b.Ended), Late: b.LateITL, Quotas: b.Quotas,
		Events: b.Events, PerEvent: b.PerEvent, Source: b.Source, Health: b.Health, Server: b.Server,
	}
	for _, s := range b.Starts {
		out.Starts = append(out.Starts, [2]int{s.Level, s.Sent})
	}
	for _, u := range b.Unsent {
		out.Unsent = append(out.Unsent, unsentRow{micros(u.At - b.Start), u.Level, u.N})
	}
	out.Firsts, out.Fixes = firstColumnsOf(b), fixColumnsOf(b)
	return out
}

func firstColumnsOf(b *bench.Batch) *firstColumns {
	n := len(b.FirstTokens)
	if n == 0 {
		return nil
	}
	c := &firstColumns{At: make([]micros, n), TTFT: make([]micros, n), Level: make([]int, n), Input: make([]int, n)}
	before := b.Start
	plain, due := true, false
	for i := range b.FirstTokens {
		f := &b.FirstTokens[i]
		c.At[i], before = micros(f.At-before), f.At
		c.TTFT[i], c.Level[i], c.Input[i] = micros(f.TTFT), f.Level, f.InputTokens
		plain = plain && f.Started == f.At-f.TTFT
		due = due || f.Scheduled.OK
	}
	c.Level, c.Input = same(c.Level), same(c.Input)
	for i := range b.FirstTokens {
		f := &b.FirstTokens[i]
		if !plain {
			c.Started = append(c.Started, micros(f.Started))
		}
		if !due {
			continue
		}
		var lag *micros
		if f.Scheduled.OK {
			d := micros(f.Started - f.Scheduled.At)
			lag = &d
		}
		c.Due = append(c.Due, lag)
	}
	return c
}

// same is a column of which all numbers are the first as that one alone.
func same(column []int) []int {
	for _, n := range column {
		if n != column[0] {
			return column
		}
	}
	return column[:1]
}

// in is a column's number in a row.
func in(column []int, row int) int {
	if len(column) == 1 {
		return column[0]
	}
	return column[row]
}

func fixColumnsOf(b *bench.Batch) *fixColumns {
	if len(b.Fixes) == 0 {
		return nil
	}
	c := &fixColumns{}
	for _, f := range b.Fixes {
		c.First = append(c.First, micros(f.First-b.Start))
		c.Last = append(c.Last, micros(f.Last-f.First))
		c.In, c.Out = append(c.In, f.In), append(c.Out, f.Out)
	}
	c.In, c.Out = same(c.In), same(c.Out)
	return c
}

// batch is the batch again; ended are the records before it.
func (l *batchLine) batch(ended []bench.Ended) (*bench.Batch, error) {
	const longest = 100 * 365 * bench.Day
	if l.Start < 0 || l.Start > longest || l.Span < 0 || l.Span > longest {
		return nil, fmt.Errorf("a second from %s that is %s long", l.Start, l.Span)
	}
	b := &bench.Batch{
		Start: l.Start, Span: l.Span, Active: l.Active, Target: l.Target, Facts: l.Facts, Ended: ended, LateITL: l.Late, Quotas: l.Quotas, Events: l.Events,
		PerEvent: l.PerEvent, Source: l.Source, Health: l.Health, Server: l.Server,
	}
	for _, s := range l.Starts {
		b.Starts = append(b.Starts, bench.Starts{Level: s[0], Sent: s[1]})
	}
	for _, u := range l.Unsent {
		b.Unsent = append(b.Unsent, bench.Unsent{At: l.Start + time.Duration(u.At), Level: u.Level, N: u.N})
	}
	if err := l.Firsts.fill(b); err != nil {
		return nil, err
	}
	return b, l.Fixes.fill(b)
}

func (c *firstColumns) fill(b *bench.Batch) error {
	if c == nil {
		return nil
	}
	n := len(c.At)
	fits := func(length int) bool { return length == n || length == 1 }
	if len(c.TTFT) != n || !fits(len(c.Level)) || !fits(len(c.Input)) || len(c.Started) != n && c.Started != nil || len(c.Due) != n && c.Due != nil {
		return fmt.Errorf("columns of first tokens of unlike lengths")
	}
	b.FirstTokens = make([]bench.FirstToken, n)
	at := b.Start
	for i := range b.FirstTokens {
		at += time.Duration(c.At[i])
		f := bench.FirstToken{At: at, TTFT: time.Duration(c.TTFT[i]), Level: in(c.Level, i), InputTokens: in(c.Input, i)}
		if f.Started = f.At - f.TTFT; c.Started != nil {
			f.Started = time.Duration(c.Started[i])
		}
		if c.Due != nil && c.Due[i] != nil {
			f.Scheduled = bench.MarkAt(f.Started - time.Duration(*c.Due[i]))
		}
		b.FirstTokens[i] = f
	}
	return nil
}

func (c *fixColumns) fill(b *bench.Batch) error {
	if c == nil {
		return nil
	}
	n := len(c.First)
	fits := func(length int) bool { return length == n || length == 1 }
	if len(c.Last) != n || !fits(len(c.In)) || !fits(len(c.Out)) {
		return fmt.Errorf("columns of corrections of unlike lengths")
	}
	for i := range c.First {
		first := b.Start + time.Duration(c.First[i])
		b.Fixes = append(b.Fixes, bench.TokenFix{First: first, Last: first + time.Duration(c.Last[i]), In: in(c.In, i), Out: in(c.Out, i)})
	}
	return nil
}

// appendLine appends an object with one member, and a line's end.
func appendLine(b []byte, name string, v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return b, fmt.Errorf("%s: %w", name, err)
	}
	b = append(append(append(b, '{', '"'), name...), '"', ':')
	b = append(b, text...)
	return append(b, '}', '\n'), nil
}
