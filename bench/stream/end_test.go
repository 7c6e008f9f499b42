package stream

import (
	"context"
	"io"
	"strings"
	"testing"

	"redline/bench"
)

// cutAt feeds a body in two reads, cut there, and stops where a client stops.
func cutAt(body string, at int, err error) bench.Ended {
	p := New(Options{})
	for _, part := range []string{body[:at], body[at:]} {
		if p.Feed([]byte(part), ms); p.Done() {
			break
		}
	}
	p.Close(2*ms, err)
	var e bench.Ended
	p.Fill(&e)
	e.Counts.Chunks, e.Counts.FirstEvents = 0, 0
	return e
}

func TestWhatFollowsAnEndCountsForNothingWhereverTheReadsAreCut(t *testing.T) {
	fault := data(`{"error":{"message":"upstream gone","code":502}}`)
	for _, tt := range []struct{ name, body string }{
		{"[DONE] behind an error", role + text("a") + fault + done},
		{"usage behind an error", role + text("a") + fault + usage3 + done},
		{"text behind an error", role + text("a") + fault + text("b") + text("c") + done},
		{"a finish reason behind an error", role + text("a") + fault + stop},
		{"what cannot be read behind an error", role + text("a") + fault + "data: {oops\n\n"},
		{"an event over several lines behind an error", role + text("a") + fault + "data: {\"choices\":\ndata: []}\n\n"},
		{"an error bare in the stream", role + text("a") + "{\"error\":\"gone\"}\n" + text("b")},
		{"two errors on one line", role + text("a") + `data: {"error":"x"}{"choices":[{"delta":{"content":"b"}}]}` + "\n\n" + text("c")},
		{"usage behind [DONE]", role + text("a") + done + usage3},
		{"text behind the end of a message", text("a") + message("message_stop", "") + text("b")},
	} {
		for _, err := range []error{nil, io.EOF, io.ErrUnexpectedEOF} {
			want := cutAt(tt.body, 0, err)
			if want.Counts.Events != 1 || want.Counts.Output != 1 || want.Counts.Input != 0 || want.Counts.Malformed != 0 {
				t.Errorf("%s: %+v", tt.name, want.Counts)
			}
			for at := range tt.body {
				got := cutAt(tt.body, at, err)
				if got.Outcome != want.Outcome || got.Message != want.Message || got.Counts != want.Counts || got.Finish != want.Finish || got.Head != want.Head {
					t.Fatalf("%s, cut at %d:\n got %v %q %+v %q\nwant %v %q %+v %q", tt.name, at,
						got.Outcome, got.Message, got.Counts, got.Head, want.Outcome, want.Message, want.Counts, want.Head)
				}
			}
		}
	}
}

func TestALineThatACutBreaksOffIsNotMalformed(t *testing.T) {
	whole := strings.TrimSpace(text("b"))
	for _, tt := range []struct {
		name, body        string
		err               error
		events, malformed int
		outcome           bench.Outcome
	}{
		{"cancelled in mid-line", text("a") + whole[:len(whole)-9], context.Canceled, 1, 0, bench.Truncated},
		{"cut in mid-line", text("a") + whole[:len(whole)-9], io.ErrUnexpectedEOF, 1, 0, bench.Truncated},
		{"cut in [DONE]", text("a") + "data: [DO", io.ErrUnexpectedEOF, 1, 0, bench.Truncated},
		{"cut in usage behind the finish", text("a") + stop + `data: {"choices":[],"usage":{"prompt_tok`, io.ErrUnexpectedEOF, 1, 0, bench.OK},
		{"cut in an event over several lines", text("a") + "data: {\"choices\":\ndata: [", io.ErrUnexpectedEOF, 1, 0, bench.Truncated},
		{"cut behind a line that lacks nothing but its end", text("a") + whole, io.ErrUnexpectedEOF, 2, 0, bench.Truncated},
		{"cut behind such a finish reason", text("a") + strings.TrimSpace(stop), io.ErrUnexpectedEOF, 1, 0, bench.OK},
		{"cut behind such a [DONE]", text("a") + "data: [DONE]", io.ErrUnexpectedEOF, 1, 0, bench.OK},
		{"cut behind such an error, bare in the stream", text("a") + `{"error":"gone"}`, io.ErrUnexpectedEOF, 1, 0, bench.StreamError},
		{"ended by the server in mid-line", text("a") + whole[:len(whole)-9], io.EOF, 1, 1, bench.Truncated},
		{"cut in a line that was too long by then", text("a") + "data: {\"x\":\"" + strings.Repeat("x", MaxLine), io.ErrUnexpectedEOF, 1, 1, bench.Truncated},
		{"a bad line before the cut", text("a") + "data: {oops\n\n" + whole[:9], io.ErrUnexpectedEOF, 1, 1, bench.Truncated},
	} {
		e := cutAt(tt.body, 0, tt.err)
		if e.Counts.Events != tt.events || e.Counts.Malformed != tt.malformed || e.Outcome != tt.outcome {
			t.Errorf("%s: %v, %+v", tt.name, e.Outcome, e.Counts)
		}
	}
}
