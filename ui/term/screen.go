// Package term owns the terminal as seen from outside: what the environment says of it, its size, and the stream of bytes to it.
// It must not know what is drawn. Of ui's packages it alone reads a clock.
package term

import (
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"
)

// Control sequences that frame a session on the terminal.
const (
	// beginSync and endSync bracket a frame, so that the terminal shows it whole. Those who do not know them ignore them.
	beginSync = "\x1b[?2026h"
	endSync   = "\x1b[?2026l"
	// enter switches off alternate scroll, by which a wheel would send arrow keys, after asking the terminal to remember it; and the terminal's own ordering
	// of Hebrew and Arabic (ECMA-48's BDSM), which would move the numbers beside such a name.
	enter = "\x1b[?1007s\x1b[?1007l\x1b[8l"
	// restore ends a frame left open, mouse reports of all kinds, bracketed paste, looks; shows the cursor, leaves the alternate screen,
	// and gives alternate scroll back, in this order: on, then as it was. A terminal that remembers modes ends with what it had, be that off,
	// as is the default of xterm; any other ignores the second and ends with on, which is the usual default.
	restore = "\x1b[?2026l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[m\x1b[?25h\x1b[?1049l\x1b[8h\x1b[?1007h\x1b[?1007r"
	// leave is what of that the screen library does not do by itself: ordering and alternate scroll.
	leave = "\x1b[8h\x1b[?1007h\x1b[?1007r"
)

// Screen is the way to the terminal. It is an *os.File with another Write, so that whoever asks for its descriptor still finds the
// terminal. Nothing here ever waits long for a terminal that does not read: what it does not take at once is written behind the caller's back, in order,
// and whoever draws asks Busy first and draws nothing more until it has been taken. All methods are safe for concurrent use.
type Screen struct {
	*os.File
	sync bool
	// base is the origin of since: a monotonic reading fits no atomic.
	base time.Time
	now  func() time.Time

	// mu guards what waits: pending is not yet on its way, spare is the buffer that it takes turns with. idle is closed when all has been taken; nil
	// while nothing is under way. err is what the terminal's end said.
	mu             sync.Mutex
	pending, spare []byte
	idle           chan struct{}
	err            error
	lost           bool

	// since is when the present write to the terminal began, as an offset from base plus one; 0 when none is under way.
	since   atomic.Int64
	bytes   atomic.Uint64
	entered atomic.Bool
	titled  atomic.Bool
}

const (
	// grace is how long Write waits for the terminal to take what it was given: as good as always it does so at once, and then all is as if nothing
	// stood between.
	grace = 50 * time.Millisecond
	// pendingBytes bounds what waits for a terminal that does not read. Frames are not drawn meanwhile; what is beyond it are the repaints of many
	// changes of its size.
	pendingBytes = 1 << 20
)

// NewScreen wraps a terminal's file. sync brackets every Write as one frame.
func NewScreen(f *os.File, sync bool) *Screen {
	return &Screen{File: f, sync: sync, base: time.Now(), now: time.Now}
}

// Write sends one frame. The count and the error speak of p, not of the brackets around it; what is still on its way counts as written.
func (s *Screen) Write(p []byte) (int, error) { return s.put(p, s.sync, true) }

// put hands bytes over, as a frame of their own or as they are. What is loose is left out where too much waits already.
func (s *Screen) put(p []byte, frame, loose bool) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	s.mu.Lock()
	if s.err != nil {
		defer s.mu.Unlock()
		return 0, s.err
	}
	if loose && len(s.pending) > 0 && len(s.pending)+len(p) > pendingBytes {
		s.lost = true
		s.mu.Unlock()
		return len(p), nil
	}
	if frame {
		s.pending = append(append(append(s.pending, beginSync...), p...), endSync...)
	} else {
		s.pending = append(s.pending, p...)
	}
	if s.idle == nil {
		s.idle = make(chan struct{})
		go s.drain(s.idle)
	}
	s.mu.Unlock()
	if !s.settle(grace - s.BlockedFor(s.now())) {
		return len(p), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	return len(p), nil
}

