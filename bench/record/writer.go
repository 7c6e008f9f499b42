package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"redline/bench"
	"redline/bench/aggregate"
)

// window is how far back the compression looks: bounded, so that neither writing nor reading takes much memory.
const window = 1 << 20

// writer makes the bytes of a run file. What it was given is in the file, whole, after flush. It is not safe for concurrent use.
//
// Its error stays, for what stands in the file then is not known. To go on, the file is cut to offset, and resume is told; the next thing is a checkpoint.
type writer struct {
	out  counter
	z    *zstd.Encoder
	err  error
	line []byte
	// second is the line of a second, kept for its room.
	second []byte
	texts  bool
	// frames are those that have begun, open tells whether the last is to go on; kept and keptOpen are how many there were, and whether the last was, at the last flush.
	frames    []frame
	open      bool
	kept      int
	keptOpen  bool
	flushed   int64
	healing   bool
	sum, safe tally
	moments   []*moment
	// folded is up to where each track's seconds have been written.
	folded []time.Duration
	shown  int
	both   bool
	// chains are those of the checkpoints, which take turns; begun is how many there were, linked that of the last one.
	chains [2]chain
	turn   int
	begun  int
	linked int
	// lost is what was not written before the next checkpoint; nil where all was.
	lost *Lost
}

// tally is what a run file has of its run up to somewhere.
type tally struct {
	// Length is the end of the last second, Requests are those that have ended, Levels those of the first track that have begun.
	Length   time.Duration `json:"length,omitzero"`
	Requests int           `json:"requests,omitzero"`
	Levels   int           `json:"levels,omitzero"`
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return n, err
}

// newWriter begins a run file with its header. With h.Texts, texts of prompts and answers are kept as far as they are given.
func newWriter(out io.Writer, h Header) (*writer, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false),
		zstd.WithWindowSize(window), zstd.WithLowerEncoderMem(true), zstd.WithZeroFrames(false))
	if err != nil {
		return nil, err
	}
	n := max(len(h.Tracks), 1)
	w := &writer{out: counter{w: out}, z: z, texts: h.Texts, moments: make([]*moment, n), folded: make([]time.Duration, n)}
	w.begin(0)
	text, err := json.Marshal(headerLineOf(h))
	if err != nil {
		return nil, err
	}
	w.put(append(text, '\n'))
	return w, w.flush()
}

// begin begins a frame.
func (w *writer) begin(at time.Duration) {
	w.frames = append(w.frames, frame{Offset: w.out.n, At: at, Before: w.sum})
	w.z.Reset(&w.out)
	w.open = true
}

// end ends the frame that is open.
func (w *writer) end() {
	if !w.open || w.err != nil {
		return
	}
	if err := w.z.Close(); err != nil {
		w.err = err
		return
	}
	w.open = false
	last := &w.frames[len(w.frames)-1]
	last.Length = w.out.n - last.Offset
	w.safely()
}

func (w *writer) put(line []byte) {
	if w.err != nil {
		return
	}
	if len(line) > maxLine {
		w.err = errLong
		return
	}
	if _, err := w.z.Write(line); err != nil {
		w.err = err
	}
}

// safely remembers that all that was written so far stands in the file.
func (w *writer) safely() {
	w.flushed, w.kept, w.keptOpen, w.safe = w.out.n, len(w.frames), w.open, w.sum
}

// seconds writes what a track has folded, as a rule one batch, with the requests that ended in it, and what is shown behind it. What is not in a batch of a request
// (its gaps, its texts) is taken from what whole gives for its number; nil where there is nothing. Nothing that it is given is changed, or kept but for the
// moment.
func (w *writer) seconds(track int, batches []*bench.Batch, m moment, whole func(id uint64) *bench.Ended) error {
	if w.err != nil {
		return w.err
	}
	if w.healing {
		return errNoCheckpoint
	}
	line := secondLine{Track: track, Batches: make([]batchLine, 0, len(batches)), Moment: m.lineOf(w.moments[track])}
	for _, b := range batches {
		line.Batches = append(line.Batches, batchLineOf(b))
	}
	text, err := appendLine(w.second[:0], "second", line)
	if w.second = text; err != nil {
		return err
	}
	for _, b := range batches {
		for i := range b.Ended {
			w.request(track, &b.Ended[i], whole)
		}
		w.count(track, b)
	}
	w.put(text)
	w.moments[track], w.shown, w.both = &m, m.Shown, m.Both
	return w.err
}

