package term

import (
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestTheClipboardIsReachedThroughWhatStandsBetween(t *testing.T) {
	plain := "\x1b]52;c;Y3VybCAtTg==\x07"
	for _, c := range []struct {
		mux  Multiplexer
		want string
	}{
		{NoMux, plain},
		{Tmux, plain + "\x1bPtmux;\x1b" + plain + "\x1b\\"},
		{GNUScreen, "\x1bP" + plain + "\x1b\\"},
	} {
		if got := Clipboard("curl -N", c.mux); got != c.want {
			t.Errorf("%s: %q, want %q", c.mux, got, c.want)
		}
	}
	if n := len(Clipboard(strings.Repeat("x", ClipboardBytes), NoMux)); n > 100_000 {
		t.Errorf("the longest takes %d characters", n)
	}
}

// TestASequenceNeverTearsAFrame: what is passed goes between frames, whole, and is counted.
func TestASequenceNeverTearsAFrame(t *testing.T) {
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s := NewScreen(to, true)
	read := make(chan string)
	go func() {
		out, _ := io.ReadAll(from)
		read <- string(out)
	}()
	frame, sequence := strings.Repeat("f", 9000), "\x1b]52;c;"+strings.Repeat("A", 9000)+"\x07"
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			if i%4 == 0 {
				if err := s.Pass(sequence); err != nil {
					t.Error(err)
				}
				return
			}
			s.Write([]byte(frame))
		})
	}
	all.Wait()
	if !s.settle(time.Minute) {
		t.Fatal("a terminal that reads takes nothing")
	}
	to.Close()
	out := <-read
	if uint64(len(out)) != s.Bytes() {
		t.Errorf("%d bytes came, %d are counted", len(out), s.Bytes())
	}
	whole := beginSync + frame + endSync
	rest := strings.ReplaceAll(strings.ReplaceAll(out, whole, ""), sequence, "")
	if rest != "" || strings.Count(out, sequence) != 10 {
		t.Errorf("%d sequences are whole, and %d bytes are torn", strings.Count(out, sequence), len(rest))
	}
}
