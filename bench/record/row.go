package record

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"redline/bench"
)

// row is a record as it is written. What is zero is counted as written only once something else follows.
type row struct {
	b []byte
	// end is behind the last column that is not zero, any tells whether there is a column yet.
	end int
	any bool
}

func (r *row) next() {
	if r.any {
		r.b = append(r.b, ',')
	}
	r.any = true
}

func (r *row) uint(n uint64) {
	r.next()
	r.b = strconv.AppendUint(r.b, n, 10)
	if n != 0 {
		r.end = len(r.b)
	}
}

func (r *row) int(n int) {
	r.next()
	r.b = strconv.AppendInt(r.b, int64(n), 10)
	if n != 0 {
		r.end = len(r.b)
	}
}

func (r *row) flag(f bool) {
	n := 0
	if f {
		n = 1
	}
	r.int(n)
}

func (r *row) float(v float64) {
	r.next()
	if v != v || math.IsInf(v, 0) {
		v = 0
	}
	r.b = strconv.AppendFloat(r.b, v, 'g', -1, 64)
	if v != 0 {
		r.end = len(r.b)
	}
}

func (r *row) duration(d time.Duration) {
	r.next()
	r.b = appendMicros(r.b, d)
	if d != 0 {
		r.end = len(r.b)
	}
}

func (r *row) mark(m bench.Mark, from time.Duration) {
	r.next()
	if !m.OK {
		r.b = append(r.b, "null"...)
		return
	}
	r.b = appendMicros(r.b, m.At-from)
	r.end = len(r.b)
}

// text writes words; what is not UTF-8 in base64, in an array of its own, so that it comes back as it was.
func (r *row) text(s string) {
	r.next()
	if r.b = appendText(r.b, s); s != "" {
		r.end = len(r.b)
	}
}

func (r *row) json(v any) {
	r.next()
	text, err := json.Marshal(v)
	if err != nil {
		text = []byte("null")
	}
	r.b = append(r.b, text...)
	r.end = len(r.b)
}

// none leaves a column out.
func (r *row) none() {
	r.next()
	r.b = append(r.b, "null"...)
}

// appendRest appends the columns that few requests have.
func appendRest(r *row, e *bench.Ended, from time.Duration) {
	m, n, p := &e.Marks, &e.Counts, &e.Prompt
	r.mark(e.Scheduled, from)
	if m.Scheduled == e.Scheduled {
		r.none()
	} else {
		r.json([]any{m.Scheduled.OK, int64(m.Scheduled.At)})
	}
	r.int(n.Cached)
	r.int(n.Hidden)
	r.int(n.Reasoning)
	r.int(e.Stalls)
	r.flag(e.Burst)
	r.int(p.Work)
	r.int(p.Turn)
	r.uint(p.Conversation)
	r.flag(p.KeepAnswer)
	r.int(n.Malformed)
	r.duration(e.Connect.DNS)
	r.duration(e.Connect.TCP)
	r.duration(e.Connect.TLS)
	r.duration(e.RetryAfter)
	r.text(e.Message)
	r.text(e.Head)
	if e.Timings == (bench.Timings{}) {
		r.none()
	} else {
		t := &e.Timings
		r.json([]any{t.PromptMs, t.PredictedMs, t.PromptN, t.PredictedN, t.OK})
	}
	if e.Gaps.IsZero() {
		r.none()
	} else {
		r.next()
		r.b = e.Gaps.AppendJSON(r.b)
		r.end = len(r.b)
	}
	r.text(p.Text)
	r.text(e.Reply)
	if len(e.Header) > 0 {
		r.json(e.Header)
	}
}

// appendMicros appends a length of time in microseconds, with a fraction where it is finer.
func appendMicros(b []byte, d time.Duration) []byte {
	us, ns := int64(d)/1000, int64(d)%1000
	if ns == 0 {
		return strconv.AppendInt(b, us, 10)
	}
	if ns < 0 {
		if ns = -ns; us == 0 {
			b = append(b, '-')
		}
	}
	b = strconv.AppendInt(b, us, 10)
	b = append(b, '.', byte('0'+ns/100), byte('0'+ns/10%10), byte('0'+ns%10))
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return b
}

// appendText appends words as a JSON string, or in an array in base64 where they are not UTF-8.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf || c == '<' || c == '>' || c == '&' {
			return appendStrange(b, s)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func appendStrange(b []byte, s string) []byte {
	if utf8.ValidString(s) {
		text, _ := json.Marshal(s) // a string
		return append(b, text...)
	}
	b = append(b, '[', '"')
	b = base64.StdEncoding.AppendEncode(b, []byte(s))
	return append(b, '"', ']')
}
