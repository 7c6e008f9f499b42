package selftest

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// stampsOf are the stamps of a text that is read in pieces of the given lengths, and then in one.
func stampsOf(text string, lengths ...int) (all []int64) {
	var s Stamps
	rest := []byte(text)
	for _, n := range lengths {
		n = min(max(n, 0), len(rest))
		s.Read(rest[:n], func(sent int64) { all = append(all, sent) })
		rest = rest[n:]
	}
	s.Read(rest, func(sent int64) { all = append(all, sent) })
	return all
}

func TestStampsAreFoundHoweverTheyAreCut(t *testing.T) {
	const one, two = "1796029980923605347", "1796029980923605348"
	for _, row := range []struct {
		sentence, text string
		want           []int64
	}{
		{"no bytes", "", nil},
		{"a token", head + one + tail, []int64{1796029980923605347}},
		{"two tokens", head + one + tail + head + two + tail, []int64{1796029980923605347, 1796029980923605348}},
		{"the end of a stream", head + one + tail + last, []int64{1796029980923605347}},
		{"a mark without a stamp", `"sent":"sent":` + one, []int64{1796029980923605347}},
		{"a stamp that is cut off", head + one[:18], nil},
		{"digits of something else", `"sent":12345678901234567x9`, nil},
		{"more than any instant", `"sent":9999999999999999999`, nil},
	} {
		if got := stampsOf(row.text); !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", row.sentence, got, row.want)
		}
		for cut := range len(row.text) {
			for _, more := range []int{1, 3, 25, 26, 27, 200} {
				if got := stampsOf(row.text, cut, more); !slices.Equal(got, row.want) {
					t.Fatalf("%s, cut at %d and %d behind it: %v, want %v", row.sentence, cut, more, got, row.want)
				}
			}
		}
		if got := stampsOf(row.text, slices.Repeat([]int{1}, len(row.text))...); !slices.Equal(got, row.want) {
			t.Errorf("%s, byte by byte: %v, want %v", row.sentence, got, row.want)
		}
	}
}

func TestAStampIsReadBackAsItWasWritten(t *testing.T) {
	at := time.Unix(1796029980, 7)
	b := []byte(`"sent":` + strings.Repeat("x", digits))
	putStamp(b[len(mark):], at)
	if got := stampsOf(string(b)); len(got) != 1 || got[0] != at.UnixNano() {
		t.Errorf("%s: %v", b, got)
	}
}

func FuzzStamps(f *testing.F) {
	f.Add(head+"1796029980923605347"+tail, 150, 20)
	f.Add(`"sent":"sent":1796029980923605347`, 3, 8)
	f.Add(`"se"sent":0000000000000000000`, 3, 1)
	f.Fuzz(func(t *testing.T, text string, a, b int) {
		whole := stampsOf(text)
		if got := stampsOf(text, a, b); !slices.Equal(got, whole) {
			t.Errorf("%q cut at %d and %d: %v, want %v", text, a, b, got, whole)
		}
		for _, sent := range whole {
			if sent < 0 {
				t.Errorf("%q: stamp %d", text, sent)
			}
		}
	})
}
