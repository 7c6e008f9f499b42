package viewtest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"redline/bench"
)

// life is one invented request: when it began and ended, and under what.
type life struct {
	begin, end time.Duration
	flies      bool
	outcome    bench.Outcome
	second     *bench.Bucket
	id         uint64
	rng        *rand.Rand
	// first and gap are the time to its first token and that between two, out its tokens.
	first, gap time.Duration
	out        int
}

// Journal is what is known of single requests in a scene: as many in flight as it says, and as many ended as its seconds tell. Of the last that ended ok
// some are turned into one of each way to fail, so that a list has something to tell.
func Journal(s *bench.Snapshot) *bench.Journal {
	j := &bench.Journal{At: s.At}
	if s.Run == nil {
		return j
	}
	lives := lifes(s)
	var ended []*life
	for i := range lives {
		if l := &lives[i]; l.flies {
			j.Flying++
			if len(j.Flights) < bench.JournalFlights {
				j.Flights = append(j.Flights, l.flight(s))
			}
		} else {
			ended = append(ended, l)
		}
	}
	slices.SortFunc(ended, func(a, b *life) int { return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.id, b.id)) })
	ok, failed := 0, 0
	for _, l := range slices.Backward(ended) {
		kept := &ok
		most := bench.JournalOK
		if l.outcome != bench.OK {
			kept, most = &failed, bench.JournalFailed
		}
		if *kept++; *kept > most {
			j.Gone++
			continue
		}
		j.Ended = append(j.Ended, l.ended(s))
	}
	slices.Reverse(j.Ended)
	j.Reading = reading(j)
	return j
}

