package ui

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"redline/bench"
	"redline/ui/style"
	"redline/ui/term/termtest"
	"redline/ui/view/viewtest"
)

// picture is a terminal whose size the test changes together with that of the program.
type picture struct {
	mu   sync.Mutex
	seen *termtest.Terminal
}

func (p *picture) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen.Write(b)
}

func (p *picture) rows() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen.Rows()
}

// moving is a run that goes on, in virtual time.
func moving(scene viewtest.Scene) *fake {
	start := time.Now()
	return newFake(func() *bench.Snapshot {
		age := time.Since(start)
		s := viewtest.Make(scene, int(age/time.Second))
		s.At = s.Folded + age%time.Second
		return s
	})
}

// differs names the first row in which a screen is not the frame.
func differs(frame string, rows []string) string {
	want := strings.Split(frame, "\n")
	for y, row := range rows {
		text := ""
		if y < len(want) {
			text = strings.TrimRight(ansi.Strip(want[y]), " ")
		}
		if row != text {
			return fmt.Sprintf("row %d: %q, and %q is the frame's", y, row, text)
		}
	}
	return ""
}

func TestAStormOfSizesLeavesAWholeFrame(t *testing.T) {
	keys := []string{"1", "2", "3", "4", "5", "6", "7", "e", "enter", "f", "y", "p", "v", "[", "]", "+", "-", "a", "A", "P", "s", "?", "L"}
	for seed := range uint64(2) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 8))
			f := moving(viewtest.Running)
			o, _, tty := Options{Engine: f, Env: env, Color: style.Colours256}.filled()
			m := newModel(o, tty, &exit{engine: f})
			out := &picture{seen: termtest.New(80, 24)}
			p := program(context.Background(), m, nil, out)
			done := make(chan error, 1)
			go func() {
				_, err := p.Run()
				done <- err
			}()
			var w, h int
			resize := func() {
				w, h = 1+r.IntN(220), 1+r.IntN(70)
				out.mu.Lock()
				out.seen.Resize(w, h)
				out.mu.Unlock()
				p.Send(tea.WindowSizeMsg{Width: w, Height: h})
			}
			for range 150 {
				resize()
				for range r.IntN(3) {
					p.Send(message(keys[r.IntN(len(keys))]))
				}
				time.Sleep(time.Duration(r.IntN(150)) * time.Millisecond)
				if r.IntN(10) > 0 {
					continue
				}
				// At rest the screen is the frame, but for the moment in which a new one is on its way.
				time.Sleep(time.Second)
				var wrong string
				for range 10 {
					time.Sleep(37 * time.Millisecond)
					synctest.Wait()
					if wrong = differs(m.frame, out.rows()); wrong == "" {
						break
					}
				}
				if wrong != "" {
					t.Errorf("seed %d, %v at %d×%d, %s", seed, m.st.View, w, h, wrong)
				}
			}
			p.Quit()
			if err := <-done; err != nil || m.crash != "" {
				t.Errorf("%v %s", err, m.crash)
			}
			time.Sleep(2 * time.Second)
			for _, fault := range out.seen.Faults() {
				if strings.HasPrefix(fault, "sequence") || strings.HasPrefix(fault, "control") || strings.HasPrefix(fault, "a character") {
					t.Error(fault)
				}
			}
		})
	}
}

func TestEveryViewStaysUnderItsBudget(t *testing.T) {
	for _, key := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		synctest.Test(t, func(t *testing.T) {
			onWire(t, moving(viewtest.Running), func(p *tea.Program, w *wire) {
				p.Send(message(key))
				time.Sleep(3 * time.Second)
				w.since()
				const seconds = 20
				time.Sleep(seconds * time.Second)
				rate := w.since() / seconds
				p.Send(tea.ClearScreen())
				time.Sleep(100 * time.Millisecond)
				whole := w.since()
				t.Logf("view %s: %d bytes a second, %d for a whole frame", key, rate, whole)
				if rate > 6000 {
					t.Errorf("view %s: %d bytes a second at 120×36, want 6 000 at most", key, rate)
				}
				if whole > 9500 {
					t.Errorf("view %s: %d bytes for a whole frame at 120×36, want 9 500 at most", key, whole)
				}
			})
		})
	}
}

func TestNoViewSendsAnythingWithoutNews(t *testing.T) {
	for _, key := range []string{"2", "3", "4", "5", "6", "7"} {
		synctest.Test(t, func(t *testing.T) {
			onWire(t, showing(viewtest.Running), func(p *tea.Program, w *wire) {
				p.Send(message(key))
				time.Sleep(6 * time.Second)
				w.since()
				time.Sleep(30 * time.Second)
				if n := w.since(); n != 0 {
					t.Errorf("view %s: %d bytes in 30 s without news: %q", key, n, bytes.TrimSpace(w.newest()))
				}
			})
		})
	}
}
