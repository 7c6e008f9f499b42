package main

import (
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestASignalEndsWhatDoesNotAnswerIt(t *testing.T) {
	for _, row := range []struct {
		sentence string
		// heard is after how long the verb answers; 0 is never.
		heard   time.Duration
		signals []os.Signal
		// code is that of the end, 0 for none; after so long.
		code  int
		after time.Duration
	}{
		{"a verb that waits for a file", 0, []os.Signal{os.Interrupt}, exitInterrupted, unheard},
		{"the same, terminated", 0, []os.Signal{syscall.SIGTERM}, exitTerminated, unheard},
		{"twice", 0, []os.Signal{os.Interrupt, os.Interrupt}, exitInterrupted, 0},
		{"a verb that answers a little later", unheard / 2, []os.Signal{syscall.SIGTERM}, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			var heard atomic.Bool
			from, forced, over := make(chan os.Signal, 4), make(chan int, 1), make(chan struct{})
			to := relay(from, &heard, forced, over)
			if row.heard > 0 {
				time.AfterFunc(row.heard, func() { heard.Store(true) })
			}
			began := time.Now()
			for _, s := range row.signals {
				from <- s
			}
			code := 0
			select {
			case code = <-forced:
			case <-time.After(time.Minute):
			}
			if code != row.code || code != 0 && time.Since(began) != row.after {
				t.Errorf("%s: ended with %d after %v, want %d after %v", row.sentence, code, time.Since(began), row.code, row.after)
			}
			if s := <-to; s != row.signals[0] {
				t.Errorf("%s: %v was passed on", row.sentence, s)
			}
			close(over)
		})
	}
}
