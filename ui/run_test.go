package ui

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/ui/view/viewtest"
)

// hung is a terminal that has taken no output for so long.
type hung time.Duration

func (h hung) BlockedFor(time.Time) time.Duration { return time.Duration(h) }

func TestATerminalThatHangsPausesTheRunOnce(t *testing.T) {
	f := showing(viewtest.Running)
	o := Options{Engine: f, BlockedLimit: 30 * time.Second}
	s := session{o: &o, exit: &exit{engine: f}, screen: hung(29 * time.Second)}
	s.blocked(time.Now())
	if got := f.commands(); len(got) != 0 {
		t.Errorf("paused too early: %#v", got)
	}
	s.screen = hung(30 * time.Second)
	for range 5 {
		s.blocked(time.Now())
	}
	if got := f.commands(); len(got) != 1 || got[0] != bench.Command(bench.Pause{Why: "the terminal took no output for 30 s"}) {
		t.Errorf("posted %#v", got)
	}
	s.screen = hung(0)
	s.blocked(time.Now())
	s.screen = hung(time.Minute)
	s.blocked(time.Now())
	if got := f.commands(); len(got) != 1 {
		t.Errorf("the second time: %#v", got)
	}
}

// TestRunLeaves goes through Run with a terminal that is none, in virtual time.
func TestRunLeaves(t *testing.T) {
	for _, c := range []struct {
		sentence string
		leave    func(f *fake, cancel func(), interrupts chan<- struct{})
		killed   bool
		posted   []bench.Command
	}{
		{"two interrupts from outside", func(_ *fake, _ func(), interrupts chan<- struct{}) {
			interrupts <- struct{}{}
			interrupts <- struct{}{}
		}, true, []bench.Command{bench.Stop{Why: interrupted}, bench.Kill{Why: interrupted}}},
		{"an interrupt, then the drain is over", func(f *fake, _ func(), interrupts chan<- struct{}) {
			interrupts <- struct{}{}
			time.Sleep(time.Second)
			close(f.done)
		}, false, []bench.Command{bench.Stop{Why: interrupted}}},
		{"a cancelled context", func(_ *fake, cancel func(), _ chan<- struct{}) { cancel() }, false, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := showing(viewtest.Running)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			interrupts := make(chan struct{})
			var result Result
			err := errors.New("never left")
			done := make(chan struct{})
			go func() {
				defer close(done)
				result, err = Run(ctx, Options{Engine: f, Out: &wire{}, Env: env, Interrupts: interrupts})
			}()
			time.Sleep(time.Second)
			c.leave(f, cancel, interrupts)
			<-done
			time.Sleep(3 * time.Second)
			if got := f.commands(); err != nil || result.Killed != c.killed || len(got) != len(c.posted) {
				t.Errorf("%s: %+v, %v, posted %#v", c.sentence, result, err, got)
			}
		})
	}
}

// crashing gives one snapshot and panics from then on.
func crashing() *fake {
	s, n := viewtest.Make(viewtest.Running, 0), 0
	return newFake(func() *bench.Snapshot {
		if n++; n > 2 {
			panic("the fold is broken")
		}
		return s
	})
}

func TestACrashEndsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{}
		r, err := Run(t.Context(), Options{Engine: crashing(), Out: w, Env: env})
		if err == nil || !strings.Contains(r.Crash, "the fold is broken") {
			t.Errorf("crash %q, error %v", r.Crash, err)
		}
		if !bytes.Contains(w.all, []byte("\x1b[?1049l")) {
			t.Error("the alternate screen was not left")
		}
		time.Sleep(3 * time.Second)
	})
}
