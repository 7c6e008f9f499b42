package ui

import (
	"bytes"
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/style"
	"redline/ui/view/viewtest"
)

// wire counts what goes to the terminal.
type wire struct {
	mu sync.Mutex
	n  int
	// last is the newest write, all what was written so far.
	last, all []byte
}

func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n += len(p)
	w.last = bytes.Clone(p)
	w.all = append(w.all, p...)
	return len(p), nil
}

// since is how many bytes went out since the last call.
func (w *wire) since() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.n
	w.n = 0
	return n
}

func (w *wire) newest() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last
}

// onWire runs a dashboard of 120×36 in 256 colours through a real program, at the default rate and window, in virtual time.
func onWire(t *testing.T, f *fake, measure func(p *tea.Program, w *wire)) {
	o, _, tty := Options{Engine: f, Env: env, Step: 4, Color: style.Colours256}.filled()
	m := newModel(o, tty, &exit{engine: f})
	w := &wire{}
	p := program(context.Background(), m, nil, w)
	done := make(chan error, 1)
	go func() {
		_, err := p.Run()
		done <- err
	}()
	p.Send(tea.WindowSizeMsg{Width: 120, Height: 36})
	time.Sleep(3 * time.Second)
	w.since()
	measure(p, w)
	p.Quit()
	if err := <-done; err != nil {
		t.Error(err)
	}
	// The last tick that was asked for is still to come.
	time.Sleep(2 * time.Second)
}

func TestARunningScreenStaysUnderItsBudget(t *testing.T) {
	for _, scene := range []viewtest.Scene{viewtest.Running, viewtest.Open, viewtest.Profiled} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			f := newFake(func() *bench.Snapshot {
				age := time.Since(start)
				s := viewtest.Make(scene, int(age/time.Second))
				s.At = s.Folded + age%time.Second
				if s.Following != nil {
					s.Following.At = s.At
				}
				return s
			})
			onWire(t, f, func(_ *tea.Program, w *wire) {
				const seconds = 40
				time.Sleep(seconds * time.Second)
				rate := w.since() / seconds
				t.Logf("%s: %d bytes a second", scene, rate)
				if rate > 6000 {
					t.Errorf("%s: %d bytes a second at 120×36, want 6 000 at most", scene, rate)
				}
			})
		})
	}
}

// idle is how much a second may go out while nothing happens: the row with the clock.
const idle = 300

func TestAPausedScreenSendsNextToNothing(t *testing.T) {
	for _, key := range []string{"1", "2", "3", "4", "5", "6", "7", "e", "left"} {
		synctest.Test(t, func(t *testing.T) {
			onWire(t, moving(viewtest.Rested), func(p *tea.Program, w *wire) {
				p.Send(message(key))
				time.Sleep(3 * time.Second)
				w.since()
				const seconds = 40
				time.Sleep(seconds * time.Second)
				rate := w.since() / seconds
				t.Logf("%s: %d bytes a second", key, rate)
				if rate > idle {
					t.Errorf("view %s, paused: %d bytes a second at 120×36, want %d at most", key, rate, idle)
				}
			})
		})
	}
}

func TestAScreenWithoutNewsSendsNothing(t *testing.T) {
	for _, scene := range []viewtest.Scene{viewtest.Running, viewtest.Done, viewtest.Ready, viewtest.Open, viewtest.Profiled, viewtest.Handheld, viewtest.Warmup} {
		synctest.Test(t, func(t *testing.T) {
			onWire(t, showing(scene), func(p *tea.Program, w *wire) {
				time.Sleep(30 * time.Second)
				if n := w.since(); n != 0 {
					t.Errorf("%s: %d bytes in 30 s without news", scene, n)
				}
				p.Send(message("?"))
				time.Sleep(time.Second)
				if n := w.since(); n == 0 {
					t.Errorf("%s: a key is not answered", scene)
				}
			})
		})
	}
}

func TestAKeyShowsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		onWire(t, showing(viewtest.Running), func(p *tea.Program, w *wire) {
			p.Send(message("s"))
			time.Sleep(100 * time.Millisecond)
			if last := w.newest(); !bytes.Contains(last, []byte("step ±8")) {
				t.Errorf("100 ms after the key the terminal was sent %q", last)
			}
		})
	})
}
