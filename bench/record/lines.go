package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxLine bounds a line: none that is longer is written, or read.
const maxLine = 32 << 20

// What a frame may hold: so many bytes for each of its own, and some. What holds more was not written by a recorder, and would take for ever.
const (
	maxRatio = 1000
	someMore = 64 << 20
)

// lines reads a frame line by line, with bounded memory.
type lines struct {
	z  *zstd.Decoder
	in *bufio.Reader
	// took is how many bytes of the frame have been unpacked.
	took int64
	buf  []byte
	from int
	to   int
	// read is how much of the frame's content the lines took that were given, left how much more may come.
	read, left int64
	unended    bool
	err        error
}

var (
	errBomb  = errors.New("want content of at most a thousand times the frame's size")
	errTorn  = errors.New("want a line's end")
	errEmpty = errors.New("want a line, not an empty one")
)

// borrow is a reader of frames that is free: making one takes longer than reading a short frame.
func (f *File) borrow() *lines {
	if n := len(f.idle); n > 0 {
		l := f.idle[n-1]
		f.idle = f.idle[:n-1]
		return l
	}
	return newLines()
}

// giveBack takes a reader back.
func (f *File) giveBack(l *lines) {
	if l.z == nil || l.z.Reset(nil) != nil {
		return
	}
	l.in.Reset(nil)
	if len(l.buf) > 1<<20 {
		l.buf = nil
	}
	f.idle = append(f.idle, l)
}

func newLines() *lines {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20), zstd.WithDecoderMaxWindow(8<<20), zstd.WithDecoderLowmem(true))
	return &lines{z: z, in: bufio.NewReaderSize(nil, 64<<10), err: err}
}

func (l *lines) close() {
	if l.z != nil {
		l.z.Close()
	}
}

// open begins to read a frame of so many bytes; one that has no end is read up to its last whole block.
func (l *lines) open(in io.Reader, unended bool, length int64) {
	if l.z == nil {
		return
	}
	if unended {
		in = io.MultiReader(in, bytes.NewReader(lastBlock))
	}
	l.from, l.to, l.read, l.left, l.unended = 0, 0, 0, someMore+maxRatio*length, unended
	l.in.Reset(in)
	l.took = 0
	l.err = l.z.Reset(taken{l})
}

// taken counts what is unpacked of a frame.
type taken struct{ l *lines }

func (t taken) Read(b []byte) (int, error) {
	n, err := t.l.in.Read(b)
	t.l.took += int64(n)
	return n, err
}

// fill reads more; the error stays.
func (l *lines) fill() {
	if l.err != nil {
		return
	}
	if l.from > 0 {
		copy(l.buf, l.buf[l.from:l.to])
		l.from, l.to = 0, l.to-l.from
	}
	if l.to == len(l.buf) {
		if len(l.buf) > maxLine {
			l.err = fmt.Errorf("want a line of at most %d bytes", maxLine)
			return
		}
		l.buf = append(l.buf, make([]byte, max(len(l.buf), 64<<10))...)
	}
	n, err := l.z.Read(l.buf[l.to:])
	l.to += n
	if l.left -= int64(n); l.left < 0 {
		err = errBomb
	}
	l.err = err
}

// next is the next line, without its end, which is valid until the next call; io.EOF behind the last.
func (l *lines) next() ([]byte, error) {
	searched := 0
	for {
		if i := bytes.IndexByte(l.buf[l.from+searched:l.to], '\n'); i >= 0 {
			line := l.buf[l.from : l.from+searched+i]
			l.from += searched + i + 1
			l.read += int64(len(line)) + 1
			if len(line) == 0 {
				l.err = errEmpty
				return nil, l.err
			}
			return line, nil
		}
		searched = l.to - l.from
		if l.err != nil {
			if l.err == io.EOF && searched > 0 && !l.unended {
				return nil, errTorn
			}
			return nil, l.err
		}
		l.fill()
	}
}

// back gives the line that was given last back: it is the next again.
func (l *lines) back(line []byte) {
	l.from -= len(line) + 1
	l.read -= int64(len(line)) + 1
}

// skip goes on to where so much has been read; false where that does not exist.
func (l *lines) skip(read int64) bool {
	for l.read < read {
		if n := min(int64(l.to-l.from), read-l.read); n > 0 {
			l.from += int(n)
			l.read += n
			continue
		}
		if l.err != nil {
			return false
		}
		l.fill()
	}
	return true
}

// peek is the beginning of the content, up to so many bytes.
func (l *lines) peek(n int) []byte {
	for l.to-l.from < n && l.err == nil {
		l.fill()
	}
	return l.buf[l.from:min(l.to, l.from+n)]
}

// firstLine is the first line of a frame that is whole.
func firstLine(in io.Reader, length int64) ([]byte, error) {
	l := newLines()
	defer l.close()
	l.open(in, false, length)
	line, err := l.next()
	return bytes.Clone(line), err
}
