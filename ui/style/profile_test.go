package style

import "testing"

func TestDecideProfile(t *testing.T) {
	type env map[string]string
	for _, c := range []struct {
		why    string
		choice Choice
		env    env
		tty    bool
		want   Profile
	}{
		{"no terminal", Auto, env{"TERM": "xterm-256color"}, false, None},
		{"a dumb terminal", Auto, env{"TERM": "dumb"}, true, None},
		{"a dumb terminal under NO_COLOR", Auto, env{"TERM": "dumb", "NO_COLOR": "1"}, true, None},
		{"NO_COLOR keeps attributes", Auto, env{"TERM": "xterm-256color", "NO_COLOR": "1", "COLORTERM": "truecolor"}, true, Attrs},
		{"an empty NO_COLOR is not set", Auto, env{"TERM": "xterm-256color", "NO_COLOR": ""}, true, ANSI256},
		{"a terminal without a name", Auto, env{}, true, None},
		{"COLORTERM promises all", Auto, env{"TERM": "xterm-256color", "COLORTERM": "truecolor"}, true, True},
		{"24bit is the other word for it", Auto, env{"TERM": "xterm", "COLORTERM": "24bit"}, true, True},
		{"a name that promises all, over ssh", Auto, env{"TERM": "xterm-kitty"}, true, True},
		{"256 by name", Auto, env{"TERM": "xterm-256color"}, true, ANSI256},
		{"plain xterm", Auto, env{"TERM": "xterm"}, true, ANSI16},
		{"the console of Linux", Auto, env{"TERM": "linux"}, true, ANSI16},
		{"GNU screen garbles 24 bits", Auto, env{"TERM": "screen-256color", "COLORTERM": "truecolor"}, true, ANSI256},
		{"old GNU screen", Auto, env{"TERM": "screen", "COLORTERM": "truecolor"}, true, ANSI16},
		{"tmux under screen's name does not", Auto, env{"TERM": "screen-256color", "COLORTERM": "truecolor", "TMUX": "/tmp/x"}, true, True},
		{"tmux without a promise", Auto, env{"TERM": "tmux-256color", "TMUX": "/tmp/x"}, true, ANSI256},
		{"Windows Terminal", Auto, env{"OS": "Windows_NT", "WT_SESSION": "1"}, true, True},
		{"the Windows console", Auto, env{"OS": "Windows_NT"}, true, ANSI256},
		{"a choice beats NO_COLOR", TrueColour, env{"TERM": "xterm", "NO_COLOR": "1"}, true, True},
		{"a choice beats the lack of a terminal", Colours256, env{}, false, ANSI256},
		{"none keeps attributes", NoColour, env{"TERM": "xterm"}, true, Attrs},
		{"none without a terminal is text", NoColour, env{"TERM": "xterm"}, false, None},
	} {
		got := Decide(c.choice, func(k string) string { return c.env[k] }, c.tty)
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.why, got, c.want)
		}
	}
}

func TestChoiceReadsItsOwnNames(t *testing.T) {
	for c := Auto; c <= TrueColour; c++ {
		if got, err := ParseChoice(c.String()); err != nil || got != c {
			t.Errorf("%s reads as %s, %v", c, got, err)
		}
	}
	if _, err := ParseChoice("many"); err == nil {
		t.Error("many is no choice")
	}
}
