package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

func TestJournalListsTheOldestInFlight(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(3), Run: bench.Run{Max: 512}}, func(t *testing.T, r *run) {
		r.after(time.Second + 50*time.Millisecond)
		j := r.Journal(false)
		if j.Flying != 3 || len(j.Flights) != 3 || len(j.Ended) != 0 || j.Gone != 0 || j.Reading.ID != 0 {
			t.Fatalf("%d of %d in flight, %d ended, reading %d", len(j.Flights), j.Flying, len(j.Ended), j.Reading.ID)
		}
		want := bench.Flight{Request: j.Flights[0].Request, FirstToken: bench.MarkAt(200 * time.Millisecond), LastToken: bench.MarkAt(time.Second), Events: 9, Tokens: 9, MaxGap: 100 * time.Millisecond}
		if f := j.Flights[0]; f.ID != 1 || f.Level != 1 || f.Load != bench.InFlight(3) || f.Prompt.Text != "say it" || fmt.Sprint(f) != fmt.Sprint(want) {
			t.Errorf("%+v\nwant\n%+v", f, want)
		}
		// What is handed out never changes.
		before := fmt.Sprint(*j)
		r.Learn(2, bench.FromUsage, 0, 0)
		r.after(400 * time.Millisecond)
		if fmt.Sprint(*j) != before {
			t.Error("a journal has changed")
		}
		if f := r.Journal(false).Flights[0]; f.Events != 13 || f.Tokens != 26 {
			t.Errorf("%d events and %v tokens at two an event", f.Events, f.Tokens)
		}
		r.tokens.Store(90)
		r.post(bench.Set{N: 400})
		if ask := r.Snapshot().Ask; ask != nil {
			r.post(bench.Answer{ID: ask.ID, Yes: true})
		}
		r.after(3 * time.Second)
		j = r.Journal(false)
		if j.Flying != 400 || len(j.Flights) != bench.JournalFlights {
			t.Fatalf("%d of %d in flight", len(j.Flights), j.Flying)
		}
		if !slices.IsSortedFunc(j.Flights, func(a, b bench.Flight) int { return int(a.ID) - int(b.ID) }) || j.Flights[0].ID > 10 {
			t.Errorf("from %d to %d", j.Flights[0].ID, j.Flights[255].ID)
		}
		r.post(bench.Cancel{})
		r.after(time.Second)
		j = r.Journal(false)
		if j.Flying != 0 || len(j.Flights) != 0 || len(j.Ended) != bench.JournalFailed+3 || j.Gone != 400-bench.JournalFailed {
			t.Errorf("after the emergency stop %d in flight, %d ended, %d gone", j.Flying, len(j.Ended), j.Gone)
		}
		if last := j.Ended[len(j.Ended)-1]; last.Outcome != bench.Cancelled || last.Counts.Events == 0 {
			t.Errorf("%+v", last)
		}
	})
}

func TestServersRunningCountIsTheTokens(t *testing.T) {
	for _, tt := range []struct {
		sentence string
		chunks   []bench.Chunk
		tokens   float64
		later    float64
	}{
		{"nothing", nil, 0, 0},
		{"events, two tokens each", []bench.Chunk{{First: true, Events: 1}, {Events: 3}}, 8, 6},
		{"counted from the first on, with one left out", []bench.Chunk{{First: true, Events: 1, Tokens: 4}, {Events: 1}, {Events: 1, Tokens: 5}}, 9, 5},
		{"counted later", []bench.Chunk{{First: true, Events: 1}, {Events: 1, Tokens: 5}}, 7, 5},
		{"counted now and then, from the second on", []bench.Chunk{{First: true, Events: 1}, {Events: 1, Counted: true}, {Events: 1}, {Events: 1}, {Events: 1, Counted: true, Tokens: 9}}, 13, 11},
		{"with some behind the last count", []bench.Chunk{{First: true, Events: 1, Counted: true, Tokens: 3}, {Events: 2}}, 7, 4},
	} {
		var p pulse
		for _, c := range tt.chunks {
			p.beat(&c)
		}
		if p.tokens(2) != tt.tokens || p.later(2) != tt.later {
			t.Errorf("%s: %v tokens, %v later; want %v and %v", tt.sentence, p.tokens(2), p.later(2), tt.tokens, tt.later)
		}
	}
}

