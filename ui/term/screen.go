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
	// enter switches off alternate scroll, by which a wheel would send arrow keys, after asking the terminal to remember it.
	enter = "\x1b[?1007s\x1b[?1007l"
	// restore ends a frame left open, mouse reports of all kinds, bracketed paste, looks; shows the cursor, leaves the alternate screen,
	// and gives alternate scroll back, in this order: on, then as it was. A terminal that remembers modes ends with what it had, be that off,
	// as is the default of xterm; any other ignores the second and ends with on, which is the usual default.
	restore = "\x1b[?2026l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[m\x1b[?25h\x1b[?1049l\x1b[?1007h\x1b[?1007r"
	// leave is what of that the screen library does not do by itself: alternate scroll.
	leave = "\x1b[?1007h\x1b[?1007r"
)

// Screen is the way to the terminal. It is an *os.File with another Write, so that whoever asks for its descriptor still finds the
// terminal. Write may block as long as the terminal does not read; nothing else here ever waits for it. All methods are safe
// for concurrent use.
type Screen struct {
	*os.File
	sync bool
	// base is the origin of since: a monotonic reading fits no atomic.
	base time.Time
	now  func() time.Time

	// write is held while bytes go out.
	write sync.Mutex
	frame []byte

	// since is when the present Write began, as an offset from base plus one; 0 when none is under way.
	since   atomic.Int64
	bytes   atomic.Uint64
	entered atomic.Bool
}

// NewScreen wraps a terminal's file. sync brackets every Write as one frame.
func NewScreen(f *os.File, sync bool) *Screen {
	return &Screen{File: f, sync: sync, base: time.Now(), now: time.Now}
}

// Write sends one frame. The count and the error speak of p, not of the brackets around it.
func (s *Screen) Write(p []byte) (int, error) {
	s.write.Lock()
	defer s.write.Unlock()
	s.since.Store(int64(s.now().Sub(s.base)) + 1)
	defer s.since.Store(0)
	if !s.sync || len(p) == 0 {
		n, err := s.File.Write(p)
		s.bytes.Add(uint64(n))
		return n, err
	}
	s.frame = append(append(append(s.frame[:0], beginSync...), p...), endSync...)
	n, err := s.File.Write(s.frame)
	s.bytes.Add(uint64(n))
	return min(max(n-len(beginSync), 0), len(p)), err
}

// WriteString is Write for text; the file's own would pass by the brackets and the count.
func (s *Screen) WriteString(text string) (int, error) { return s.Write([]byte(text)) }

// ReadFrom copies through Write, for the same reason.
func (s *Screen) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{s}, r)
}

// Bytes is how many bytes have gone out, brackets included.
func (s *Screen) Bytes() uint64 { return s.bytes.Load() }

// BlockedFor is how long the present Write has been under way; 0 when none is. A terminal that stopped reading (flow control, a dead
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

// Leave undoes Enter after the screen library has cleaned up by itself. It does nothing twice.
func (s *Screen) Leave() {
	if s.entered.CompareAndSwap(true, false) {
		s.send(leave)
	}
}

// Restore puts the terminal right after a crash, whatever state it is in. It does nothing twice, nor after Leave.
func (s *Screen) Restore() {
	if s.entered.CompareAndSwap(true, false) {
		s.send(restore)
	}
}

// sendDeadline is how long a stuck terminal may hold up the end of the program.
const sendDeadline = 300 * time.Millisecond

// send writes past the lock, as a stuck Write may hold it, and gives up waiting on a terminal that does not read. The goroutine that is
// then left behind ends with the program, which is about to.
func (s *Screen) send(sequence string) {
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
	case <-late.C:
	}
}

// IsTerminal tells whether a file is a terminal.
func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