// count keeps the tally.
func (w *writer) count(track int, b *bench.Batch) {
	w.sum.Requests += b.Facts.Completions()
	w.folded[track] = max(w.folded[track], b.Start+b.Span)
	w.sum.Length = max(w.sum.Length, b.Start+b.Span)
	for _, e := range b.Events {
		if e.Kind == bench.EventOpen && track == 0 {
			w.sum.Levels++
		}
	}
}

func (w *writer) request(track int, e *bench.Ended, whole func(id uint64) *bench.Ended) {
	full := *e
	full.Gaps, full.Prompt.Text, full.Prompt.History, full.Reply, full.Header = bench.GapList{}, "", nil, "", nil
	if whole != nil {
		if o := whole(e.ID); o != nil {
			full.Gaps, full.Header = o.Gaps, o.Header
			if w.texts {
				full.Prompt.Text, full.Reply = head(o.Prompt.Text), o.Reply
			}
		}
	}
	w.line = appendRequest(w.line[:0], track, &full)
	w.put(w.line)
}

// checkpoint ends the frame and begins another with the states of all tracks as they are behind the seconds that were written last.
func (w *writer) checkpoint(states []*aggregate.State) error {
	if w.err != nil {
		return w.err
	}
	text, err := w.save(states)
	if err != nil {
		w.chains = [2]chain{} // what it has saved is not written
		return err
	}
	w.end()
	if w.err == nil {
		w.begin(slices.Max(w.folded))
		begun := &w.frames[len(w.frames)-1]
		begun.Chain, begun.Lost, w.lost = w.linked, w.lost, nil
		for line := range bytes.Lines(text) {
			w.put(line)
		}
	}
	if w.err == nil {
		w.healing = false
	}
	return w.err
}

// flush brings all that was written into the file, in whole blocks, so that it can be read though the frame has no end.
func (w *writer) flush() error {
	if w.err == nil && w.open {
		w.err = w.z.Flush()
	}
	if w.err == nil {
		w.safely()
	}
	return w.err
}

// offset is how much of the file can be relied upon: what stood in it after the last flush.
func (w *writer) offset() int64 { return w.flushed }

// resume goes on behind a failed write. The file has been cut to offset, and out writes there. What was written since is lost, and nothing but a checkpoint
// may follow.
func (w *writer) resume(out io.Writer) error {
	w.out = counter{w: out, n: w.flushed}
	w.frames, w.open, w.sum, w.err, w.healing = w.frames[:w.kept], false, w.safe, nil, true
	w.chains = [2]chain{}
	if !w.keptOpen {
		return nil
	}
	if _, err := w.out.Write(lastBlock); err != nil {
		w.err = err
		return err
	}
	last := &w.frames[len(w.frames)-1]
	last.Length = w.out.n - last.Offset
	w.safely()
	return nil
}

// close ends the file with its index; complete tells that the run is over and all of it was written.
func (w *writer) close(complete bool) error {
	w.end()
	if w.err != nil {
		return w.err
	}
	_, w.err = w.out.Write(appendIndex(nil, w.out.n, index{tally: w.sum, Complete: complete, Frames: w.frames}))
	if w.err == nil {
		w.safely()
	}
	return w.err
}

var (
	errLong         = errors.New("a line of more than 32 MiB")
	errNoCheckpoint = errors.New("a second without a checkpoint before it")
)

// lastBlock is an empty block that is a frame's last.
var lastBlock = []byte{1, 0, 0}

// textBytes bounds what is kept of a prompt.
const textBytes = 4 << 10

// head is the beginning of a prompt, in whole characters.
func head(text string) string {
	if len(text) <= textBytes {
		return text
	}
	n := textBytes
	for n > textBytes-4 && text[n]&0xc0 == 0x80 {
		n--
	}
	return text[:n]
}
