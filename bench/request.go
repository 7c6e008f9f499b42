package bench

import "time"

// Prompt is one piece of work, ready to be sent.
type Prompt struct {
	Text string `json:",omitzero"`
	// History is what was said before Text, oldest first: a system's words, the turns of a conversation. Never changed once the prompt is made.
	History []Message `json:",omitzero"`
	// InputTokens is the asked length of all of it; the server's own count comes with its usage.
	InputTokens int `json:",omitzero"`
	// Counted is the length of all of it by our own tokenizer, the server's template left out, so that the workload can learn how the server counts.
	Counted int `json:",omitzero"`
	// Chars is the number of characters (code points) of all of it.
	Chars int `json:",omitzero"`
	// Work is the workload that made it, as its place in Run.Works.
	Work int `json:",omitzero"`
	// Turn is its place in a conversation, from 1; 0 where there is none. Conversation tells them apart. KeepAnswer asks for the text of the answer
	// (Ended.Answer), which the next turn needs.
	Turn         int    `json:",omitzero"`
	Conversation uint64 `json:",omitzero"`
	KeepAnswer   bool   `json:",omitzero"`
	// MaxTokens bounds the answer, at least 1.
	MaxTokens int `json:",omitzero"`
	// Cut tells that only the beginning of Text was kept, and nothing of History; of requests in a Journal alone.
	Cut bool `json:",omitzero"`
}

// Message is one thing that was said.
type Message struct {
	// Role is who said it: system, user or assistant.
	Role string
	Text string
}

// Request is a prompt on its way.
type Request struct {
	ID uint64 `json:",omitzero"`
	// Level is the ID of the level in which it starts.
	Level int `json:",omitzero"`
	// Load is the setpoint at its start.
	Load Setpoint `json:",omitzero"`
	// Scheduled is when it should have gone (open loop only).
	Scheduled Mark   `json:",omitzero"`
	Prompt    Prompt `json:",omitzero"`
}

// Marks are the instants of a request, in the order in which they come. None is ever guessed.
type Marks struct {
	// Scheduled is when it should have gone (open loop only).
	Scheduled Mark `json:",omitzero"`
	// Started is the hand-over to the transport; TTFT and E2E count from here.
	Started   Mark `json:",omitzero"`
	Connected Mark `json:",omitzero"`
	Written   Mark `json:",omitzero"`
	Headers   Mark `json:",omitzero"`
	// FirstChunk is the first socket read that held a token event.
	FirstChunk  Mark `json:",omitzero"`
	FirstToken  Mark `json:",omitzero"`
	FirstAnswer Mark `json:",omitzero"`
	LastToken   Mark `json:",omitzero"`
	Ended       Mark `json:",omitzero"`
}

// Source tells where a token count came from.
type Source uint8

const (
	// FromEvents: counted as one token per event, an estimate.
	FromEvents Source = iota
	// FromUsage: the server's final usage.
	FromUsage
	// FromContinuous: the server's usage on every event.
	FromContinuous
	// FromPart: the stream was cut; usage up to there, or events.
	FromPart
)

// String names the source as screens and outputs do.
func (s Source) String() string { return [...]string{"events", "usage", "continuous", "part"}[s&3] }

// Counts are the tokens of a request.
type Counts struct {
	Source Source `json:",omitzero"`
	// Input is the prompt's tokens by the server, of which Cached came from its prefix cache; 0 when the server did not say.
	Input, Cached int `json:",omitzero"`
	// Output is all tokens generated: max(completion, total − prompt) by the server, else events.
	Output int `json:",omitzero"`
	// Hidden is reasoning that was billed but not streamed; Output − Hidden was streamed.
	Hidden int `json:",omitzero"`
	// Reasoning is how many of the events were reasoning text.
	Reasoning int `json:",omitzero"`
	// Events is how many token events came, in Chunks socket reads; FirstEvents of them in the first such read.
	Events, Chunks, FirstEvents int `json:",omitzero"`
	// Malformed is how many events could not be read.
	Malformed int `json:",omitzero"`
	// Chars is how many characters (code points) of generated text the events held.
	Chars int `json:",omitzero"`
}

// Streamed is the number of tokens that were sent as events.
func (c Counts) Streamed() int { return c.Output - c.Hidden }

// PerEvent is how many tokens one event held, on average; 1 where nothing is known.
func (c Counts) PerEvent() float64 {
	if c.Source == FromEvents || c.Events == 0 || c.Streamed() <= 0 {
		return 1
	}
	return float64(c.Streamed()) / float64(c.Events)
}

// HeadBytes bounds Ended.Head, AnswerBytes Ended.Answer.
const (
	HeadBytes   = 512
	AnswerBytes = 1 << 20
)

// Connect is what a request's own new connection took; each part is 0 where it was not needed.
type Connect struct {
	// DNS is the look-up of the name, TCP the handshake of TCP, TLS that of TLS.
	DNS, TCP, TLS time.Duration `json:",omitzero"`
}

