package term

import "testing"

type env map[string]string

func (e env) get(key string) string { return e[key] }

func TestFactsFollowTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		why, goos string
		env       env
		tty       bool
		want      Facts
	}{
		{"an ordinary terminal", "linux", env{"TERM": "xterm-256color", "LANG": "en_US.UTF-8"}, true, Facts{TTY: true, UTF8: true}},
		{"over ssh", "linux", env{"TERM": "xterm", "LANG": "C.UTF-8", "SSH_CONNECTION": "a b c d"}, true, Facts{TTY: true, SSH: true, UTF8: true}},
		{"over ssh, seen from its terminal", "linux", env{"TERM": "xterm", "LANG": "C.utf8", "SSH_TTY": "/dev/pts/1"}, true,
			Facts{TTY: true, SSH: true, UTF8: true}},
		{"in tmux", "linux", env{"TERM": "screen-256color", "TMUX": "/tmp/tmux-0/default,1,0", "LANG": "de_DE.UTF-8"}, true,
			Facts{TTY: true, Mux: Tmux, UTF8: true}},
		{"in GNU screen", "linux", env{"TERM": "screen", "STY": "1.pts", "LANG": "de_DE.UTF-8@euro"}, true, Facts{TTY: true, Mux: GNUScreen, UTF8: true}},
		{"another character set", "linux", env{"TERM": "xterm", "LANG": "de_DE.ISO-8859-1"}, true, Facts{TTY: true}},
		{"LC_ALL rules", "linux", env{"TERM": "xterm", "LC_ALL": "de_DE.ISO-8859-1", "LC_CTYPE": "C.UTF-8", "LANG": "C.UTF-8"}, true, Facts{TTY: true}},
		{"then LC_CTYPE", "darwin", env{"TERM": "xterm", "LC_CTYPE": "UTF-8", "LANG": "C"}, true, Facts{TTY: true, UTF8: true}},
		{"no locale says nothing", "linux", env{"TERM": "xterm"}, true, Facts{TTY: true, UTF8: true}},
		{"C says nothing", "linux", env{"TERM": "xterm", "LC_ALL": "C"}, true, Facts{TTY: true, UTF8: true}},
		{"the console without a locale", "linux", env{"TERM": "linux"}, true, Facts{TTY: true, Console: true}},
		{"the console with one", "linux", env{"TERM": "linux", "LANG": "C.UTF-8"}, true, Facts{TTY: true, Console: true, UTF8: true}},
		{"a dumb terminal", "linux", env{"TERM": "dumb"}, true, Facts{TTY: true, Dumb: true}},
		{"a pipe", "linux", env{"TERM": "xterm", "LANG": "C.UTF-8"}, false, Facts{UTF8: true}},
		{"Windows", "windows", env{}, true, Facts{TTY: true, UTF8: true, Windows: true}},
		{"Japanese", "linux", env{"TERM": "xterm", "LANG": "ja_JP.UTF-8"}, true, Facts{TTY: true, UTF8: true, Wide: true, Guessed: true}},
		{"Japanese, known to be narrow", "linux", env{"TERM": "xterm", "LANG": "ja_JP.UTF-8", "RUNEWIDTH_EASTASIAN": "0"}, true, Facts{TTY: true, UTF8: true}},
		{"known to be wide", "linux", env{"TERM": "xterm", "LANG": "C.UTF-8", "RUNEWIDTH_EASTASIAN": "1"}, true, Facts{TTY: true, UTF8: true, Wide: true}},
		{"a language whose name begins alike", "linux", env{"TERM": "xterm", "LANG": "kok_IN.UTF-8"}, true, Facts{TTY: true, UTF8: true}},
	} {
		if got := Look(c.env.get, c.goos, c.tty); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.why, got, c.want)
		}
	}
}

func TestFactsDecide(t *testing.T) {
	for _, c := range []struct {
		why          string
		facts        Facts
		fps          int
		ascii, plain bool
	}{
		{"an ordinary terminal", Facts{TTY: true, UTF8: true}, 4, false, false},
		{"over ssh", Facts{TTY: true, UTF8: true, SSH: true}, 2, false, false},
		{"no UTF-8", Facts{TTY: true}, 4, true, false},
		{"ambiguous widths", Facts{TTY: true, UTF8: true, Wide: true}, 4, true, false},
		{"no terminal", Facts{UTF8: true}, 4, false, true},
		{"a dumb one", Facts{TTY: true, Dumb: true}, 4, true, true},
	} {
		if f := c.facts; f.FPS() != c.fps || f.ASCII() != c.ascii || f.Plain() != c.plain {
			t.Errorf("%s: %d fps, ASCII %v, plain %v", c.why, f.FPS(), f.ASCII(), f.Plain())
		}
	}
}
