package bench

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

// IsZero tells whether the list holds nothing.
func (g GapList) IsZero() bool { return len(g.bytes) == 0 && g.pending == 0 && !g.told && !g.untold }

// AppendJSON appends the list as an array: its varints in base64, 1 if the server counted tokens plus 2 if it did not always, how many chunks an entry stands for,
// and of an entry that is not full how many chunks it has, their gap in nanoseconds, their events and tokens. What is 0 at its end is left out.
func (g *GapList) AppendJSON(b []byte) []byte {
	b = append(b, '[', '"')
	b = base64.StdEncoding.AppendEncode(b, g.bytes)
	b = append(b, '"')
	flags := 0
	if g.told {
		flags |= 1
	}
	if g.untold {
		flags |= 2
	}
	end := len(b)
	for _, n := range [...]int{flags, g.thin, g.pending, int(g.gap), g.events, g.tokens} {
		b = strconv.AppendInt(append(b, ','), int64(n), 10)
		if n != 0 {
			end = len(b)
		}
	}
	return append(b[:end], ']')
}

// MarshalJSON is the list as AppendJSON writes it.
func (g GapList) MarshalJSON() ([]byte, error) { return g.AppendJSON(nil), nil }

var errGaps = errors.New("no list of gaps: want varints in base64, flags, chunks an entry, and what is pending")

// UnmarshalJSON reads what AppendJSON writes.
func (g *GapList) UnmarshalJSON(text []byte) error {
	*g = GapList{}
	if string(text) == "null" {
		return nil
	}
	var all []json.RawMessage
	if json.Unmarshal(text, &all) != nil || len(all) == 0 {
		return errGaps
	}
	var data []byte
	if json.Unmarshal(all[0], &data) != nil {
		return errGaps
	}
	var n [6]int64
	for i, word := range all[1:] {
		if i >= len(n) {
			break
		}
		if json.Unmarshal(word, &n[i]) != nil || n[i] < 0 {
			return errGaps
		}
	}
	const many = 1 << 40
	if len(data) > GapBytes+3*binary.MaxVarintLen64 || n[0] > 3 || max(n[1], n[2], n[4], n[5]) > many || n[2] > 0 && n[2] >= max(n[1], 1) {
		return errGaps
	}
	if len(data) > 0 {
		g.bytes = data
	}
	g.told, g.untold = n[0]&1 != 0, n[0]&2 != 0
	g.thin, g.pending, g.gap, g.events, g.tokens = int(n[1]), int(n[2]), time.Duration(n[3]), int(n[4]), int(n[5])
	if !whole(data) {
		*g = GapList{}
		return errGaps
	}
	return nil
}

// whole tells whether bytes are entries of a list, the last one with them.
func whole(data []byte) bool {
	number := func() (uint64, bool) {
		v, n := binary.Uvarint(data)
		if n <= 0 || v > 1<<50 {
			return 0, false
		}
		data = data[n:]
		return v, true
	}
	for len(data) > 0 {
		_, ok := number()
		events, more := number()
		if !ok || !more {
			return false
		}
		if events&1 != 0 {
			if _, ok := number(); !ok {
				return false
			}
		}
	}
	return true
}