// Timings are what the server itself says of a request, where it does (llama.cpp's timings); for comparison, never for our numbers.
type Timings struct {
	OK                    bool    `json:",omitzero"`
	PromptMs, PredictedMs float64 `json:",omitzero"`
	PromptN, PredictedN   int     `json:",omitzero"`
}

// Ended is a request that is over: its facts, and nothing that is needed only while it runs.
type Ended struct {
	Request
	Outcome Outcome `json:",omitzero"`
	Marks   Marks   `json:",omitzero"`
	Counts  Counts  `json:",omitzero"`
	// Status is the HTTP status, 0 if none came.
	Status int `json:",omitzero"`
	// RetryAfter is how long the server asked us to wait; 0 if it did not ask.
	RetryAfter time.Duration `json:",omitzero"`
	// Message is the server's or the network's own words on a failure: printable, at most 512 bytes, free of secrets.
	Message string `json:",omitzero"`
	// Head is the beginning of the answer's body as it came, at most HeadBytes and free of secrets; kept of failures only. It may hold anything,
	// control characters too.
	Head string `json:",omitzero"`
	// Answer is the text of the answer, without its reasoning, where Prompt.KeepAnswer asked for it; at most AnswerBytes, valid UTF-8 without control
	// characters but line breaks and tabs. It is not free of secrets, since a server may repeat what it was sent: it goes back to that server with
	// the next turn, and reaches no output. Dropped before the request enters a Batch.
	Answer string `json:",omitzero"`
	// Reply is the beginning of what was generated, at most ReplyBytes; valid UTF-8 without control characters but line breaks and tabs, and free of
	// secrets. Header are the fields of the answer's head, free of secrets. Both are dropped before the request enters a Batch.
	Reply  string              `json:",omitzero"`
	Header map[string][]string `json:",omitzero"`
	// Finish is the server's finish reason.
	Finish string `json:",omitzero"`
	// Reused tells whether the connection had served before; Connect is what making a new one took.
	Reused  bool    `json:",omitzero"`
	Connect Connect `json:",omitzero"`
	// Burst: nine tenths of at least ten token events came within a hundredth of the request's time (from its start to its last token, at
	// least 100 ms) and faster than any model sends, or at more than 50,000 a second, so that its gaps are no latencies of a model: something on the way held the stream back.
	Burst bool `json:",omitzero"`
	// MaxGap is the longest chunk gap, and Stalls how many were above the stall limit.
	MaxGap time.Duration `json:",omitzero"`
	Stalls int           `json:",omitzero"`
	// Gaps are the chunk gaps after the first chunk (see GapList); dropped before the request enters a Batch.
	Gaps    GapList `json:",omitzero"`
	Timings Timings `json:",omitzero"`
}

// Lag is started − scheduled; open loop only.
func (e *Ended) Lag() (time.Duration, bool) { return e.Marks.Started.Since(e.Marks.Scheduled) }

// DueTTFT is first token − scheduled, DueE2E last token − scheduled: the latencies from the instant at which the request should have gone.
func (e *Ended) DueTTFT() (time.Duration, bool) { return e.Marks.FirstToken.Since(e.Marks.Scheduled) }

// DueE2E is as DueTTFT, for the last token; ended − scheduled for an answer without tokens.
func (e *Ended) DueE2E() (time.Duration, bool) {
	if e.Marks.LastToken.OK {
		return e.Marks.LastToken.Since(e.Marks.Scheduled)
	}
	return e.Marks.Ended.Since(e.Marks.Scheduled)
}

// TTFT is first token − started.
func (e *Ended) TTFT() (time.Duration, bool) { return e.Marks.FirstToken.Since(e.Marks.Started) }

// TTFA is first answer − started.
func (e *Ended) TTFA() (time.Duration, bool) { return e.Marks.FirstAnswer.Since(e.Marks.Started) }

// E2E is last token − started; ended − started for an answer without tokens.
func (e *Ended) E2E() (time.Duration, bool) {
	if e.Marks.LastToken.OK {
		return e.Marks.LastToken.Since(e.Marks.Started)
	}
	return e.Marks.Ended.Since(e.Marks.Started)
}

// TPOT is (last token − first token) ÷ (streamed tokens − tokens of the first chunk), in ms; absent when there is nothing to
// divide, or all came in one burst.
func (e *Ended) TPOT() (float64, bool) {
	if e.Burst {
		return 0, false
	}
	span, ok := e.Marks.LastToken.Since(e.Marks.FirstToken)
	tokens := float64(e.Counts.Streamed()) - float64(e.Counts.FirstEvents)*e.Counts.PerEvent()
	if !ok || e.Counts.Chunks < 2 || tokens <= 0 || span <= 0 {
		return 0, false
	}
	return Millis(span) / tokens, true
}

// Speed is the stream's decode speed, 1 ÷ TPOT, in tokens per second.
func (e *Ended) Speed() (float64, bool) {
	tpot, ok := e.TPOT()
	if !ok {
		return 0, false
	}
	return 1000 / tpot, true
}
