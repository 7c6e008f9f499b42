package workload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// reader takes rows from a file into a table, within the bounds of memory.
type reader struct {
	ctx   context.Context
	spec  *Spec
	table *table
	// within bounds what is kept; used is how many bytes the rows hold.
	within bounds
	used   int
	// uncounted are rows whose tokens are counted together.
	uncounted []uncounted
}

// errFull ends reading: the rows so far are what is used.
var errFull = errors.New("full")

// readTable reads the file of a workload.
func readTable(ctx context.Context, spec *Spec) (*table, error) {
	file, size, err := openFile(spec.File)
	if errors.Is(err, errNoFile) {
		return nil, fmt.Errorf("%w; a workload is synthetic, or the path of a data set or a trace", err)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t, err := readRows(ctx, file, spec, usual)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", printable(spec.File, 200), err)
	}
	t.size = size
	return t, nil
}

// errNoFile is that nothing stands at a path.
var errNoFile = errors.New("there is no such file")

// openFile opens a file that is one, and is not empty: what is no file could make us wait.
func openFile(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, fmt.Errorf("%s: %w", printable(path, 200), errNoFile)
	}
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is no file, but a directory or a device", printable(path, 200))
	}
	if info.Size() == 0 {
		return nil, 0, fmt.Errorf("%s is empty", printable(path, 200))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	return file, info.Size(), nil
}

// readRows reads rows of any format, until ctx ends.
func readRows(ctx context.Context, from io.Reader, spec *Spec, within bounds) (*table, error) {
	l := newLines(&supply{ctx: ctx, from: from, left: within.read})
	head, err := l.r.Peek(64 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	format := spec.Format
	if format == Detect {
		if format, err = detect(head); err != nil {
			return nil, err
		}
	}
	r := &reader{ctx: ctx, spec: spec, table: &table{trace: format >= Azure}, within: within}
	if err := r.misfits(format); err != nil {
		return nil, err
	}
	switch format {
	case ShareGPT:
		err = r.array(l.r)
	case JSONL:
		err = r.lines(l, r.chatLine)
	case Mooncake:
		err = r.lines(l, r.mooncakeLine)
	default:
		err = r.csv(l, format)
	}
	r.count()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, errFull) {
		err, r.table.cut = nil, true
	}
	if err != nil {
		return nil, fmt.Errorf("%w; %s", err, format.rows())
	}
	if err := r.table.left.verdict(format.rows()); err != nil {
		return nil, err
	}
	if r.table.blocks && spec.Prefix > 0 {
		return nil, fmt.Errorf("prefix=%d is not for this trace (%s), whose hash_ids say what is shared", spec.Prefix, format)
	}
	r.table.settle()
	return r.table, nil
}

// misfits tells of settings that the kind of file has no use for.
func (r *reader) misfits(format Format) error {
	s := r.spec
	switch {
	case r.table.trace && s.OneTurn:
		return fmt.Errorf("turns=one is for conversations, and this is a trace (%s)", format)
	case r.table.trace && s.Think.set():
		return fmt.Errorf("think=%s is for conversations, and this is a trace (%s)", s.Think, format)
	case r.table.trace && s.Out.set():
		return fmt.Errorf("out=%s is not for a trace (%s), whose rows bring their own; max= bounds them", s.Out, format)
	case !r.table.trace && s.LengthsOnly:
		return fmt.Errorf("replay=lengths is for a trace, and this is a data set (%s)", format)
	case !r.table.trace && s.Prefix > 0:
		return fmt.Errorf("prefix=%d is for synthetic prompts and traces, and this is a data set (%s), whose text is sent as it is", s.Prefix, format)
	}
	return nil
}

// detect tells the format from the beginning of a file.
func detect(head []byte) (Format, error) {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(mark)), " \t\r\n")
	line, _, _ := bytes.Cut(text, []byte("\n"))
	lower := strings.ToLower(string(line[:min(len(line), 4096)]))
	switch {
	case len(text) == 0:
		return Detect, errors.New("there is nothing but white space in it, or in its first 64 KiB")
	case bytes.HasPrefix(head, []byte("\x1f\x8b")) || bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return Detect, errors.New("it is compressed; unpack it first")
	case bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")):
		return Detect, errors.New("it is UTF-16; save it as UTF-8")
	case text[0] == '[':
		return ShareGPT, nil
	case text[0] == '{' && strings.Contains(lower, `"input_length"`) && strings.Contains(lower, `"output_length"`):
		return Mooncake, nil
	case text[0] == '{' || text[0] == '"':
		return JSONL, nil
	case strings.Contains(lower, "contexttokens"):
		return Azure, nil
	case strings.Contains(lower, "request tokens"):
		return BurstGPT, nil
	}
	return Detect, fmt.Errorf("line 1 begins with %s, which is no format that is known; %s", short(string(line)), Detect.rows())
}

// lines takes a file line by line; blank ones are no rows.
func (r *reader) lines(l *lines, take func(number int, line []byte) error) error {
	for {
		line, long, err := l.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", l.number+1, err)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if long {
			r.table.left.rows++
			r.leave("longer than 16 MiB", l.number, line)
			continue
		}
		if err := take(l.number, line); err != nil {
			return err
		}
	}
}

// array takes a JSON array, element by element.
func (r *reader) array(from io.Reader) error {
	e := newElements(from)
	for {
		element, long, err := e.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if long {
			r.table.left.rows++
			r.leave("longer than 16 MiB", e.began, element)
			continue
		}
		if err := r.chatLine(e.began, element); err != nil {
			return err
		}
	}
}

// leave counts a row that is broken.
func (r *reader) leave(why string, line int, read []byte) {
	r.table.left.leave(why, false, line, read)
}

// room tells whether one more row of so many bytes is kept; errFull if not.
func (r *reader) room(bytes int) error {
	kept := len(r.table.rows) + len(r.table.chats) + len(r.uncounted)
	if kept >= r.within.rows || kept > 0 && r.used+bytes > r.within.bytes {
		return errFull
	}
	r.used += bytes
	r.table.left.rows++
	return nil
}

// tooLong counts a row that max-input leaves out, or that is longer than any prompt; it tells whether it is.
func (r *reader) tooLong(tokens int, line int, read []byte) bool {
	if most := r.spec.MaxInput; most > 0 && tokens > most {
		r.table.left.leave(fmt.Sprintf("longer than max-input=%d", most), true, line, read)
		return true
	}
	if tokens > maxLength {
		r.leave(fmt.Sprintf("above %d tokens", maxLength), line, read)
		return true
	}
	return false
}
