package stream

import (
	"bufio"
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/sashabaranov/go-openai"
)

// line240 is an event as vLLM writes it, about 240 bytes.
const line240 = `data: {"id":"chatcmpl-0f3b6c1d2e4a5b6c7d8e9f0a1b2c3d4e","object":"chat.completion.chunk","created":1732000000,"model":"Qwen/Qwen2.5-7B-Instruct","choices":[{"index":0,"delta":{"content":" token"},"logprobs":null,"finish_reason":null}]}` + "\n\n"

// One iteration of each benchmark is one event.

func BenchmarkParser(b *testing.B) {
	p := New(Options{Stall: time.Second})
	line := []byte(line240)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Feed(line, time.Duration(i)*time.Millisecond)
	}
}

// BenchmarkParserSplit has each event in two reads, so that every line goes through the carry buffer.
func BenchmarkParserSplit(b *testing.B) {
	p := New(Options{Stall: time.Second})
	line := []byte(line240)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Feed(line[:100], time.Duration(i)*time.Millisecond)
		p.Feed(line[100:], time.Duration(i)*time.Millisecond)
	}
}

// BenchmarkResponses is an event of the Responses dialect, its name on a line of its own.
func BenchmarkResponses(b *testing.B) {
	p := New(Options{Stall: time.Second})
	line := []byte(responseText(" token"))
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Feed(line, time.Duration(i)*time.Millisecond)
	}
}

// BenchmarkMessages is an event of the Messages dialect.
func BenchmarkMessages(b *testing.B) {
	p := New(Options{Stall: time.Second})
	line := []byte(block(`"type":"text_delta","text":" token"`))
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Feed(line, time.Duration(i)*time.Millisecond)
	}
}

// BenchmarkReadSliceScan is the least a reader can do: split lines and look for three keys, which text could fool.
func BenchmarkReadSliceScan(b *testing.B) {
	r := bufio.NewReader(&endless{text: []byte(line240)})
	b.SetBytes(int64(len(line240)))
	b.ReportAllocs()
	for b.Loop() {
		line, _ := r.ReadSlice('\n')
		_ = bytes.Contains(line, []byte(`"content":"`)) || bytes.Contains(line, []byte(`"reasoning_content":"`))
		_ = bytes.Contains(line, []byte(`"usage":{`)) || bytes.Contains(line, []byte(`"error":`))
		_, _ = r.ReadSlice('\n')
	}
}

// BenchmarkUnmarshal reads the event into go-openai's struct, as its stream does.
func BenchmarkUnmarshal(b *testing.B) {
	line := bytes.TrimSpace([]byte(line240)[5:])
	b.SetBytes(int64(len(line240)))
	b.ReportAllocs()
	for b.Loop() {
		var r openai.ChatCompletionStreamResponse
		if err := json.Unmarshal(line, &r); err != nil {
			b.Fatal(err)
		}
	}
}

// endless repeats a text.
type endless struct {
	text []byte
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}