// drain writes what is pending until nothing is.
func (s *Screen) drain(idle chan struct{}) {
	defer close(idle)
	for {
		s.mu.Lock()
		text := s.pending
		if len(text) == 0 {
			s.idle = nil
			s.mu.Unlock()
			return
		}
		s.pending, s.spare = s.spare[:0], nil
		s.mu.Unlock()
		s.since.Store(int64(s.now().Sub(s.base)) + 1)
		n, err := s.File.Write(text)
		s.bytes.Add(uint64(n))
		s.since.Store(0)
		s.mu.Lock()
		if s.spare = text[:0]; err != nil {
			s.err, s.pending = err, nil
		}
		s.mu.Unlock()
	}
}

// settle waits until the terminal has taken everything, but no longer than d, and tells whether it has.
func (s *Screen) settle(d time.Duration) bool {
	s.mu.Lock()
	idle := s.idle
	s.mu.Unlock()
	switch {
	case idle == nil:
		return true
	case d <= 0:
		return false
	}
	late := time.NewTimer(d)
	defer late.Stop()
	select {
	case <-idle:
		return true
	case <-late.C:
		return false
	}
}

// Busy tells whether the terminal has not yet taken what it was given. It never waits.
func (s *Screen) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.idle != nil
}

// Lost tells, once, that something had to be left out, so that all has to be drawn anew.
func (s *Screen) Lost() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	lost := s.lost
	s.lost = false
	return lost
}

// WriteString is Write for text; the file's own would pass by the brackets and the count.
func (s *Screen) WriteString(text string) (int, error) { return s.Write([]byte(text)) }

// ReadFrom copies through Write, for the same reason.
func (s *Screen) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{s}, r)
}

// Bytes is how many bytes have gone out, brackets included.
func (s *Screen) Bytes() uint64 { return s.bytes.Load() }

// BlockedFor is how long the present write to the terminal has been under way; 0 when none is. A terminal that stopped reading (flow control, a dead
// connection) shows as a value that grows. It never waits.
func (s *Screen) BlockedFor(now time.Time) time.Duration {
	since := s.since.Load()
	if since == 0 {
		return 0
	}
	return max(now.Sub(s.base)-time.Duration(since-1), 0)
}

// Enter prepares the terminal. Call it before the screen library takes over.
func (s *Screen) Enter() {
	if s.entered.CompareAndSwap(false, true) {
		s.send(enter)
	}
}

// Leave undoes Enter after the screen library has cleaned up by itself, and tells whether the terminal has taken it. It does nothing twice.
func (s *Screen) Leave() bool {
	if !s.entered.CompareAndSwap(true, false) {
		return true
	}
	if !s.settle(sendDeadline) {
		s.forget()
		return s.send(restore + s.untitle())
	}
	return s.send(leave + s.untitle())
}

// forget drops what waits behind a write that does not end.
func (s *Screen) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = s.pending[:0]
}

// Restore puts the terminal right after a crash, whatever state it is in. It does nothing twice, nor after Leave.
func (s *Screen) Restore() {
	if s.entered.CompareAndSwap(true, false) {
		s.forget()
		s.send(restore + s.untitle())
	}
}

// sendDeadline is how long a stuck terminal may hold up the end of the program.
const sendDeadline = 300 * time.Millisecond

// send writes by itself and gives up waiting on a terminal that does not read; it tells whether it was taken. The goroutine that is then left behind ends
// with the program, which is about to.
func (s *Screen) send(sequence string) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		n, _ := s.File.WriteString(sequence)
		s.bytes.Add(uint64(n))
	}()
	late := time.NewTimer(sendDeadline)
	defer late.Stop()
	select {
	case <-done:
		return true
	case <-late.C:
		return false
	}
}

// IsTerminal tells whether a file is a terminal.
func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