func TestJournalKeepsTheLastOfEachKind(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(50)}, func(t *testing.T, r *run) {
		r.after(5 * time.Second)
		r.fail.Store(int32(bench.ServerError))
		r.after(5 * time.Second)
		r.fail.Store(0)
		failed := 0
		for _, e := range r.Journal(false).Ended {
			if e.Outcome == bench.ServerError {
				failed++
			}
		}
		if failed < 50 {
			t.Fatalf("%d failures", failed)
		}
		r.after(3 * time.Minute)
		j := r.Journal(false)
		s := r.Snapshot()
		ok, bad := 0, 0
		for i, e := range j.Ended {
			if i > 0 && e.Marks.Ended.At < j.Ended[i-1].Marks.Ended.At {
				t.Fatalf("%d ended at %v, before the one that stands before it", e.ID, e.Marks.Ended.At)
			}
			if e.Outcome != bench.OK {
				bad++
				continue
			}
			ok++
			n := 0
			for range e.Gaps.All() {
				n++
			}
			if n != 38 {
				t.Fatalf("%d gaps of 38", n)
			}
		}
		if ok != bench.JournalOK || bad < failed || bad > bench.JournalFailed {
			t.Errorf("%d ok, %d failed of %d", ok, bad, failed)
		}
		if all := s.Total.Tally.OK + s.Total.Tally.Failed; j.Gone != all-len(j.Ended) || j.Gone < 500 {
			t.Errorf("%d gone, of %d that ended %d are kept", j.Gone, all, len(j.Ended))
		}
		if again := r.Journal(false); &again.Ended[0] != &j.Ended[0] {
			t.Error("a list that has not changed is made again")
		}
	})
}

func TestAGapInTimeVoidsWhatEndedInIt(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(8500 * time.Millisecond)
		before := r.Journal(false)
		r.slept.Store(int64(time.Hour))
		r.after(2 * time.Second)
		j := r.Journal(false)
		void := 0
		for _, e := range j.Ended {
			if e.Outcome == bench.Interrupted {
				void++
			}
		}
		if s := r.Snapshot(); void != 8 || len(j.Ended)-void != s.Total.Tally.OK || s.Total.Tally.By[bench.Interrupted] != void {
			t.Errorf("%d ok and %d interrupted, the run says %+v", len(j.Ended)-void, void, s.Total.Tally)
		}
		for _, e := range before.Ended {
			if e.Outcome != bench.OK {
				t.Error("what was handed out has changed")
			}
		}
	})
}

func TestPromptsInTheBookAreBounded(t *testing.T) {
	var b book
	long := strings.Repeat("é", 20<<10) // 40 KiB
	for i := range 500 {
		b.add(&bench.Ended{Request: bench.Request{ID: uint64(i), Prompt: bench.Prompt{Text: long, History: []bench.Message{{Text: "hi"}}}}})
	}
	first, _ := b.list()
	total, whole := 0, 0
	for i, e := range first {
		total += promptSize(&e.Prompt)
		if e.Prompt.Cut {
			if whole > 0 || len(e.Prompt.Text) > promptHead || e.Prompt.History != nil || !strings.HasPrefix(long, e.Prompt.Text) {
				t.Fatalf("%d: cut behind %d whole ones, %d bytes", i, whole, len(e.Prompt.Text))
			}
			continue
		}
		whole++
	}
	if total > promptRoom || total < promptRoom*9/10 || b.ok.bytes != total {
		t.Errorf("%d bytes of prompts, the ring says %d", total, b.ok.bytes)
	}
	at := slices.IndexFunc(first, func(e *bench.Ended) bool { return !e.Prompt.Cut })
	for range 10 {
		b.add(&bench.Ended{Request: bench.Request{Prompt: bench.Prompt{Text: long}}})
	}
	if first[at].Prompt.Cut {
		t.Error("what was handed out has changed")
	}
	if now, _ := b.list(); !now[at].Prompt.Cut {
		t.Error("the oldest is not cut")
	}
	var alone book
	alone.add(&bench.Ended{Request: bench.Request{Prompt: bench.Prompt{Text: "a", History: []bench.Message{{Text: strings.Repeat("x", wholePrompt)}}}}})
	if list, _ := alone.list(); !list[0].Prompt.Cut || list[0].Prompt.Text != "a" || list[0].Prompt.History != nil {
		t.Errorf("%+v", list[0].Prompt)
	}
}

