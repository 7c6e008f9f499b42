package main

import (
	"strings"
	"testing"
)

func TestATerminalThatIsGivenBackInHasteHasItsAlternateScroll(t *testing.T) {
	_, after, found := strings.Cut(leaveSequence, "\x1b[?1007h")
	if !found || !strings.HasPrefix(after, "\x1b[?1007r") {
		t.Errorf("want alternate scroll on, then as it was: %q", leaveSequence)
	}
}
