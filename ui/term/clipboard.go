package term

import "github.com/aymanbagabas/go-osc52/v2"

// ClipboardBytes is the longest text that Clipboard can be trusted with: terminals take a sequence of 100,000 characters, a third of which is its coding.
const ClipboardBytes = 74_994

// Clipboard is the sequence that puts a text into the clipboard of the terminal at the far end, through what stands between. Whether the terminal
// obeys it cannot be known. tmux takes it for itself (set-clipboard on) or lets it pass (allow-passthrough on): either may be off, so that both ways are gone.
func Clipboard(text string, mux Multiplexer) string {
	s := osc52.New(text)
	switch mux {
	case Tmux:
		return s.String() + s.Tmux().String()
	case GNUScreen:
		return s.Screen().String()
	}
	return s.String()
}

// Pass sends a sequence whole, between two frames. It waits no longer than Write does for a terminal that takes nothing.
func (s *Screen) Pass(sequence string) error {
	_, err := s.put([]byte(sequence), false, false)
	return err
}