// Many ask at once while requests come and go.
func TestJournalMayBeAskedByAll(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(40), Clean: func(s string, _, _ bool) string { return s }}, func(t *testing.T, r *run) {
		var readers sync.WaitGroup
		until := r.clockNow() + 20*time.Second
		for i := range 4 {
			readers.Go(func() {
				for r.clockNow() < until {
					j := r.Journal(i%2 == 0)
					if len(j.Flights) > j.Flying {
						t.Errorf("%d of %d in flight", len(j.Flights), j.Flying)
					}
					for _, e := range j.Ended {
						if e.ID == 0 {
							t.Error("an entry without a number")
						}
					}
					time.Sleep(7 * time.Millisecond)
				}
			})
		}
		for _, c := range []bench.Command{bench.Pause{}, bench.Resume{}, bench.Cancel{}, bench.Set{N: 8}, bench.Add{N: 4}} {
			r.after(3 * time.Second)
			r.post(c)
		}
		readers.Wait()
	})
}

func (r *run) clockNow() time.Duration { return r.server.clock.Now() }

// talker is a Sender whose answers are the words of a list, one every 100 ms after the first second; it echoes a secret in two pieces.
type talker struct {
	clock bench.Clock
	words []string
	fail  bench.Outcome
	// pause is the wait before an answer's first word.
	pause time.Duration
}

func (s *talker) Send(ctx context.Context, r bench.Request, obs bench.Observer) (e bench.Ended) {
	e.Request = r
	e.Marks.Started = bench.MarkAt(s.clock.Now())
	obs.Started(e.Marks.Started.At)
	defer func() { e.Marks.Ended = bench.MarkAt(s.clock.Now()) }()
	ear := obs.(bench.Listener)
	wait, said, told := s.pause, "", false
	for i, w := range s.words {
		select {
		case <-ctx.Done():
			e.Outcome = bench.Cancelled
			return e
		case <-time.After(wait):
		}
		now := s.clock.Now()
		c := bench.Chunk{At: now, First: i == 0, Gap: wait, Events: 1, Chars: len(w)}
		if c.First {
			c.Gap, c.TTFT = 0, wait
			e.Marks.FirstToken, e.Marks.FirstChunk, e.Counts.FirstEvents = bench.MarkAt(now), bench.MarkAt(now), 1
		}
		if said += w; ear.Listens() {
			begins := !told
			if begins {
				w, told = said, true
			}
			ear.Text([]byte(w), begins)
		}
		e.Marks.LastToken = bench.MarkAt(now)
		e.Counts.Events++
		e.Counts.Chunks++
		e.Counts.Output++
		obs.Chunk(c)
		wait = 100 * time.Millisecond
	}
	e.Outcome, e.Reply = s.fail, said
	return e
}

const talked = "the answer begins: my key is sk-secret-1 and so on, until it ends"

