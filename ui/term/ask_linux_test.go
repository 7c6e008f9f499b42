package term

import (
	"bytes"
	"context"
	"io"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// terminalPair is a terminal of 80 columns: what is written to theirs can be read from ours, and the other way round.
func terminalPair(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	t.Cleanup(func() { _ = ours.Close() })
	if err := unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip("no terminals here: ", err)
	}
	n, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	theirs, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	t.Cleanup(func() { _ = theirs.Close() })
	if err := unix.IoctlSetWinsize(int(ours.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: 80, Row: 24}); err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

func TestATerminalIsAskedAndLeftAsItWas(t *testing.T) {
	for _, c := range []struct {
		why, reply, typed string
		cells             Cells
		// later is sent when nobody waits any more, rest what is read then.
		later, rest string
	}{
		{"one cell", "\x1b[9;18R", "", 1, "q", "q"},
		{"two cells", "\x1b[9;19R", "", 2, "q", "q"},
		{"keys around it", "+\x1b[9;18R-", "+-", 1, "q", "q"},
		{"garbage", "\x1b[9;3Zx", "\x1b[9;3Zx", 0, "q", "q"},
		{"half of it, and the other half too late", "\x1b[9;1", "", 0, "8Rq", "q"},
		{"too late", "", "", 0, "\x1b[1;18Rq", "q"},
		{"never, and F3 with shift is a key", "", "", 0, "\x1b[1;2R", "\x1b[1;2R"},
	} {
		t.Run(c.why, func(t *testing.T) {
			ours, theirs := terminalPair(t)
			asked := make(chan string, 1)
			go func() {
				var all []byte
				buf := make([]byte, 256)
				for !bytes.HasSuffix(all, []byte("\x1b[6n")) {
					n, err := ours.Read(buf)
					if err != nil {
						break
					}
					all = append(all, buf[:n]...)
				}
				asked <- string(all)
				_, _ = io.WriteString(ours, c.reply)
			}()
			before, err := term.GetState(int(theirs.Fd()))
			if err != nil {
				t.Fatal(err)
			}
			patience := 10 * time.Second
			if c.cells == 0 {
				patience = 50 * time.Millisecond
			}
			a, err := NewScreen(theirs, true).Ask(context.Background(), theirs, patience)
			if err != nil || a.Cells != c.cells || string(a.Typed) != c.typed {
				t.Errorf("%d cells, typed %q, %v", a.Cells, a.Typed, err)
			}
			if got := <-asked; got != question {
				t.Errorf("asked %q", got)
			}
			if after, err := term.GetState(int(theirs.Fd())); err != nil || *after != *before {
				t.Errorf("modes %+v, before %+v, %v", after, before, err)
			}
			buf := make([]byte, 64)
			if n, err := ours.Read(buf); err != nil || !bytes.HasSuffix(buf[:n], []byte(erase)) {
				t.Errorf("then %q, %v", buf[:n], err)
			}
			if _, err := term.MakeRaw(int(theirs.Fd())); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(ours, c.later); err != nil {
				t.Fatal(err)
			}
			var rest []byte
			for len(rest) < len(c.rest) {
				n, err := a.Input.Read(buf)
				if err != nil {
					t.Fatal(err)
				}
				rest = append(rest, buf[:n]...)
			}
			if string(rest) != c.rest {
				t.Errorf("read %q later, want %q", rest, c.rest)
			}
		})
	}
}

func TestATerminalTooNarrowForTheQuestionIsNotAsked(t *testing.T) {
	ours, theirs := terminalPair(t)
	if err := unix.IoctlSetWinsize(int(ours.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: askColumn + 2, Row: 24}); err != nil {
		t.Fatal(err)
	}
	s := NewScreen(theirs, true)
	if a, err := s.Ask(context.Background(), theirs, time.Minute); err != nil || a.Cells != 0 || s.Bytes() != 0 {
		t.Errorf("%+v, %v, %d bytes", a, err, s.Bytes())
	}
}
