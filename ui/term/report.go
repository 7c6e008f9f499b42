package term

import "os"

// answerColumn is the first column that a cursor report speaks of when it answers the question (see ask). Below it a report on the first row reads like
// a key: F3 with shift is the report of row 1, column 2, and the columns up to 16 are its other modifiers.
const answerColumn = askColumn + 1

// longestReport bounds what is held, in bytes.
const longestReport = 16

// report finds the one cursor report that is awaited among the keys that are typed around it, in however many pieces it comes. The zero value waits.
//
//	at         what came so far      the next byte that goes on
//	start      nothing               ESC
//	escaped    ESC                   [
//	opened     ESC [                 a digit
//	row        ESC [ digits          a digit, ;
//	separated  ESC [ digits ;        a digit
//	column     ESC [ digits ; digits a digit, R
//
// Any other byte gives back what was held, and begins again.
type report struct {
	at     place
	held   []byte
	number int
	// found says that it has come; column is what it told. From then on nothing is held.
	found  bool
	column int
}

type place uint8

const (
	start place = iota
	escaped
	opened
	row
	separated
	column
)

// pass gives what of b is not the report, behind out. A report of a column that the question cannot have is no answer.
func (r *report) pass(out, b []byte) []byte {
	for _, c := range b {
		if r.found {
			out = append(out, c)
			continue
		}
		next, ok := r.step(c)
		switch {
		case !ok:
			out = append(out, r.held...)
			r.held, r.at = r.held[:0], start
			if c != '\x1b' {
				out = append(out, c)
				continue
			}
			r.held, r.at = append(r.held, c), escaped
		case next == start:
			r.held, r.at, r.found, r.column = nil, start, true, r.number
		default:
			r.held, r.at = append(r.held, c), next
		}
	}
	return out
}

// step is the place after a byte, start when the report is complete, and whether the byte goes on with it.
func (r *report) step(c byte) (place, bool) {
	room := len(r.held) < longestReport
	digit := c >= '0' && c <= '9' && room
	switch {
	case r.at == start && c == '\x1b':
		return escaped, true
	case r.at == escaped && c == '[':
		return opened, true
	case (r.at == opened || r.at == row) && digit:
		return row, true
	case r.at == row && c == ';' && room:
		r.number = 0
		return separated, true
	case (r.at == separated || r.at == column) && digit:
		r.number = min(r.number*10+int(c-'0'), 1<<15)
		return column, true
	case r.at == column && c == 'R' && r.number >= answerColumn:
		return start, true
	}
	return start, false
}

// typed gives back, behind out, what is held but may be a key by itself, when nothing more comes with it: escape. The report may still go on from there.
func (r *report) typed(out []byte) []byte {
	switch {
	case r.at == escaped:
		out = append(out, r.held...)
		r.held = r.held[:0]
	case r.at == opened && len(r.held) == 1:
		// Escape was given back, and so this is a key too.
		out = append(out, r.held...)
		r.held, r.at = r.held[:0], start
	}
	return out
}

// Input is a terminal's file whose late answer reaches nobody: the report of the cursor that is still to come is left out of what is read.
type Input struct {
	*os.File
	report report
	out    []byte
}

// Read gives what was typed. It may give nothing without an error, when all that came was of the report.
func (i *Input) Read(p []byte) (int, error) {
	if len(i.out) == 0 {
		// What was held has to fit in too: nobody comes for a rest before the next key.
		n, err := i.File.Read(p[:max(len(p)-len(i.report.held), 1)])
		if i.report.found && len(i.report.held) == 0 {
			return n, err
		}
		i.out = i.report.typed(i.report.pass(i.out[:0], p[:n]))
		if err != nil && len(i.out) == 0 {
			return 0, err
		}
	}
	n := copy(p, i.out)
	i.out = i.out[n:]
	return n, nil
}
