package workload

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// tally counts the rows of a file, and those that are left out by reason.
type tally struct {
	rows    int
	reasons []reason
}

// reason is why rows were left out: how many, and the first of them.
type reason struct {
	why string
	// chosen: left out on purpose, not broken.
	chosen bool
	rows   int
	line   int
	read   string
}

// leave counts one row left out; read is what stood there.
func (t *tally) leave(why string, chosen bool, line int, read []byte) {
	i := slices.IndexFunc(t.reasons, func(r reason) bool { return r.why == why })
	if i < 0 {
		i = len(t.reasons)
		t.reasons = append(t.reasons, reason{why: why, chosen: chosen, line: line, read: short(string(read[:min(len(read), 200)]))})
	}
	t.reasons[i].rows++
}

// left is how many rows are left out, broken how many of them could not be read.
func (t *tally) left() (left, broken int) {
	for _, r := range t.reasons {
		left += r.rows
		if !r.chosen {
			broken += r.rows
		}
	}
	return left, broken
}

// words say what was left out, and why, the most frequent reason first; empty if nothing was.
func (t *tally) words() string {
	left, _ := t.left()
	if left == 0 {
		return ""
	}
	reasons := slices.Clone(t.reasons)
	slices.SortStableFunc(reasons, func(a, b reason) int { return cmp.Compare(b.rows, a.rows) })
	parts := make([]string, len(reasons))
	for i, r := range reasons {
		parts[i] = fmt.Sprintf("%d %s", r.rows, r.why)
	}
	return fmt.Sprintf("%d of %d rows left out: %s", left, t.rows, strings.Join(parts, ", "))
}

// verdict is the error of a file of which nothing, or less than half, can be used; allowed is what its rows should be.
func (t *tally) verdict(allowed string) error {
	left, broken := t.left()
	if t.rows == 0 {
		return fmt.Errorf("there are no rows in it; %s", allowed)
	}
	if left < t.rows && broken*2 <= t.rows {
		return nil
	}
	// The first row that is broken says most; if none is, the first that is left out.
	first := slices.MinFunc(t.reasons, func(a, b reason) int {
		if a.chosen != b.chosen {
			if a.chosen {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.line, b.line)
	})
	return fmt.Errorf("%s; the first of them is on line %d: %s; %s", t.words(), first.line, first.read, allowed)
}
