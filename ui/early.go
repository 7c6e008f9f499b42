package ui

import (
	"context"
	"os"
	"regexp"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"redline/ui/term"
)

// ask asks the terminal how wide it draws, where that is to be asked, and gives the keys that were typed meanwhile. Who does not answer gets ASCII.
func (o *Options) ask(ctx context.Context, screen *term.Screen) []tea.Msg {
	in, ok := o.In.(*os.File)
	if !o.asks || !ok || !term.IsTerminal(in) {
		return nil
	}
	// What cannot be asked is not known, and that is no fault.
	answer, _ := screen.Ask(ctx, in, o.patience)
	o.ASCII = answer.Cells != 1
	o.In = answer.Input
	return keysOf(answer.Typed)
}

// sequence is what a key sends that is no character: dropped whole, since the half of it would be other keys.
var sequence = regexp.MustCompile(`^\x1b(\[[\x30-\x3f]*[\x20-\x2f]*([\x40-\x7e]|$)|O[\x20-\x7e]?|[^\x1b\[O])`)

// keysOf are the keys of bytes that were read before the screen library reads: characters, control characters and escape. The others are left out.
func keysOf(typed []byte) (out []tea.Msg) {
	for len(typed) > 0 {
		if at := sequence.FindIndex(typed); at != nil {
			typed = typed[at[1]:]
			continue
		}
		r, n := utf8.DecodeRune(typed)
		typed = typed[n:]
		switch {
		case r == utf8.RuneError:
		case r < ' ' && r != 0, r == 0x7f:
			out = append(out, tea.KeyMsg{Type: tea.KeyType(r)})
		case r == ' ':
			out = append(out, tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{r}})
		case r > ' ':
			out = append(out, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
	}
	return out
}

// inOrder brings messages one after the other.
func inOrder(all []tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, len(all))
	for i, msg := range all {
		cmds[i] = func() tea.Msg { return msg }
	}
	return tea.Sequence(cmds...)
}