// talking runs a test over a talker.
func talking(t *testing.T, s *talker, load int, test func(t *testing.T, e *Engine, after func(time.Duration))) {
	synctest.Test(t, func(t *testing.T) {
		s.clock = bench.NewClock(time.Now())
		o := Options{Load: bench.InFlight(load), Run: bench.Run{Max: 64}, Clean: func(s string, _, goesOn bool) string {
			for n := len("sk-secret-1") - 1; goesOn && n > 0; n-- {
				if rest, ok := strings.CutSuffix(s, "sk-secret-1"[:n]); ok {
					s = rest
				}
			}
			return strings.ReplaceAll(s, "sk-secret-1", "***")
		}}
		e := New(o, s.clock, s, []Prompts{&prompts{}}, nil)
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = e.Run(t.Context())
		}()
		test(t, e, func(d time.Duration) { time.Sleep(d); synctest.Wait() })
		e.Post(bench.Kill{})
		<-done
	})
}

func TestAStreamIsFollowedFromItsBeginning(t *testing.T) {
	s := &talker{words: strings.SplitAfter(talked, ""), pause: time.Second}
	talking(t, s, 1, func(t *testing.T, e *Engine, after func(time.Duration)) {
		after(500 * time.Millisecond)
		if rd := e.Journal(true).Reading; rd.ID != 1 || rd.FirstToken.OK || rd.Text != "" || rd.Speed.OK || rd.Over {
			t.Fatalf("before its first token: %+v", rd)
		}
		var rd bench.Reading
		for range 40 {
			after(100 * time.Millisecond)
			rd = e.Journal(true).Reading
			if strings.Contains(rd.Text, "sk-") || !strings.HasPrefix(strings.ReplaceAll(talked, "sk-secret-1", "***"), rd.Text) {
				t.Fatalf("%q", rd.Text)
			}
		}
		if rd.ID != 1 || rd.Tokens != 36 || rd.Chars != 36 || !rd.Speed.OK || rd.Speed.V < 9.5 || rd.Speed.V > 10.1 || rd.Over {
			t.Errorf("after 3.5 s of text: %+v", rd)
		}
		for !rd.Over {
			after(100 * time.Millisecond)
			rd = e.Journal(true).Reading
		}
		whole := strings.ReplaceAll(talked, "sk-secret-1", "***")
		if rd.ID != 1 || rd.Outcome != bench.OK || rd.Text != whole || rd.Tokens != float64(len(talked)) || rd.Speed.V < 9.99 || rd.Speed.V > 10.01 {
			t.Errorf("at its end: %+v", rd)
		}
		// The next one has begun by now, and waits until this one has been read.
		after(1900 * time.Millisecond)
		if again := e.Journal(true).Reading; again != rd {
			t.Errorf("1.9 s after its end: %+v", again)
		}
		after(200 * time.Millisecond)
		rd = e.Journal(true).Reading
		after(100 * time.Millisecond)
		if rd = e.Journal(true).Reading; rd.ID != 2 || rd.Over || rd.Text == "" || !strings.HasPrefix(talked, rd.Text) || len(rd.Text) < 10 {
			t.Errorf("then: %+v", rd)
		}
	})
}

func TestNobodyIsFollowedWhenNobodyReads(t *testing.T) {
	s := &talker{words: strings.SplitAfter(strings.Repeat(talked, 5), ""), pause: time.Second}
	talking(t, s, 3, func(t *testing.T, e *Engine, after func(time.Duration)) {
		listening := func() (n int) {
			for _, w := range e.older.oldest(nil, 10) {
				if w.Listens() {
					n++
				}
			}
			return n
		}
		after(2 * time.Second)
		if e.Journal(false).Reading.ID != 0 || listening() != 0 {
			t.Error("followed unasked")
		}
		e.Journal(true)
		after(2900 * time.Millisecond)
		if listening() != 1 {
			t.Error("not followed though asked")
		}
		if e.Journal(false).Reading.Text == "" {
			t.Error("no text though asked 2.9 s ago")
		}
		after(300 * time.Millisecond)
		if listening() != 0 || e.Journal(false).Reading.ID != 0 || e.reading.text != nil {
			t.Error("followed longer than asked")
		}
	})
}

