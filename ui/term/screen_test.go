package term

import (
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// Bubble Tea finds the terminal by this interface.
var _ interface {
	io.ReadWriteCloser
	Fd() uintptr
} = (*Screen)(nil)

// pipe is a screen whose far end the test reads.
func pipe(t *testing.T, sync bool) (*Screen, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(); _ = w.Close() })
	return NewScreen(w, sync), r
}

func sent(t *testing.T, s *Screen, r *os.File) string {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func TestEveryWriteIsOneFrame(t *testing.T) {
	s, r := pipe(t, true)
	if n, err := s.Write([]byte("one")); n != 3 || err != nil {
		t.Errorf("wrote %d, %v", n, err)
	}
	if n, err := io.WriteString(s, "two"); n != 3 || err != nil {
		t.Errorf("wrote %d, %v", n, err)
	}
	if n, err := io.Copy(s, strings.NewReader("three")); n != 5 || err != nil {
		t.Errorf("copied %d, %v", n, err)
	}
	if n, err := s.Write(nil); n != 0 || err != nil {
		t.Errorf("wrote %d, %v", n, err)
	}
	if s.Fd() != s.File.Fd() {
		t.Error("the descriptor is hidden")
	}
	got := sent(t, s, r)
	frame := func(text string) string { return beginSync + text + endSync }
	if want := frame("one") + frame("two") + frame("three"); got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
	if s.Bytes() != uint64(len(got)) {
		t.Errorf("counted %d bytes of %d", s.Bytes(), len(got))
	}
}

func TestWithoutSyncBytesGoAsTheyAre(t *testing.T) {
	s, r := pipe(t, false)
	_, _ = s.Write([]byte("one"))
	if got := sent(t, s, r); got != "one" || s.Bytes() != 3 {
		t.Errorf("sent %q, counted %d", got, s.Bytes())
	}
}

func TestWriteReportsTheFilesError(t *testing.T) {
	s, _ := pipe(t, true)
	_ = s.Close()
	if n, err := s.Write([]byte("one")); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("wrote %d, %v", n, err)
	}
	if s.BlockedFor(time.Now()) != 0 {
		t.Error("a Write that ended counts as blocked")
	}
}

// stuck is a screen with a Write under way that the far end does not read.
func stuck(t *testing.T) (s *Screen, r *os.File, end func()) {
	t.Helper()
	s, r = pipe(t, true)
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer wait.Done()
		// More than any pipe holds.
		_, _ = s.Write(make([]byte, 4<<20))
	}()
	for s.since.Load() == 0 {
		runtime.Gosched()
	}
	return s, r, func() {
		go func() { _, _ = io.Copy(io.Discard, r) }()
		wait.Wait()
		if !s.settle(time.Minute) {
			t.Error("a terminal that reads takes nothing")
		}
	}
}

func TestABlockedTerminalIsNoticed(t *testing.T) {
	s, _, end := stuck(t)
	if got := s.BlockedFor(time.Now().Add(30 * time.Second)); got < 29*time.Second || got > 31*time.Second {
		t.Errorf("blocked for %s, want about 30 s", got)
	}
	if got := s.BlockedFor(time.Now().Add(-time.Hour)); got != 0 {
		t.Errorf("before it began it was blocked for %s", got)
	}
	end()
	if got := s.BlockedFor(time.Now().Add(time.Hour)); got != 0 {
		t.Errorf("still blocked for %s", got)
	}
}

func TestRestoreDoesNotWaitForABlockedTerminal(t *testing.T) {
	s, _, end := stuck(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.entered.Store(true)
		s.Restore()
	}()
	select {
	case <-done:
	case <-time.After(20 * sendDeadline):
		t.Error("waits on")
	}
	end()
}

func TestEnterAndLeaveOnce(t *testing.T) {
	s, r := pipe(t, true)
	s.Leave()
	s.Enter()
	s.Enter()
	s.Leave()
	s.Leave()
	s.Restore()
	if got, want := sent(t, s, r), enter+leave; got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
}

func TestAlternateScrollIsGivenBackAsItWas(t *testing.T) {
	// run is a terminal's alternate scroll after some sequences.
	run := func(on, remembers bool, sequences ...string) bool {
		saved := false
		for _, s := range strings.SplitAfter(strings.Join(sequences, ""), "\x1b[?1007") {
			switch {
			case strings.HasPrefix(s, "h"):
				on = true
			case strings.HasPrefix(s, "l"):
				on = false
			case strings.HasPrefix(s, "s") && remembers:
				saved = on
			case strings.HasPrefix(s, "r") && remembers:
				on = saved
			}
		}
		return on
	}
	for _, end := range []string{leave, restore} {
		for _, was := range []bool{true, false} {
			if run(was, true, enter) || run(was, false, enter) {
				t.Error("alternate scroll stays on in the session")
			}
			if got := run(was, true, enter, end); got != was {
				t.Errorf("%q: a terminal that remembers had %v and ends with %v", end, was, got)
			}
			if !run(was, false, enter, end) {
				t.Errorf("%q: a terminal that does not remember ends without its usual default", end)
			}
		}
	}
}

func TestRestoreAfterACrash(t *testing.T) {
	s, r := pipe(t, true)
	s.Enter()
	s.Restore()
	s.Restore()
	s.Leave()
	got := sent(t, s, r)
	if got != enter+restore {
		t.Errorf("sent %q", got)
	}
	for why, sequence := range map[string]string{
		"the frame stays open": "\x1b[?2026l", "the alternate screen stays": "\x1b[?1049l", "the cursor stays hidden": "\x1b[?25h", "looks stay": "\x1b[m",
		"the mouse stays on": "\x1b[?1002l", "bracketed paste stays": "\x1b[?2004l", "alternate scroll stays off": "\x1b[?1007h",
	} {
		if !strings.Contains(restore, sequence) {
			t.Error(why)
		}
	}
}
