package remote

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"redline/bench"
)

// takenWait is how long a command may be in coming through.
const takenWait = 2 * time.Second

// Standing is how a run stands.
type Standing struct {
	// AtS is the instant, in seconds of the run.
	AtS   float64 `json:"at_s"`
	State string  `json:"state"`
	// Why is the state's reason, where there is one worth words.
	Why string `json:"why,omitempty"`
	// Loop is closed or open, Load requests in flight or arrivals a second, Words both in one word. Moving: it was changed just now.
	Loop   string  `json:"loop"`
	Load   float64 `json:"load"`
	Words  string  `json:"load_words"`
	Moving bool    `json:"moving"`
	// Level is the number of the present level, 0 before the first.
	Level    int `json:"level"`
	InFlight int `json:"in_flight"`
	Held     int `json:"held"`
	// Target is the letter of the one that is driven, where there are several.
	Target string `json:"target,omitempty"`
	Locked bool   `json:"locked"`
	// Question is the one that is open.
	Question *Question `json:"question"`
}

// Question waits for an answer.
type Question struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
	// Raises tells that a yes raises the load, or sends again.
	Raises bool `json:"raises"`
}

func questionOf(a *bench.Ask) *Question {
	if a == nil {
		return nil
	}
	return &Question{a.ID, a.Text, a.Raises}
}

// standing is how a run stands in a snapshot.
func (s *Server) standing(snap *bench.Snapshot) *Standing {
	snap, _ = s.told(snap)
	out := &Standing{
		AtS: snap.At.Round(time.Millisecond).Seconds(), State: strings.ToLower(snap.State.String()), Why: snap.Why, Loop: snap.Target.Mode.String(), Load: snap.Target.N, Words: snap.Target.String(),
		Moving: snap.Moving.OK, Level: levelOf(snap), InFlight: snap.InFlight, Held: snap.Held, Locked: s.locked(), Question: questionOf(snap.Ask),
	}
	if snap.Rivals != nil {
		out.Target = bench.Letter(snap.Rivals.Shown)
	}
	return out
}

// levelOf is the number of the present level: the newest that an event has opened, since that may not be folded yet.
func levelOf(snap *bench.Snapshot) int {
	for i := len(snap.Events) - 1; i >= 0; i-- {
		if e := &snap.Events[i]; e.Kind == bench.EventOpen {
			return e.Level
		}
	}
	if l := snap.Level(); l != nil {
		return l.ID
	}
	return 0
}

func (s *Server) locked() bool { return s.o.Locked != nil && s.o.Locked() }

// Done is the answer to a command that was done.
type Done struct {
	// Did is what was done, as the log says it.
	Did string    `json:"did"`
	Now *Standing `json:"now"`
}

// command does a verb. One is done at a time, so that what is seen behind it is its own doing, or the operator's.
func (s *Server) command(w http.ResponseWriter, r *http.Request, v *Verb) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			refuse(w, http.StatusRequestEntityTooLarge, "want a shorter body")
			return
		}
		refuse(w, http.StatusBadRequest, "the body did not come whole")
		return
	}
	b, err := v.decode(text)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error(), v.allowed()...)
		return
	}
	agreed, err := b.truth("yes")
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error(), v.allowed()...)
		return
	}
	select {
	case s.hand <- struct{}{}:
		defer func() { <-s.hand }()
	case <-r.Context().Done():
		return
	}
	status, document := s.do(r, v, b, agreed)
	answer(w, status, document)
}

// allowed are a verb's fields.
func (v *Verb) allowed() []string {
	var out []string
	for _, f := range v.Takes {
		out = append(out, f.Name+": "+f.About)
	}
	return out
}

// over tells whether the run has ended.
func (s *Server) over() bool {
	select {
	case <-s.o.Engine.Done():
		return true
	default:
		return false
	}
}