func TestAStreamThatFailsIsShownAsOver(t *testing.T) {
	s := &talker{words: strings.SplitAfter("it breaks", ""), pause: time.Second, fail: bench.Truncated}
	talking(t, s, 1, func(t *testing.T, e *Engine, after func(time.Duration)) {
		after(1500 * time.Millisecond)
		e.Journal(true)
		after(time.Second)
		if rd := e.Journal(true).Reading; !rd.Over || rd.Outcome != bench.Truncated || rd.Text != "it breaks" {
			t.Errorf("%+v", rd)
		}
	})
}

func TestOneThatRunsIsFollowedWhereNoneBegins(t *testing.T) {
	s := &talker{words: strings.SplitAfter(strings.Repeat(talked, 60), " "), pause: 100 * time.Millisecond}
	talking(t, s, 2, func(t *testing.T, e *Engine, after func(time.Duration)) {
		after(40 * time.Second) // over a thousand characters
		if rd := e.Journal(true).Reading; rd.ID != 0 {
			t.Errorf("at once: %+v", rd)
		}
		after(1100 * time.Millisecond)
		e.Journal(true)
		after(time.Second)
		if rd := e.Journal(true).Reading; rd.ID != 2 || rd.Text == "" || rd.Chars < early {
			t.Errorf("after a second: %+v", rd)
		}
	})
}

func TestWhatIsShownOfALongTextHasNoPieceOfASecret(t *testing.T) {
	const key = "sk-secret-1"
	var r reading
	shown := func() string {
		return (&part{r.text, r.late, true, 0}).shown(func(s string, late, _ bool) string {
			for late && s != "" && strings.Contains(key, s[:1]) {
				s = s[1:]
			}
			return strings.ReplaceAll(s, key, "***")
		})
	}
	for i := range 20_000 {
		r.take([]byte(key + "é ")[:14], i == 0)
		if i%997 != 0 {
			continue
		}
		s := shown()
		if len(s) > bench.ReadingBytes || strings.Trim(s, "*é ") != "" || i > 2000 && len(s) < 1000 {
			t.Fatalf("%d: %d bytes, %.80q", i, len(s), s)
		}
	}
	for range 40_000 {
		r.take([]byte("abcdefé "), false)
	}
	if s := shown(); len(s) < bench.ReadingBytes-8 || len(s) > bench.ReadingBytes || strings.Contains(s, "\uFFFD") {
		t.Errorf("%d bytes, %.40q", len(s), s)
	}
	if cap(r.text) > 2*keptText {
		t.Errorf("%d bytes are kept", cap(r.text))
	}
}

// While the text of one stream is made fit to show, its reader does not wait, nor does the collector, which every request that ends goes through.
func TestTheRunDoesNotWaitForWhoLooks(t *testing.T) {
	cleaning, clean := make(chan struct{}), make(chan struct{})
	e := New(Options{Clean: func(s string, _, _ bool) string {
		cleaning <- struct{}{}
		<-clean
		return s
	}}, bench.NewClock(time.Now()), nil, []Prompts{&prompts{}}, nil)
	w := &watch{e: e}
	e.older.begin(w)
	w.pulse.start(e.clock.Now())
	w.pulse.beat(&bench.Chunk{At: e.clock.Now(), First: true, Events: 1, Chars: 3})
	e.Journal(true)
	w.Text([]byte("abc"), true)
	looked := make(chan string)
	go func() { looked <- e.Journal(true).Reading.Text }()
	<-cleaning
	w.Text([]byte("def"), false)
	e.reading.end(&bench.Ended{Request: bench.Request{ID: 99}})
	clean <- struct{}{}
	if text := <-looked; text != "abc" {
		t.Errorf("%q", text)
	}
	go func() { looked <- e.Journal(true).Reading.Text }()
	<-cleaning
	clean <- struct{}{}
	if text := <-looked; text != "abcdef" {
		t.Errorf("%q", text)
	}
	// Nothing has come since: nothing is cleaned again.
	if text := e.Journal(true).Reading.Text; text != "abcdef" {
		t.Errorf("%q", text)
	}
}

