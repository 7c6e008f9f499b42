package main

import (
	"io"
	"strings"

	"redline/ui/style"
)

// asciiWords writes text in ASCII, as the screen does: what is told after it goes to the same terminal.
type asciiWords struct{ io.Writer }

// Write writes whole lines; a character must not be cut in two by its caller.
func (w asciiWords) Write(p []byte) (int, error) {
	set := style.Set{Glyphs: style.ASCII}
	lines := strings.Split(string(p), "\n")
	for i, line := range lines {
		lines[i] = set.Plain(line)
	}
	if _, err := io.WriteString(w.Writer, strings.Join(lines, "\n")); err != nil {
		return 0, err
	}
	return len(p), nil
}

// words is where lines and the summary go.
func (r *session) words() io.Writer {
	if r.ascii {
		return asciiWords{r.Stdout}
	}
	return r.Stdout
}
