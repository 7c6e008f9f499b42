package style

import (
	"fmt"
	"strings"
)

// Profile is how much colour a terminal is given.
type Profile uint8

const (
	// None writes text only: no terminal, or TERM=dumb.
	None Profile = iota
	// Attrs writes bold, faint, underline and reverse, and no colour: NO_COLOR forbids colour, not emphasis.
	Attrs
	// ANSI16, ANSI256 and True write that many colours.
	ANSI16
	ANSI256
	True
)

// String is the profile's name.
func (p Profile) String() string {
	if p > True {
		return "profile?"
	}
	return [...]string{"text", "none", "16", "256", "true"}[p]
}

// Choice is what the user asks for.
type Choice uint8

const (
	// Auto leaves it to the environment.
	Auto Choice = iota
	// NoColour to TrueColour are the profiles of that name, where there is a terminal at all.
	NoColour
	Colours16
	Colours256
	TrueColour
)

var choiceNames = [...]string{"auto", "none", "16", "256", "true"}

// String is the choice as the flag takes it.
func (c Choice) String() string { return choiceNames[c%5] }

// ParseChoice reads auto, none, 16, 256 or true.
func ParseChoice(s string) (Choice, error) {
	for i, name := range choiceNames {
		if strings.EqualFold(strings.TrimSpace(s), name) {
			return Choice(i), nil
		}
	}
	return Auto, fmt.Errorf("colour %q: want auto, true, 256, 16 or none", s)
}

// Decide is the profile for a terminal. A choice beats the environment. By itself: no terminal or TERM=dumb → None; NO_COLOR → Attrs;
// else what COLORTERM and TERM promise. env gives "" for what is not set, as os.Getenv does.
func Decide(choice Choice, env func(string) string, tty bool) Profile {
	switch choice {
	case Colours16:
		return ANSI16
	case Colours256:
		return ANSI256
	case TrueColour:
		return True
	}
	term := strings.ToLower(env("TERM"))
	windows := env("OS") == "Windows_NT"
	switch {
	case !tty || term == "dumb":
		return None
	case choice == NoColour || env("NO_COLOR") != "":
		return Attrs
	case term == "" && !windows:
		return None
	}
	return depth(term, strings.ToLower(env("COLORTERM")), env, windows)
}

// trueTerms are terminals whose name alone promises 24-bit colour; COLORTERM is often lost over ssh.
var trueTerms = []string{"alacritty", "contour", "foot", "ghostty", "kitty", "rio", "wezterm"}

func depth(term, colorterm string, env func(string) string, windows bool) Profile {
	// GNU screen garbles 24-bit sequences and says TERM=screen…, and so does tmux by default; tmux names itself in TMUX.
	screen := strings.HasPrefix(term, "screen") && env("TMUX") == ""
	switch {
	case screen && strings.Contains(term, "256color"):
		return ANSI256
	case screen:
		return ANSI16
	case colorterm == "truecolor" || colorterm == "24bit" || strings.HasSuffix(term, "-direct"):
		return True
	case windows && env("WT_SESSION") != "":
		return True
	}
	for _, name := range trueTerms {
		if strings.Contains(term, name) {
			return True
		}
	}
	if strings.Contains(term, "256color") || windows && term == "" || colorterm != "" {
		return ANSI256
	}
	return ANSI16
}