// What the journal says became of the requests is what the run's numbers say, whatever time does meanwhile.
func TestJournalAgreesWithTheTallyAcrossGapsInTime(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 11))
		o := opened(2, bench.Arrivals{Shape: bench.Gamma, Burstiness: 0.5})
		if seed%2 == 0 {
			o.Load = bench.InFlight(3)
		}
		o.Run.Max, o.Run.MaxRate = 10, 12
		o.Run.Works = []bench.Workload{{}, {Rate: 1}, {}}
		inBubble(t, o, func(t *testing.T, r *run) {
			for range 40 {
				switch rng.IntN(8) {
				case 0:
					r.server.fail.Store(int32([]bench.Outcome{bench.RateLimited, bench.ServerError}[rng.IntN(2)]))
				case 1, 2:
					r.server.fail.Store(int32(bench.OK))
				case 3:
					r.slept.Add(int64(time.Hour))
				default:
					r.post(anything(t, rng))
				}
				r.after(time.Duration(rng.IntN(1500)) * time.Millisecond)
			}
			r.server.fail.Store(int32(bench.OK))
			r.post(bench.Kill{})
			<-r.finished
			j, y := r.Journal(false), r.Snapshot().Total.Tally
			var by [bench.NumOutcomes]int
			for _, e := range j.Ended {
				by[e.Outcome]++
			}
			if j.Gone == 0 && by != y.By {
				t.Errorf("seed %d: the journal has %v, the run %v", seed, by, y.By)
			}
		})
	}
}

// BenchmarkJournal is one look at 20,000 requests in flight and full rings, while requests end, with a stream's text.
func BenchmarkJournal(b *testing.B) {
	clock := bench.NewClock(time.Now())
	e := New(Options{Run: bench.Run{Max: 20_000}, Clean: func(s string, _, _ bool) string { return s }}, clock, nil, []Prompts{&prompts{}}, nil)
	for range 20_000 {
		t := &watch{e: e}
		e.older.begin(t)
		t.pulse.start(clock.Now())
		t.pulse.beat(&bench.Chunk{At: clock.Now(), First: true, Events: 1, Chars: 3})
	}
	for i := range 3000 {
		ended := bench.Ended{Marks: bench.Marks{Ended: bench.MarkAt(time.Duration(i))}}
		if i%3 == 0 {
			ended.Outcome = bench.ServerError
		}
		e.book.add(&ended)
	}
	b.Run("still", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if j := e.Journal(false); len(j.Flights) != bench.JournalFlights || j.Flying != 20_000 {
				b.Fatal(len(j.Flights))
			}
		}
	})
	b.Run("ending", func(b *testing.B) {
		b.ReportAllocs()
		for i := 3000; b.Loop(); i++ {
			e.book.add(&bench.Ended{Marks: bench.Marks{Ended: bench.MarkAt(time.Duration(i))}})
			e.Journal(false)
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		e.Journal(true)
		e.reading.take([]byte(strings.Repeat("a word ", 4000)), true)
		for b.Loop() {
			if j := e.Journal(true); len(j.Reading.Text) < 4<<10 {
				b.Fatal(len(j.Reading.Text))
			}
		}
	})
}

// BenchmarkBeat is what a chunk costs more since it can be looked at.
func BenchmarkBeat(b *testing.B) {
	var p pulse
	c := bench.Chunk{Events: 1, Chars: 4, Gap: time.Millisecond}
	for b.Loop() {
		p.beat(&c)
	}
}