// do posts a verb's command and says what came of it.
func (s *Server) do(r *http.Request, v *Verb, b body, agreed bool) (int, any) {
	before := s.o.Engine.Snapshot()
	if s.over() {
		return http.StatusConflict, Refusal{Error: "the run is over"}
	}
	c, text, err := v.read(b, before)
	if errors.Is(err, errClosed) {
		now := s.standing(before)
		return http.StatusConflict, Refusal{Error: err.Error(), Question: now.Question, Now: now}
	}
	if err != nil {
		return http.StatusBadRequest, Refusal{Error: err.Error(), Allowed: v.allowed()}
	}
	if why := idle(c, before); why != "" {
		return http.StatusConflict, Refusal{Error: v.Name + ": " + why, Now: s.standing(before)}
	}
	if marks(c) && !s.marks.Allow() {
		return http.StatusTooManyRequests, Refusal{Error: fmt.Sprintf("%s: a level begins with each, so that there is one a second, and up to %d at once", v.Name, marksAtOnce), Now: s.standing(before)}
	}
	handed := c
	if agreed && v.Asks() {
		handed = bench.Agreed{Command: c}
	}
	after, ok := s.post(r, handed, text)
	s.note(v)
	now := s.standing(after)
	shown, _ := s.told(after)
	answered, refusedAloud := answeredBehind(shown, text), warned(shown, text)
	if _, answers := c.(bench.Answer); !answers && answered {
		text += ", " + answerText(true)
	}
	switch {
	case !ok:
		return http.StatusAccepted, Done{text, now}
	case s.locked() && refusedByLock(before, after):
		return http.StatusLocked, Refusal{Error: "the screen is locked, and this is refused: " + text, Now: now}
	case v.Name == "answer" && !answered && !s.over():
		// It was another question by the time that the answer came.
		return http.StatusConflict, Refusal{Error: "the question has changed, and is not answered", Question: now.Question, Now: now}
	case v.Name != "answer" && made(before, after, c):
		return http.StatusConflict, Refusal{Error: "a question is open: answer it, or say yes with the command", Allowed: []string{fmt.Sprintf("POST /v1/answer {\"yes\":true,\"id\":%d}", after.Ask.ID)}, Question: now.Question, Now: now}
	case refusedAloud != "":
		return http.StatusConflict, Refusal{Error: refusedAloud, Question: now.Question, Now: now}
	case held(before, after, c):
		return http.StatusTooManyRequests, Refusal{Error: "not raised: the load is at its bound, or was raised as far as it may be within a second", Now: now}
	}
	return http.StatusOK, Done{text, now}
}

// note keeps whether the run pauses because of what is asked here.
func (s *Server) note(v *Verb) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch v.Name {
	case "pause", "drain":
		s.halted = true
	case "resume":
		s.halted = false
	}
}

// post hands a command over and waits until what came of it shows; ok is false where that was not seen in time. Under the lock the engine judges it, as it does
// what keys give.
func (s *Server) post(r *http.Request, c bench.Command, text string) (after *bench.Snapshot, ok bool) {
	switch c.(type) {
	case bench.Stop, bench.Kill:
	default:
		if s.locked() {
			c = bench.Locked{Command: c}
		}
	}
	taken := make(chan struct{})
	s.o.Engine.Post(bench.Remote{Text: text, Command: c, Taken: taken})
	late := time.NewTimer(takenWait)
	defer late.Stop()
	select {
	case <-taken:
		ok = true
	case <-s.o.Engine.Done():
		ok = true
	case <-late.C:
	case <-r.Context().Done():
	}
	return s.o.Engine.Snapshot(), ok
}

// made tells whether a command has made the question that is open behind it, or meets the one that it made before.
func made(before, after *bench.Snapshot, c bench.Command) bool {
	switch {
	case after.Ask == nil:
		return false
	case before.Ask == nil || *before.Ask != *after.Ask:
		return true
	case !after.Ask.Load:
		_, forgets := c.(bench.Clear)
		return forgets && after.Ask.Forgets
	}
	switch c := c.(type) {
	case bench.Set:
		return after.Ask.To.N == c.N
	case bench.Times, bench.Switch:
		return true
	}
	return false
}

// answeredBehind tells whether a question was answered by what came from here last.
func answeredBehind(after *bench.Snapshot, text string) bool {
	answered := false
	for i := len(after.Events) - 1; i >= 0; i-- {
		switch e := &after.Events[i]; {
		case e.Kind == bench.EventAnswer:
			answered = true
		case e.Kind == bench.EventRemote && e.Text == text:
			return answered
		}
	}
	return false
}

// refusedByLock tells whether what was asked was refused: the engine has said so not long ago, and nothing has changed.
func refusedByLock(before, after *bench.Snapshot) bool {
	if before.Target != after.Target || before.State != after.State || before.Work != after.Work || before.Ramping != after.Ramping || before.Cruising != after.Cruising {
		return false
	}
	for i := len(after.Events) - 1; i >= 0; i-- {
		e := &after.Events[i]
		if e.At < before.At-lockTold {
			return false
		}
		if e.Locked {
			return true
		}
	}
	return false
}

// lockTold is how soon a refusal is told again.
const lockTold = time.Second + 50*time.Millisecond

// held tells whether a rise came to nothing.
func held(before, after *bench.Snapshot, c bench.Command) bool {
	if before.Target != after.Target {
		return false
	}
	switch c := c.(type) {
	case bench.Add:
		return c.N > 0
	case bench.Times:
		return c.F > 1 && before.Target.N > 0
	case bench.Set:
		return c.N > after.Target.N
	}
	return false
}
