package term

// Title names the terminal's window, which is asked to remember the name that it had, and to take it back at the end. The text must be free of control
// characters.
func (s *Screen) Title(text string) {
	sequence := "\x1b]2;" + text + "\x07"
	if s.titled.CompareAndSwap(false, true) {
		sequence = "\x1b[22;0t" + sequence
	}
	_, _ = s.put([]byte(sequence), false, false)
}

// untitle is what gives the window its name back; empty where it has it.
func (s *Screen) untitle() string {
	if s.titled.CompareAndSwap(true, false) {
		return "\x1b[23;0t"
	}
	return ""
}
