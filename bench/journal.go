package bench

import "time"

// Bounds of a Journal: how many requests in flight it lists, how many that ended well, and how many that did not.
const (
	JournalFlights = 256
	JournalOK      = 1024
	JournalFailed  = 256
)

// Journal is what is known of single requests: those in flight, and those that ended last. It never changes once it is handed out.
type Journal struct {
	// At is the instant of the run that it speaks of.
	At time.Duration
	// Flights are requests in flight, oldest first: where there are more than JournalFlights, those are the oldest, so that one that hangs is among
	// them, and a row stays where it is until its request ends. Flying is how many there are.
	Flights []Flight
	Flying  int
	// Ended are the last that ended, in the order of their ends: at most JournalOK of those that ended ok and JournalFailed of the others, so that a
	// failure is not pushed out by a thousand successes. Their Gaps, Reply and Header are kept, and their prompts whole as far as there is room (see
	// Prompt.Cut). Prompt.History may repeat answers as they came, and so is not free of secrets.
	Ended []*Ended
	// Gone is how many of the run's ended requests, since the last Clear, are not among them any more.
	Gone int
	// Reading is the stream whose text is followed; absent (ID 0) where none is.
	Reading Reading
}

// Flight is a request in flight, as far as it has come.
type Flight struct {
	Request
	// Started is when it was handed to the transport, FirstToken when its first token came, LastToken the newest.
	Started               time.Duration
	FirstToken, LastToken Mark
	// Events is how many token events have come, Tokens how many tokens those were, as far as the server's running count or what was learned of this target
	// tells.
	Events int
	Tokens float64
	// MaxGap is the longest chunk gap so far.
	MaxGap time.Duration
}

// Decodes tells whether tokens have come; before that the request is queued or in prefill, which cannot be told apart from outside.
func (f *Flight) Decodes() bool { return f.FirstToken.OK }

// Reading is one stream as its text arrives.
type Reading struct {
	// ID is the request's, 0 for none; Over tells that it has ended, and with which Outcome.
	ID      uint64
	Over    bool
	Outcome Outcome
	Started time.Duration
	// FirstToken and LastToken are as in Marks.
	FirstToken, LastToken Mark
	// Text is what has come so far, from the stream's beginning as a rule, its last ReadingBytes; an empty line stands between reasoning and answer. It
	// is valid UTF-8 without control characters but line breaks and tabs, and free of secrets.
	Text string
	// Tokens is how many tokens have come, Chars how many characters (code points); Speed is tokens a second since the first chunk, of this stream
	// alone.
	Tokens float64
	Chars  int
	Speed  Value
}

// ReadingBytes bounds Reading.Text, ReplyBytes Ended.Reply.
const (
	ReadingBytes = 8 << 10
	ReplyBytes   = 1 << 10
)
