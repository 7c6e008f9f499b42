package term

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/muesli/cancelreader"
	"golang.org/x/term"
)

// askColumn is the column, from 1, at which the question writes its character: so far to the right that the answer is no key (see answerColumn).
const askColumn = 17

// question writes a character of ambiguous width and asks where the cursor is then; erase takes it away.
var question, erase = fmt.Sprintf("\r\x1b[%dC│\x1b[6n", askColumn-1), "\r\x1b[K"

// Cells is how many cells the terminal gives to characters of ambiguous width; 0 where that is not known.
type Cells uint8

// Answer is what came of a question.
type Answer struct {
	Cells Cells
	// Typed are the bytes of keys that were typed meanwhile.
	Typed []byte
	// Input is what to read keys from now: the terminal, without an answer that comes late.
	Input *Input
}

// Asks tells whether the terminal is to be asked how wide it draws: its language alone makes that doubtful, and it is one that can answer.
func (f Facts) Asks() bool {
	return f.TTY && f.UTF8 && f.Wide && f.Guessed && !f.Dumb && !f.Console && !f.Windows
}

// Patience is how long an answer may take: 300 ms, or 1 s over a network.
func (f Facts) Patience() time.Duration {
	if f.SSH {
		return time.Second
	}
	return 300 * time.Millisecond
}

// Ask asks the terminal how many cells it gives to a character of ambiguous width, and reads its answer from in for so long. Call it before the screen
// library takes over. The terminal's modes are afterwards what they were. Without an answer, or with one that makes no sense, the width is not known.
func (s *Screen) Ask(ctx context.Context, in *os.File, patience time.Duration) (Answer, error) {
	a := Answer{Input: &Input{File: in}}
	if w, _, err := term.GetSize(int(s.Fd())); err != nil || w < askColumn+3 {
		// At the edge the cursor would stand still, and its report say nothing.
		a.Input.report.found = true
		return a, err
	}
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		a.Input.report.found = true
		return a, fmt.Errorf("raw mode: %w", err)
	}
	defer func() { _ = term.Restore(int(in.Fd()), before) }()
	keys, err := cancelreader.NewReader(in)
	if err != nil {
		a.Input.report.found = true
		return a, fmt.Errorf("read of the terminal: %w", err)
	}
	defer func() { _ = keys.Close() }()
	if !s.send(question) {
		return a, nil
	}
	defer s.send(erase)
	a.Typed, err = listen(ctx, keys, &a.Input.report, patience)
	a.Cells = a.Input.report.cells()
	return a, err
}

// canceller is a reader whose Read can be ended from outside without loss.
type canceller interface {
	io.Reader
	Cancel() bool
}

// listen reads until the report has come, for no longer than patience, and gives what else was typed. Its reader has ended when it returns.
func listen(ctx context.Context, in canceller, r *report, patience time.Duration) (typed []byte, err error) {
	late, stop := context.WithTimeout(ctx, patience)
	defer stop()
	defer context.AfterFunc(late, func() { in.Cancel() })()
	buf := make([]byte, 256)
	for !r.found && late.Err() == nil {
		n, err := in.Read(buf)
		typed = r.pass(typed, buf[:n])
		if err == cancelreader.ErrCanceled {
			break
		}
		if err != nil {
			return typed, err
		}
	}
	return r.typed(typed), nil
}

// cells is what the report says of the width.
func (r *report) cells() Cells {
	if n := r.column - askColumn; r.found && (n == 1 || n == 2) {
		return Cells(n)
	}
	return 0
}
