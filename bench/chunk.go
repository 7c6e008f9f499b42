package bench

import "time"

// Chunk is what one socket read brought of a stream, if it held at least one token event.
type Chunk struct {
	At time.Duration
	// First marks the stream's first chunk; TTFT is then set and Gap is not. Counted: the server said, in it, how many tokens there are by now.
	First, Counted bool
	TTFT           time.Duration
	// Gap is the time since the stream's previous chunk.
	Gap time.Duration
	// Events is how many token events it held, at least 1.
	Events int
	// Tokens is how many tokens those were by continuous usage, with those of the chunks since the last that was Counted; 0 when the server does not say so
	// as it goes, and where it does for the first time behind the first token.
	Tokens int
	// Chars is how many characters (code points) of generated text it held.
	Chars int
}

// Observer is told of a request while it runs, from the goroutine that reads it: it must not wait.
type Observer interface {
	// Started says that the request is handed over to the transport at that instant (Marks.Started); once, first.
	Started(at time.Duration)
	// Quotas brings what the answer's headers say of quotas; at most once, before the first chunk, and only if they say anything.
	Quotas(q []Quota)
	// Chunk brings the stream's next chunk; the hot path.
	Chunk(c Chunk)
}

// Listener is an Observer that may want the text of its stream.
type Listener interface {
	Observer
	// Listens tells whether the text is wanted from the next read on. It is asked before each, and must be cheap.
	Listens() bool
	// Text brings what a read added to the text, before the chunk that it makes up. Where the stream has only begun, the first call brings what came
	// before it too: begins tells that the bytes are the stream's first. They may begin or end in the middle of a character, or of a secret, may hold
	// control characters, and are the caller's again afterwards.
	Text(text []byte, begins bool)
}
