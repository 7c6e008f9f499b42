package workload

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// endless begins as a file does, goes on with the same for ever, and tells each time that it is read from.
type endless struct {
	head  string
	again byte
	told  func(reads int)
	reads int
}

func (e *endless) Read(p []byte) (int, error) {
	e.reads++
	e.told(e.reads)
	n := copy(p, e.head)
	e.head = e.head[n:]
	for i := n; i < len(p); i++ {
		p[i] = e.again
	}
	return len(p), nil
}

// withoutEnd are files of which no row, or no end of a row, ever comes.
var withoutEnd = []struct {
	sentence string
	endless
	line string
}{
	{"a hole behind the first line", endless{head: "{\"prompt\":\"a\"}\n"}, "line 2"},
	{"blank lines", endless{head: "{\"prompt\":\"a\"}\n", again: '\n'}, "line 2097139"},
	{"an element that is not closed", endless{head: "[\"a\",\n\"", again: 'b'}, "line 2"},
	{"white space in an array", endless{head: "[\"a\",\n", again: ' '}, "line 2"},
	{"a trace's line", endless{head: "TIMESTAMP,ContextTokens,GeneratedTokens\n1,2,3\n", again: '4'}, "line 3"},
}

func TestReadingStopsWhenTheContextEnds(t *testing.T) {
	for _, row := range withoutEnd {
		ctx, cancel := context.WithCancel(t.Context())
		from := row.endless
		from.told = func(reads int) {
			if reads == 40 {
				cancel()
			}
		}
		_, err := readRows(ctx, &from, &Spec{}, usual)
		if !errors.Is(err, context.Canceled) || from.reads != 40 {
			t.Errorf("%s: %v after %d reads; want the context's error after 40", row.sentence, err, from.reads)
		}
		cancel()
	}
}

func TestAFileWithoutEndIsNotReadForEver(t *testing.T) {
	for _, row := range withoutEnd {
		from := row.endless
		from.told = func(reads int) {
			if reads > 100 {
				t.Fatalf("%s: it is read on and on", row.sentence)
			}
		}
		_, err := readRows(t.Context(), &from, &Spec{}, bounds{rows: 100, bytes: 1 << 20, read: 2 << 20})
		if err == nil || !strings.Contains(err.Error(), row.line) || !strings.Contains(err.Error(), "2.097 MB") {
			t.Errorf("%s: %v; want an error of %s after 2 MB", row.sentence, err, row.line)
		}
	}
}

// last cancels with the end of a file.
type last struct {
	io.Reader
	cancel func()
}

func (l last) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if err != nil {
		l.cancel()
	}
	return n, err
}

func TestCountingStopsWhenTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := &reader{ctx: ctx, spec: &Spec{}, table: &table{}, within: usual}
	from := newLines(last{strings.NewReader(strings.Repeat("{\"prompt\":\"a b c\"}\n", 50)), cancel})
	if err := r.lines(from, r.chatLine); err != nil || len(r.uncounted) != 50 {
		t.Fatalf("%d rows, %v", len(r.uncounted), err)
	}
	r.count()
	if len(r.table.chats) != 0 {
		t.Errorf("%d rows are counted after the end", len(r.table.chats))
	}
}

func TestAnEndedContextOpensNoFile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, text := range []string{"testdata/chat.jsonl", "testdata/sharegpt.json", "testdata/azure2023.csv", "in=hist(" + file(t, "lengths", "5,1\n") + ")"} {
		spec, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(ctx, spec, 1); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "jsonl is") || strings.Contains(err.Error(), "a line is") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
