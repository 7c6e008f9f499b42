package record

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"time"

	"github.com/klauspost/compress/zstd"
)

// frame is a part of the file that can be read for itself: it begins with the header, or with a checkpoint.
type frame struct {
	// Offset is where it begins, Length how long it is; as long as it is open, how much of it stands in whole blocks.
	Offset int64 `json:"offset"`
	Length int64 `json:"length"`
	// At is up to where its checkpoint has folded, Before what the file has before it.
	At     time.Duration `json:"at"`
	Before tally         `json:"before,omitzero"`
	// Chain is that of its checkpoint, 0 where it has none.
	Chain int `json:"chain,omitzero"`
	// Lost is what was not written before it; nil where nothing is missing.
	Lost *Lost `json:"lost,omitzero"`
	// open: it has no end, and is read up to its last whole block.
	open bool
}

// end is behind its last byte.
func (f *frame) end() int64 { return f.Offset + f.Length }

// index says where a file's frames are.
type index struct {
	tally
	// Complete tells that the run ended, and is there to its end.
	Complete bool     `json:"complete"`
	Frames   []frame  `json:"frames"`
	Notes    []Note   `json:"notes,omitzero"`
	Damage   []Damage `json:"damage,omitzero"`
}

// The footer is a skippable frame of zstd: its magic number and length, and then where the frame of the index begins, how long it is, its checksum (CRC-32C),
// and a word to know it by. All numbers have their lowest byte first.
const (
	footerMagic = 0x184D2A5E
	footerWord  = "redline1"
	footerBytes = 8 + 8 + 4 + 4 + len(footerWord)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendIndex appends the frame of an index that begins at an offset of the file, and the footer.
func appendIndex(b []byte, offset int64, x index) []byte {
	text, err := appendLine(nil, "index", x)
	if err != nil {
		return b // it holds nothing that has no JSON form
	}
	from := len(b)
	b = appendFrame(b, text)
	size := len(b) - from
	sum := crc32.Checksum(b[from:], castagnoli)
	b = binary.LittleEndian.AppendUint32(b, footerMagic)
	b = binary.LittleEndian.AppendUint32(b, uint32(footerBytes-8))
	b = binary.LittleEndian.AppendUint64(b, uint64(offset))
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	b = binary.LittleEndian.AppendUint32(b, sum)
	return append(b, footerWord...)
}

// appendFrame appends a frame of its own.
func appendFrame(b, text []byte) []byte {
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithWindowSize(window))
	if err != nil {
		return b // its options are fixed
	}
	_, _ = z.Write(text) // to memory
	_ = z.Close()
	return append(b, out.Bytes()...)
}

// readIndex reads the index that a file's footer names; false where there is none, or it does not fit.
func readIndex(in io.ReaderAt, size int64) (index, bool) {
	var x index
	if size < int64(footerBytes) {
		return x, false
	}
	foot := make([]byte, footerBytes)
	if _, err := in.ReadAt(foot, size-int64(footerBytes)); err != nil {
		return x, false
	}
	number := binary.LittleEndian
	if number.Uint32(foot) != footerMagic || number.Uint32(foot[4:]) != uint32(footerBytes-8) || string(foot[24:]) != footerWord {
		return x, false
	}
	offset, length := int64(number.Uint64(foot[8:])), int64(number.Uint32(foot[16:]))
	if offset < 0 || offset > size || length > maxLine || offset+length != size-int64(footerBytes) {
		return x, false
	}
	data := make([]byte, length)
	if _, err := in.ReadAt(data, offset); err != nil || crc32.Checksum(data, castagnoli) != number.Uint32(foot[20:]) {
		return x, false
	}
	line, err := firstLine(bytes.NewReader(data), length)
	if err != nil {
		return x, false
	}
	var holder struct{ Index *index }
	if json.Unmarshal(line, &holder) != nil || holder.Index == nil || holder.Index.check(offset) != nil {
		return x, false
	}
	return *holder.Index, true
}

// check tells what is wrong with an index before an offset.
func (x *index) check(before int64) error {
	if len(x.Frames) == 0 {
		return fmt.Errorf("an index of no frame")
	}
	at := int64(0)
	for i := range x.Frames {
		f := &x.Frames[i]
		if f.Offset < at || f.Length <= 0 || f.Length > before-f.Offset || i == 0 && f.Offset != 0 {
			return fmt.Errorf("frame %d of the index at %d, %d bytes long", i, f.Offset, f.Length)
		}
		at = f.end()
	}
	return nil
}
