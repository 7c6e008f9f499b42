package workload

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// longestLine bounds a line, and a row that spans lines, in bytes; what is longer is passed over.
const longestLine = 16 << 20

// lines reads a file line by line, without their ends.
type lines struct {
	r *bufio.Reader
	// number is that of the last line, from 1; bytes how many were read.
	number int
	bytes  int64
	buf    []byte
}

func newLines(r io.Reader) *lines {
	l := &lines{r: bufio.NewReaderSize(r, 64<<10)}
	l.skipMark()
	return l
}

// skipMark passes over the mark that some programs put in front of UTF-8.
func (l *lines) skipMark() {
	if head, _ := l.r.Peek(len(mark)); string(head) == mark {
		l.r.Discard(len(mark))
	}
}

const mark = "\xef\xbb\xbf"

// next is the next line, valid until the one after it. A line that is too long is told, and only its beginning is there. io.EOF ends.
func (l *lines) next() (line []byte, tooLong bool, err error) {
	l.buf = l.buf[:0]
	read := false
	for {
		part, err := l.r.ReadSlice('\n')
		l.bytes += int64(len(part))
		read = read || len(part) > 0
		if room := longestLine - len(l.buf); len(part) > room {
			part, tooLong = part[:room], true
		}
		l.buf = append(l.buf, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && (!errors.Is(err, io.EOF) || !read) {
			return nil, false, err
		}
		l.number++
		return bytes.TrimRight(l.buf, "\r\n"), tooLong, nil
	}
}
