package main

import (
	"log"
	"strings"
	"testing"
)

func TestLibrariesAreToldWithoutSecretsAndControlCharacters(t *testing.T) {
	before := log.Writer()
	l := listen()
	log.Printf("Unsolicited response starting with %q", "Bearer sk-secret-123\x1b[2J")
	log.Print("bad\x1b[2Jline")
	l.release()
	if log.Writer() != before {
		t.Error("the log was not given back")
	}
	var out strings.Builder
	l.tell(&out, "stray sk-secret-123", func(s string) string { return strings.ReplaceAll(s, "sk-secret-123", "***") })
	text := out.String()
	if strings.Count(text, "redline: a library says: ") != 3 || strings.Contains(text, "sk-secret") || strings.Contains(text, "\x1b") || !strings.Contains(text, "***") {
		t.Errorf("told:\n%s", text)
	}
}
