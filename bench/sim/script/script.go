package script

import (
	"net/http"
	"time"
)

// Script is a checked file.
type Script struct {
	// Title says in a few words what the server does, Why in a sentence why it matters.
	Title, Why string
	Order      Order
	Seed       uint64
	// Healthy is how many requests get a plain good answer before the script begins.
	Healthy int
	// Answers is at least one.
	Answers []Answer
	Client  Client
}

// Order is how answers follow one another.
type Order uint8

const (
	// InTurn begins again after the last.
	InTurn Order = iota
	// Once goes on with the last.
	Once
	// AtRandom draws each by the seed.
	AtRandom
)

// Client says how a script wants to be asked; what is zero does not matter.
type Client struct {
	// API is chat, completions, responses or anthropic.
	API string
	// FirstToken, Idle and Total are limits.
	FirstToken, Idle, Total time.Duration
	// Pause is the time between two requests, Cancel when each is cancelled.
	Pause, Cancel time.Duration
	// Requests is how many are sent, at least 1.
	Requests int
	// Preflight asks for a preflight before them.
	Preflight bool
}

// Answer is what one request gets.
type Answer struct {
	path, method string
	when, unless condition
	accept       accept
	before       time.Duration
	status       int
	headers      http.Header
	frame        frame
	gzip         packing
	steps        []step
	end          end
	keep         time.Duration
	// Expect is what a true client reads; nil where the file does not say.
	Expect *Expect
}

// Models tells whether it answers requests for the list of models, or others that are no completions.
func (a *Answer) Models() bool { return a.method != http.MethodPost }

// Span is how long the answer takes when nobody leaves, and whether it ends at all.
func (a *Answer) Span() (time.Duration, bool) {
	span := a.before
	for _, s := range a.steps {
		if s.hang {
			return span, false
		}
		span += s.wait + time.Duration(max(s.times, 1))*s.every
	}
	return span, a.accept != acceptHang
}

// accept is what becomes of a request instead of an answer.
type accept uint8

const (
	acceptAnswer accept = iota
	acceptHang
	acceptClose
	acceptReset
)

// frame is how the body is marked off.
type frame uint8

const (
	_ frame = iota // by HTTP chunks
	// frameClose ends the body with the connection.
	frameClose
	// frameOld does so as HTTP/1.0.
	frameOld
	// frameNone leaves everything to the steps.
	frameNone
)

// packing is how the body is compressed.
type packing uint8

const (
	packNot packing = iota
	packHeld
	packFlushed
)

// end is how an answer ends.
type end uint8

const (
	endClose end = iota
	endCut
	endReset
)

// step is one thing that the server does: wait, then send a text so many times with a wait before each, or hang.
type step struct {
	wait  time.Duration
	text  string
	times int
	every time.Duration
	// split cuts each text into packets of so many bytes; 0 sends it whole.
	split int
	// pad is how many bytes fill {{pad}}.
	pad  int
	hang bool
}
