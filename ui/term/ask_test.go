package term

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/muesli/cancelreader"
)

// line is a terminal that sends what it is told, each after a time.
type line struct {
	sends chan string
	over  chan struct{}
	ended bool
}

func newLine(sends []piece) *line {
	l := &line{sends: make(chan string), over: make(chan struct{})}
	go func() {
		for _, s := range sends {
			select {
			case <-time.After(s.after):
			case <-l.over:
				return
			}
			select {
			case l.sends <- s.text:
			case <-l.over:
				return
			}
		}
	}()
	return l
}

type piece struct {
	after time.Duration
	text  string
}

func (l *line) Read(p []byte) (int, error) {
	select {
	case text := <-l.sends:
		if text == "hang up" {
			return 0, io.EOF
		}
		return copy(p, text), nil
	case <-l.over:
		return 0, cancelreader.ErrCanceled
	}
}

func (l *line) Cancel() bool {
	if !l.ended {
		l.ended = true
		close(l.over)
	}
	return true
}

func TestTheTerminalIsListenedToForAWhile(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		why   string
		sends []piece
		cells Cells
		typed string
		held  string
		took  time.Duration
		err   error
	}{
		{"one cell", []piece{{20 * ms, "\x1b[7;18R"}}, 1, "", "", 20 * ms, nil},
		{"two cells", []piece{{20 * ms, "\x1b[7;19R"}}, 2, "", "", 20 * ms, nil},
		{"keys around it", []piece{{10 * ms, "+"}, {10 * ms, "\x03\x1b[7;18R-"}}, 1, "+\x03-", "", 20 * ms, nil},
		{"in pieces", []piece{{10 * ms, "\x1b"}, {10 * ms, "[7"}, {10 * ms, ";18R"}}, 1, "", "", 30 * ms, nil},
		{"garbage", []piece{{10 * ms, "\x1b[?7;18R\xff"}}, 0, "\x1b[?7;18R\xff", "", 300 * ms, nil},
		{"nothing", nil, 0, "", "", 300 * ms, nil},
		{"a half is kept for the other", []piece{{10 * ms, "\x1b[7;1"}, {time.Second, "8R"}}, 0, "", "\x1b[7;1", 300 * ms, nil},
		{"too late", []piece{{301 * ms, "\x1b[7;18R"}}, 0, "", "", 300 * ms, nil},
		{"escape is a key when nothing follows", []piece{{10 * ms, "\x1b"}}, 0, "\x1b", "", 300 * ms, nil},
		{"a key held down does not prolong it", []piece{{100 * ms, "+"}, {100 * ms, "+"}, {90 * ms, "+"}, {100 * ms, "+"}}, 0, "+++", "", 300 * ms, nil},
		{"a terminal that hangs up", []piece{{10 * ms, "hang up"}}, 0, "", "", 10 * ms, io.EOF},
	} {
		synctest.Test(t, func(t *testing.T) {
			l, began := newLine(c.sends), time.Now()
			defer l.Cancel()
			var r report
			typed, err := listen(t.Context(), l, &r, 300*ms)
			if took := time.Since(began); took != c.took {
				t.Errorf("%s: took %v, want %v", c.why, took, c.took)
			}
			if string(typed) != c.typed || string(r.held) != c.held || r.cells() != c.cells || !errors.Is(err, c.err) {
				t.Errorf("%s: typed %q, held %q, %d cells, %v", c.why, typed, r.held, r.cells(), err)
			}
		})
	}
}

func TestNobodyListensWhenTheProgramIsToEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		began := time.Now()
		var r report
		if _, err := listen(ctx, newLine(nil), &r, time.Second); err != nil || time.Since(began) != 50*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func TestOnlyADoubtfulTerminalIsAsked(t *testing.T) {
	chinese := env{"TERM": "xterm-256color", "LC_ALL": "zh_CN.UTF-8"}
	with := func(key, value string) env {
		e := env{key: value}
		for k, v := range chinese {
			if k != key {
				e[k] = v
			}
		}
		return e
	}
	for _, c := range []struct {
		why, goos string
		env       env
		tty, asks bool
	}{
		{"Chinese", "linux", chinese, true, true},
		{"Japanese in tmux", "linux", env{"TERM": "screen", "TMUX": "x", "LANG": "ja_JP.UTF-8"}, true, true},
		{"Korean on a Mac", "darwin", env{"TERM": "xterm", "LC_CTYPE": "ko_KR.UTF-8"}, true, true},
		{"English", "linux", with("LC_ALL", "en_US.UTF-8"), true, false},
		{"no terminal", "linux", chinese, false, false},
		{"a dumb one", "linux", with("TERM", "dumb"), true, false},
		{"the console", "linux", with("TERM", "linux"), true, false},
		{"another character set", "linux", with("LC_ALL", "zh_CN.GB18030"), true, false},
		{"known to be narrow", "linux", with("RUNEWIDTH_EASTASIAN", "0"), true, false},
		{"known to be wide", "linux", with("RUNEWIDTH_EASTASIAN", "1"), true, false},
		{"Windows", "windows", chinese, true, false},
	} {
		if got := Look(c.env.get, c.goos, c.tty).Asks(); got != c.asks {
			t.Errorf("%s: asks %v", c.why, got)
		}
	}
	if (Facts{}).Patience() != 300*time.Millisecond || (Facts{SSH: true}).Patience() != time.Second {
		t.Error("patience", Facts{}.Patience(), Facts{SSH: true}.Patience())
	}
}
