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

// Pass sends a sequence whole, between two frames. It waits as Write does, as long as the terminal takes nothing: call it off the screen's loop.
func (s *Screen) Pass(sequence string) error {
	s.write.Lock()
	defer s.write.Unlock()
	s.since.Store(int64(s.now().Sub(s.base)) + 1)
	defer s.since.Store(0)
	n, err := s.File.WriteString(sequence)
	s.bytes.Add(uint64(n))
	return err
}