// lifes are all requests of a scene in the order in which they began, with their IDs.
func lifes(s *bench.Snapshot) []life {
	var all []life
	add := func(l life, c, n int) {
		l.rng = rand.New(rand.NewPCG(uint64(len(all)), 3))
		noise := func(sigma float64) float64 { return math.Exp(sigma * l.rng.NormFloat64()) }
		c = max(c, 1)
		l.first = time.Duration(ttft(c) * noise(0.10) * 1e6)
		l.gap = time.Duration(itl(c) * noise(0.04) * 1e6)
		l.out = 190 + l.rng.IntN(2*(Output-190)+1)
		if len(all)%37 == 36 {
			l.out = 512
		}
		whole := l.first + time.Duration(l.out-1)*l.gap
		if l.flies {
			l.begin = l.end - time.Duration(float64(whole)*(float64(n)+0.5)/float64(max(s.InFlight, 1)))
		} else {
			l.begin = max(l.end-whole, 0)
		}
		all = append(all, l)
	}
	for _, b := range s.Buckets {
		n, of := 0, 0
		for _, k := range b.Ended {
			of += k
		}
		for o, k := range b.Ended {
			for range k {
				n++
				add(life{end: b.Start + b.Span*time.Duration(2*n-1)/time.Duration(2*of), outcome: bench.Outcome(o), second: b}, int(b.InFlight), 0)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b life) int { return cmp.Compare(a.end, b.end) })
	mishaps(all)
	at, second := s.At, &bench.Bucket{Target: s.Target, Level: len(s.Levels) - 1}
	if s.Silent.OK {
		at = s.Silent.At
	}
	for n := range max(s.InFlight, 0) {
		add(life{end: at, flies: true, second: second}, s.InFlight, n)
	}
	for i := range all {
		l := &all[i]
		for k := range s.Buckets {
			if b := s.Buckets[k]; b.Start <= l.begin && l.begin < b.End() {
				l.second = b
			}
		}
		l.begin = max(l.begin, 0)
	}
	slices.SortStableFunc(all, func(a, b life) int { return cmp.Compare(a.begin, b.begin) })
	for i := range all {
		all[i].id = uint64(i + 1)
	}
	return all
}

// mishaps turn some of the last that ended into one of each way to fail, and let what failed take as long as it does.
func mishaps(ended []life) {
	for back, o := range map[int]bench.Outcome{3: bench.RateLimited, 4: bench.RateLimited, 9: bench.Truncated, 14: bench.Stalled, 21: bench.Cancelled, 27: bench.TimeoutFirst,
		33: bench.ServerError, 41: bench.StreamError, 52: bench.NotStreaming, 63: bench.Reset, 77: bench.Unauthorized, 85: bench.Malformed} {
		if len(ended) > 150 {
			ended[len(ended)-1-back].outcome = o
		}
	}
	for i := range ended {
		l := &ended[i]
		if d, ok := refusals[l.outcome]; ok {
			l.begin = max(l.end-d, 0)
			continue
		}
		switch l.outcome {
		case bench.Truncated, bench.Cancelled, bench.StreamError, bench.Malformed:
			l.out = 41
		case bench.Stalled:
			l.out = 60
		}
		l.begin = max(l.end-l.first-time.Duration(l.out-1)*l.gap-idle[l.outcome], 0)
	}
}

// refusals are how long an answer without a stream takes, idle how long nothing comes before a stream is given up.
var (
	refusals = map[bench.Outcome]time.Duration{bench.RateLimited: 97 * time.Millisecond, bench.ServerError: 413 * time.Millisecond, bench.NotStreaming: 1900 * time.Millisecond,
		bench.Reset: 210 * time.Millisecond, bench.Unauthorized: 9 * time.Millisecond, bench.TimeoutFirst: 2 * time.Minute}
	idle = map[bench.Outcome]time.Duration{bench.Stalled: time.Minute, bench.Cancelled: 7 * time.Millisecond}
)

// request is what was known of it when it began.
func (l *life) request(s *bench.Snapshot) bench.Request {
	n := int(l.id)
	work := 0
	if l.second.Level >= 0 && l.second.Level < len(s.Levels) {
		work = s.Levels[l.second.Level].Work
	}
	input := Input + 3
	if work > 0 {
		input = 4*Input + 3
	}
	p := bench.Prompt{Text: fmt.Sprintf(prompts[n%len(prompts)], n), InputTokens: input, Counted: input - 9, MaxTokens: 512, Work: work}
	if n%7 == 3 {
		p.Conversation, p.Turn = uint64(n/7+1), 1+n/7%4
		p.History = append(p.History, bench.Message{Role: "system", Text: "You are a careful assistant."})
		for t := 1; t < p.Turn; t++ {
			p.History = append(p.History, bench.Message{Role: "user", Text: prompts[(n+t)%len(prompts)]}, bench.Message{Role: "assistant", Text: replies[(n+t)%len(replies)]})
		}
	}
	p.Chars = len([]rune(p.Text))
	for _, m := range p.History {
		p.Chars += len([]rune(m.Text))
	}
	r := bench.Request{ID: l.id, Level: l.second.Level, Load: l.second.Target, Prompt: p}
	if r.Load.Mode == bench.Open {
		late := time.Duration(200+l.rng.IntN(400)) * time.Microsecond
		r.Scheduled = bench.MarkAt(max(l.begin-late, 0))
	}
	return r
}

// flight is the request as far as it has come.
func (l *life) flight(s *bench.Snapshot) bench.Flight {
	f := bench.Flight{Request: l.request(s), Started: l.begin}
	at := s.At
	if s.Silent.OK {
		at = s.Silent.At
	}
	if at-l.begin < l.first {
		return f
	}
	tokens := min(1+int((at-l.begin-l.first)/l.gap), l.out-1)
	per := max(s.PerEvent, 1)
	f.FirstToken, f.LastToken = bench.MarkAt(l.begin+l.first), bench.MarkAt(l.begin+l.first+time.Duration(tokens-1)*l.gap)
	f.Events, f.Tokens = max(int(float64(tokens)/per), 1), float64(tokens)
	if tokens > 1 {
		f.MaxGap = l.gap + l.gap*time.Duration(l.rng.IntN(100))/100
	}
	return f
}

// ended is the request with all that its end tells.
func (l *life) ended(s *bench.Snapshot) *bench.Ended {
	e := &bench.Ended{Request: l.request(s), Outcome: l.outcome, Status: 200, Finish: "stop", Reused: l.id%40 != 0 && l.id > 16}
	e.Header = map[string][]string{"Content-Type": {"text/event-stream; charset=utf-8"}, "Server": {"uvicorn"}, "X-Request-Id": {fmt.Sprintf("req-%08x9a", l.id*2654435761%(1<<32))},
		"Openai-Processing-Ms": {fmt.Sprint(int(l.first / time.Millisecond))}}
	m := &e.Marks
	m.Scheduled, m.Started = e.Scheduled, bench.MarkAt(l.begin)
	sent := l.begin + 80*time.Microsecond
	if !e.Reused {
		e.Connect = bench.Connect{DNS: 400 * time.Microsecond, TCP: 310 * time.Microsecond, TLS: 5200 * time.Microsecond}
		sent += e.Connect.DNS + e.Connect.TCP + e.Connect.TLS
	}
	m.Connected, m.Written = bench.MarkAt(sent), bench.MarkAt(sent+120*time.Microsecond)
	if l.refused(e) {
		return e
	}
	m.Headers = bench.MarkAt(l.begin + min(31*time.Millisecond, l.first/2))
	m.Ended = bench.MarkAt(l.end)
	e.Counts = bench.Counts{Source: bench.FromUsage, Input: e.Prompt.InputTokens - l.rng.IntN(7), Output: l.out}
	if l.id%5 == 0 {
		e.Counts.Cached = 192
	}
	if l.outcome == bench.TimeoutFirst {
		e.Finish, e.Counts = "", bench.Counts{Source: bench.FromPart}
		e.Message = "no token within 2m0s"
		return e
	}
	l.stream(s, e)
	l.broken(e)
	return e
}

// stream lets the tokens come.
func (l *life) stream(s *bench.Snapshot, e *bench.Ended) {
	m, c := &e.Marks, &e.Counts
	m.FirstChunk = bench.MarkAt(l.begin + l.first - 180*time.Microsecond)
	m.FirstToken = bench.MarkAt(l.begin + l.first)
	m.FirstAnswer = m.FirstToken
	if l.id%13 == 5 && c.Output > 80 {
		c.Reasoning = 40
		m.FirstAnswer = bench.MarkAt(l.begin + l.first + 40*l.gap)
	}
	e.Reply = replies[int(l.id)%len(replies)]
	if c.Output == e.Prompt.MaxTokens {
		e.Finish = "length"
	}
	tokens := c.Output
	per := int(math.Round(max(s.PerEvent, 1)))
	c.Events, c.FirstEvents, c.Chunks = (tokens+per-1)/per, 1, (tokens+per-1)/per
	c.Chars = tokens * 42 / 10
	last := m.FirstToken.At
	end := max(l.end-400*time.Microsecond-idle[l.outcome], last)
	factors, sum := make([]float64, max(c.Events, 1)), 0.0
	for i := 1; i < len(factors); i++ {
		factors[i] = math.Exp(0.2 * l.rng.NormFloat64())
		if l.id%29 == 11 && i == c.Events/2 {
			factors[i] = 2e9 / float64(l.gap)
		}
		sum += factors[i]
	}
	e.Burst = s.Total.Bursts.OK && s.Total.Bursts.V > 0.5 && l.id%6 != 0
	for i := 1; i < c.Events; i++ {
		gap := time.Duration(float64(end-m.FirstToken.At) * factors[i] / sum)
		if e.Burst {
			gap = 40 * time.Microsecond
		}
		e.Gaps.Add(gap, 1)
		last += gap
		e.MaxGap = max(e.MaxGap, gap)
		if gap > s.Run.Stall {
			e.Stalls++
		}
	}
	if e.Burst {
		// What held the stream back let it go at the end.
		shift := max(end-last, 0)
		last += shift
		m.FirstChunk.At, m.FirstToken.At, m.FirstAnswer.At = m.FirstChunk.At+shift, m.FirstToken.At+shift, m.FirstToken.At+shift
		c.Reasoning = 0
	}
	m.LastToken = bench.MarkAt(last)
	m.Ended = bench.MarkAt(l.end)
	if s.Source == bench.FromEvents {
		c.Source, c.Input, c.Cached, c.Output = bench.FromEvents, 0, 0, c.Events
	}
	if l.outcome != bench.OK {
		c.Source, c.Output = bench.FromPart, tokens
	}
	if l.id%17 == 4 && l.outcome == bench.OK {
		e.Timings = bench.Timings{OK: true, PromptMs: bench.Millis(l.first) - 14, PredictedMs: bench.Millis(last - m.FirstToken.At), PromptN: c.Input, PredictedN: c.Output}
	}
}

// reading follows the oldest stream that decodes.
func reading(j *bench.Journal) bench.Reading {
	for i := range j.Flights {
		f := &j.Flights[i]
		if !f.Decodes() {
			continue
		}
		text := ""
		for k := 0; len([]rune(text)) < int(4.2*f.Tokens); k++ {
			text += replies[k%len(replies)] + "\n\n"
		}
		text = string([]rune(text)[:int(4.2*f.Tokens)])
		r := bench.Reading{ID: f.ID, Started: f.Started, FirstToken: f.FirstToken, LastToken: f.LastToken, Text: text, Tokens: f.Tokens, Chars: len([]rune(text))}
		if span, ok := f.LastToken.Since(f.FirstToken); ok && span > 0 {
			r.Speed = bench.Some((f.Tokens - 1) / span.Seconds())
		}
		return r
	}
	return bench.Reading{}
}
