package record

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Damage is what could not be read of a file, and where.
type Damage struct {
	// Offset is the byte of the file at which it begins.
	Offset int64 `json:"at_byte"`
	// What says what was expected there, or what of the run is lost.
	What string `json:"what"`
}

// String is the damage in a line.
func (d Damage) String() string { return fmt.Sprintf("at byte %d: %s", d.Offset, d.What) }

const (
	frameMagic = 0xFD2FB528
	// Blocks hold at most 128 KiB.
	maxBlock = 128 << 10
)

// pages reads a file by pages, since what is looked at lies close together.
type pages struct {
	in   io.ReaderAt
	size int64
	from int64
	page []byte
	room [16 << 10]byte
	// content reads what frames hold.
	content *lines
}

// at gives n bytes, at most 64, at an offset; false where the file ends before.
func (p *pages) at(offset int64, n int) ([]byte, bool) {
	if offset < 0 || offset > p.size-int64(n) {
		return nil, false
	}
	if offset < p.from || offset+int64(n) > p.from+int64(len(p.page)) {
		got, _ := p.in.ReadAt(p.room[:min(int64(len(p.room)), p.size-offset)], offset)
		p.from, p.page = offset, p.room[:got]
		if got < n {
			return nil, false
		}
	}
	return p.page[offset-p.from:][:n], true
}

// piece is what stands at an offset of a file.
type piece struct {
	offset, length int64
	// skipped: it holds nothing for readers, such as the footer.
	skipped bool
	// open: it has no end, and length is up to its last whole block. want says what was expected there, cut that the file ends in it.
	open bool
	cut  bool
	want string
}

func (p *piece) end() int64 { return p.offset + p.length }

// pieceAt reads the headers of a frame and of its blocks. Where there is no frame its length is 0, and it is open.
func (p *pages) pieceAt(offset int64) piece {
	out := piece{offset: offset, open: true, cut: true, want: "a frame's header"}
	head, ok := p.at(offset, 4)
	if !ok {
		return out
	}
	switch magic := binary.LittleEndian.Uint32(head); {
	case magic&^0xf == 0x184D2A50:
		size, ok := p.at(offset+4, 4)
		if !ok {
			return out
		}
		if out.length = 8 + int64(binary.LittleEndian.Uint32(size)); out.end() > p.size {
			out.length = 0
			out.want = "the end of a skippable frame"
			return out
		}
		return piece{offset: offset, length: out.length, skipped: true}
	case magic != frameMagic:
		out.cut = false
		out.want = "a frame of zstd"
		return out
	}
	flags, ok := p.at(offset+4, 1)
	if !ok {
		return out
	}
	d := flags[0]
	single := d>>5&1 == 1
	at := offset + 5 + int64([...]int{0, 1, 2, 4}[d&3]) + int64([...]int{0, 2, 4, 8}[d>>6])
	if single && d>>6 == 0 || !single {
		at++
	}
	if at > p.size {
		return out
	}
	out.length = at - offset
	return p.blocks(out, d>>2&1 == 1)
}

// blocks goes through the blocks of a frame; a sum of four bytes may stand behind the last.
func (p *pages) blocks(out piece, sum bool) piece {
	for {
		at := out.end()
		head, ok := p.at(at, 3)
		if !ok {
			out.want = "a block's header"
			return out
		}
		n := int64(head[0]) | int64(head[1])<<8 | int64(head[2])<<16
		last, kind, size := n&1 == 1, n>>1&3, n>>3
		if kind == 3 || size > maxBlock {
			out.cut = false
			out.want = "a block's header"
			return out
		}
		if kind == 1 {
			size = 1
		}
		if last && sum {
			size += 4
		}
		if at+3+size > p.size {
			out.want = "the end of a block"
			return out
		}
		if out.length += 3 + size; last {
			out.open, out.cut, out.want = false, false, ""
			return out
		}
	}
}

// seek finds the next frame of a run file behind an offset; false where there is none.
func (p *pages) seek(offset int64) (int64, bool) {
	const step = 64
	for tried := 0; tried < maxTries; {
		n := int(min(step, p.size-offset))
		if n < 4 {
			return 0, false
		}
		part, ok := p.at(offset, n)
		if !ok {
			return 0, false
		}
		found := false
		for i := range n - 3 {
			if binary.LittleEndian.Uint32(part[i:]) == frameMagic {
				offset, found = offset+int64(i), true
				break
			}
		}
		if !found {
			offset += int64(n - 3)
			continue
		}
		tried++
		if known(p.peek(offset)) {
			return offset, true
		}
		offset++
	}
	return 0, false
}

// maxTries bounds how many places are tried for a frame, so that a file that is made of beginnings takes no time.
const maxTries = 20_000

// peek gives the first bytes of what a frame holds; fewer, or none, where they cannot be read.
func (p *pages) peek(offset int64) []byte {
	p.content.open(io.NewSectionReader(p.in, offset, p.size-offset), true, p.size-offset)
	return p.content.peek(peeked)
}

// peeked is how much of a frame tells what it is.
const peeked = 512
