package record

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// taped is a made-up run of some seconds, complete if ended.
func taped(t testing.TB, targets, seconds, checkpoint int, ended bool) *tape {
	t.Helper()
	p := newTape(t, targets, 6, 4)
	p.keep, p.gaps, p.checkpoint = true, true, checkpoint
	for range seconds {
		p.next(t)
	}
	if ended {
		if err := p.w.close(true); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// opened opens what a file's bytes would be.
func opened(data []byte) (*File, error) { return read(bytes.NewReader(data), int64(len(data))) }

// differs says in what a snapshot differs from another one; empty if in nothing.
func differs(got, want *bench.Snapshot) string {
	a, b := *got, *want
	a.Run, b.Run = nil, nil
	if reflect.DeepEqual(a, b) {
		return ""
	}
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		if !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			return fmt.Sprintf("%s: %.600v\nwant %.600v", x.Type().Field(i).Name, x.Field(i).Interface(), y.Field(i).Interface())
		}
	}
	return "something"
}

func TestEverySecondComesBackFromAFile(t *testing.T) {
	for _, ended := range []bool{true, false} {
		p := taped(t, 1, 23, 5, ended)
		f, err := opened(p.out.Bytes())
		if err != nil || f.Complete != ended || f.Length != 23*time.Second || len(f.Damage) > 0 {
			t.Fatalf("ended %v: %v, %+v", ended, err, f)
		}
		if f.Levels != 1 || f.Ended != completed(p) {
			t.Errorf("%d levels and %d requests, want 1 and %d", f.Levels, f.Ended, completed(p))
		}
		player := f.Player()
		defer player.Close()
		for i, want := range p.shown {
			if more, err := player.Step(); !more || err != nil {
				t.Fatalf("second %d: more %v, %v", i, more, err)
			}
			if d := differs(player.Snapshot(), want); d != "" {
				t.Fatalf("second %d: %s", i, d)
			}
		}
		if more, err := player.Step(); more || err != nil {
			t.Errorf("behind the last: more %v, %v", more, err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		for range 60 {
			i := rng.IntN(len(p.shown))
			at := time.Duration(i+1)*time.Second + time.Duration(rng.IntN(1e9))
			if err := player.Seek(at); err != nil {
				t.Fatal(err)
			}
			if d := differs(player.Snapshot(), p.shown[i]); d != "" || player.At() != time.Duration(i+1)*time.Second {
				t.Fatalf("at %s, second %d, %s: %s", at, i, player.At(), d)
			}
		}
		last, err := f.Final()
		if err != nil || differs(last, p.shown[22]) != "" {
			t.Errorf("the last: %v, %s", err, differs(last, p.shown[22]))
		}
	}
}

// completed is how many requests had ended when a made-up run was shown last.
func completed(p *tape) (n int) {
	for _, s := range p.shown[len(p.shown)-len(p.run):] {
		tally := &s.Total.Tally
		n += tally.OK + tally.Failed + tally.Limited + tally.Cancelled
	}
	return n
}

// Whatever is cut off a file, it opens with all that was flushed before, or says why not.
func TestAFileOpensWhereverItIsCut(t *testing.T) {
	p := taped(t, 1, 7, 3, true)
	data, header := p.out.Bytes(), firstFlush(t, p)
	whole, err := opened(data)
	if err != nil {
		t.Fatal(err)
	}
	before := 0
	for n := range data {
		var f *File
		if n <= int(header) || n%16 == 0 {
			f, err = opened(data[:n])
		} else {
			// The header is the same, and so are readers that nobody uses: reading it anew is most of the work.
			f = &File{Header: whole.Header, in: bytes.NewReader(data[:n]), size: int64(n), idle: whole.idle}
			f.readFrames()
		}
		if err != nil {
			if n >= int(header) {
				t.Fatalf("%d of %d bytes: %v", n, len(data), err)
			}
			if !strings.Contains(err.Error(), "at byte 0") || !strings.Contains(err.Error(), "want") {
				t.Fatalf("%d bytes: %v says not what is wrong", n, err)
			}
			continue
		}
		seconds := 0
		for _, at := range p.flushed {
			if at <= int64(n) {
				seconds++
			}
		}
		if f.Length < time.Duration(seconds)*time.Second {
			t.Fatalf("%d bytes: %s of %d s", n, f.Length, seconds)
		}
		if len(f.Damage) > 0 {
			t.Fatalf("%d bytes: what is not written yet is damage: %v", n, f.Damage)
		}
		if seconds == before && n%7 != 0 {
			continue
		}
		before = seconds
		s, err := f.Final()
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		whole.idle = f.idle
		if i := int(s.Folded / time.Second); i < seconds || i > 0 && differs(s, p.shown[i-1]) != "" {
			t.Fatalf("%d bytes, %d seconds, shown %d: %s", n, seconds, i, differs(s, p.shown[max(i-1, 0)]))
		}
	}
}

// firstFlush is where the header ends.
func firstFlush(t *testing.T, p *tape) int64 {
	t.Helper()
	n := sort.Search(p.out.Len(), func(n int) bool { _, err := opened(p.out.Bytes()[:n]); return err == nil })
	if n < p.out.Len() {
		return int64(n)
	}
	t.Fatal("it never opens")
	return 0
}

// A bit that has flipped costs what lies before the next checkpoint, or nothing; and what is shown is never something that nobody saw, unless the bit is a digit's.
func TestAFlippedBitCostsAFrameAtMost(t *testing.T) {
	p := taped(t, 1, 16, 4, true)
	rng := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		data := bytes.Clone(p.out.Bytes())
		at := rng.IntN(len(data))
		data[at] ^= 1 << rng.IntN(8)
		f, err := opened(data)
		if err != nil {
			continue // the header's
		}
		play(t, f)
	}
}

// play plays a file to its end, with all that can be asked of it.
func play(t testing.TB, f *File) {
	t.Helper()
	player := f.Player()
	defer player.Close()
	for n := 0; ; n++ {
		more, err := player.Step()
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		if n > 100_000 {
			t.Fatal("it does not end")
		}
		player.Snapshot()
	}
	if _, err := player.Journal(); err != nil {
		t.Fatal(err)
	}
	for _, at := range []time.Duration{0, f.Length / 2, f.Length} {
		if err := player.Seek(at); err != nil {
			t.Fatal(err)
		}
		player.Snapshot()
	}
	for i := range f.Header.Tracks {
		if err := f.Requests(i, func(*bench.Ended) bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzFile(f *testing.F) {
	for _, ended := range []bool{true, false} {
		p := taped(f, 1, 5, 2, ended)
		f.Add(p.out.Bytes())
	}
	f.Add([]byte("\x28\xb5\x2f\xfd"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if file, err := opened(data); err == nil {
			play(t, file)
		}
	})
}

// FuzzLines is FuzzFile for what stands in the frames, which a fuzzer cannot get at through their compression.
func FuzzLines(f *testing.F) {
	p := taped(f, 1, 3, 2, false)
	l := newLines()
	file, err := opened(p.out.Bytes())
	if err != nil {
		f.Fatal(err)
	}
	var text []byte
	for i := range file.frames {
		file.openFrame(l, i)
		for line, err := l.next(); err == nil; line, err = l.next() {
			text = append(append(text, line...), '\n')
		}
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		if file, err := opened(appendFrame(nil, text)); err == nil {
			play(t, file)
		}
	})
}

func TestABrokenFrameIsSaidAndTheNextCheckpointHealsIt(t *testing.T) {
	p := taped(t, 1, 16, 4, true)
	whole, err := opened(p.out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if len(whole.frames) < 3 {
		t.Skip("states cannot be saved yet")
	}
	for _, walked := range []bool{false, true} {
		data := bytes.Clone(p.out.Bytes())
		if walked {
			data = data[:len(data)-1]
		}
		second := whole.frames[1]
		for i := second.Offset + second.Length/2; i < second.Offset+second.Length/2+40; i++ {
			data[i] ^= 0x55
		}
		f, err := opened(data)
		if err != nil {
			t.Fatal(err)
		}
		player := f.Player()
		defer player.Close()
		for more, err := player.Step(); more; more, err = player.Step() {
			if err != nil {
				t.Fatal(err)
			}
			i := int(player.At() / time.Second)
			if d := differs(player.Snapshot(), p.shown[i-1]); d != "" {
				t.Fatalf("walked %v, second %d: %s", walked, i, d)
			}
		}
		if player.At() != 16*time.Second {
			t.Errorf("walked %v: it ends at %s", walked, player.At())
		}
		if len(f.Damage) != 1 || f.Damage[0].Offset < second.Offset || f.Damage[0].Offset > second.end() {
			t.Errorf("walked %v: damage %v; want one, in %d to %d", walked, f.Damage, second.Offset, second.end())
		}
	}
}

// A position in a part that is lost shows the last second before it, and nothing of what came later.
func TestNothingOfLaterIsShownWhereAPartIsLost(t *testing.T) {
	p := taped(t, 1, 16, 4, true)
	whole, err := opened(p.out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	data, second := bytes.Clone(p.out.Bytes()), whole.frames[1] // 4 s to 8 s
	for i := second.Offset + second.Length/2; i < second.Offset+second.Length/2+40; i++ {
		data[i] ^= 0x55
	}
	f, err := opened(data)
	if err != nil {
		t.Fatal(err)
	}
	player := f.Player()
	defer player.Close()
	for _, at := range []int{7, 12, 7, 3, 7, 8, 16, 7} {
		if err := player.Seek(time.Duration(at) * time.Second); err != nil {
			t.Fatal(err)
		}
		shown := int(player.At() / time.Second)
		from, to, gap := player.Gap()
		if shown > at || shown < 3 || at != 7 && shown != at || differs(player.Snapshot(), p.shown[shown-1]) != "" {
			t.Errorf("at %d s it shows second %d", at, shown)
		}
		if gap != (at == 7) || gap && (from != player.At() || to != 8*time.Second) {
			t.Errorf("at %d s nothing is known from %v to %v: %v", at, from, to, gap)
		}
	}
	if len(f.Damage) != 1 || f.Damage[0].Offset <= second.Offset || f.Damage[0].Offset >= second.end() {
		t.Errorf("damage %v; want one, at the place in %d to %d", f.Damage, second.Offset, second.end())
	}
}

// The requests in flight are known from where they ended: what is lost there is told, though no position in it was shown.
func TestRequestsThatAreLostAreSaidWhereTheyAreLookedFor(t *testing.T) {
	p := taped(t, 1, 16, 4, true)
	whole, err := opened(p.out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	data, third := bytes.Clone(p.out.Bytes()), whole.frames[2] // 8 s to 12 s
	for i := third.Offset + third.Length/2; i < third.Offset+third.Length/2+40; i++ {
		data[i] ^= 0x55
	}
	f, err := opened(data)
	if err != nil {
		t.Fatal(err)
	}
	player := f.Player()
	defer player.Close()
	if err := player.Seek(7 * time.Second); err != nil || len(f.Damage) > 0 {
		t.Fatal(err, f.Damage)
	}
	if err := player.Seek(8 * time.Second); err != nil {
		t.Fatal(err)
	}
	j, err := player.Journal()
	if err != nil || len(j.Flights) >= j.Flying || len(f.Damage) != 1 {
		t.Errorf("%d of %d in flight are known, damage %v, %v", len(j.Flights), j.Flying, f.Damage, err)
	}
}

func TestNotesAreKeptForGood(t *testing.T) {
	for _, ended := range []bool{true, false} {
		p := taped(t, 1, 9, 4, ended)
		torn := append(bytes.Clone(p.out.Bytes()), p.out.Bytes()[:7]...)
		if ended {
			torn = p.out.Bytes()
		}
		path := filepath.Join(t.TempDir(), "run.jsonl.zst")
		if err := os.WriteFile(path, torn, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []Note{{At: 5 * time.Second, Text: "later"}, {At: 2 * time.Second, Text: "first, \"ü\""}} {
			if err := f.Annotate(n); err != nil {
				t.Fatal(err)
			}
		}
		for _, bad := range []Note{{At: 99 * time.Second, Text: "behind"}, {Text: " "}, {At: -1, Text: "before"}, {Text: "\xff"}} {
			if f.Annotate(bad) == nil {
				t.Errorf("%+v is taken", bad)
			}
		}
		f.Close()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, cut := range []int{0, 1, 40} { // with its index, and without
			f, err := opened(data[:len(data)-cut])
			if err != nil || len(f.Notes) != 2 || f.Notes[0].Text != "first, \"ü\"" || f.Complete != ended || f.Length != 9*time.Second || len(f.Damage) > 0 {
				t.Fatalf("ended %v, %d bytes less: %v, %+v", ended, cut, err, f)
			}
			last, err := f.Final()
			if err != nil || differs(last, p.shown[8]) != "" {
				t.Errorf("ended %v: %v, %s", ended, err, differs(last, p.shown[8]))
			}
		}
	}
}

func TestAFileThatGrowsIsFollowed(t *testing.T) {
	p := newTape(t, 1, 6, 4)
	p.keep, p.gaps, p.checkpoint = true, true, 4
	path := filepath.Join(t.TempDir(), "run.jsonl.zst")
	write := func() {
		if err := os.WriteFile(path, p.out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.next(t)
	write()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	player := f.Player()
	defer player.Close()
	for i := range 11 {
		if i > 0 {
			p.next(t)
			write()
			if more, err := f.Refresh(); !more || err != nil {
				t.Fatalf("second %d: more %v, %v", i, more, err)
			}
		}
		if more, err := player.Step(); !more || err != nil {
			t.Fatalf("second %d: %v, %v", i, more, err)
		}
		if d := differs(player.Snapshot(), p.shown[i]); d != "" {
			t.Fatalf("second %d: %s", i, d)
		}
		if more, err := player.Step(); more || err != nil {
			t.Fatalf("second %d: there is another: %v", i, err)
		}
	}
	if err := p.w.close(true); err != nil {
		t.Fatal(err)
	}
	write()
	if more, err := f.Refresh(); !more || err != nil || !f.Complete || f.Length != 11*time.Second {
		t.Errorf("at the end: more %v, %v, %+v", more, err, f)
	}
}

// limited is a disk that is full after so many bytes.
type limited struct {
	out  *bytes.Buffer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.left)
	l.left -= n
	l.out.Write(b[:n])
	if n < len(b) {
		return n, os.ErrClosed
	}
	return n, nil
}

// A disk that was full goes on where it stopped: what was flushed is there, and what was lost meanwhile is all that is missing.
func TestWritingGoesOnBehindAWriteThatFailed(t *testing.T) {
	for _, room := range []int{1, 90, 400, 2000, 5000} {
		p := newTape(t, 1, 6, 4)
		p.keep, p.gaps, p.checkpoint = true, true, 3
		for range 5 {
			p.next(t)
		}
		full := &limited{out: &p.out, left: room}
		p.w.out.w = full
		b, m := &bench.Batch{Start: 5 * time.Second, Span: time.Second}, moment{}
		for i := range 40 {
			b.Events = append(b.Events, bench.Event{Text: strings.Repeat(string(rune('a'+i%26)), 1+i*i%97)})
		}
		moments, folded := slices.Clone(p.w.moments), slices.Clone(p.w.folded)
		_ = p.w.seconds(0, []*bench.Batch{b}, m, nil)
		if p.w.flush() == nil && room < 90 {
			t.Fatalf("%d bytes: nobody noticed", room)
		}
		if p.w.err == nil {
			continue
		}
		p.out.Truncate(int(p.w.offset()))
		if err := p.w.resume(&p.out); err != nil {
			t.Fatal(err)
		}
		if err := p.w.seconds(0, []*bench.Batch{b}, m, nil); err == nil {
			t.Fatal("a second without a checkpoint is taken")
		}
		copy(p.w.moments, moments)
		copy(p.w.folded, folded)
		if err := p.w.checkpoint(p.fold); err != nil {
			t.Fatal(err)
		}
		for range 6 {
			p.next(t)
		}
		if err := p.w.close(true); err != nil {
			t.Fatal(err)
		}
		for _, cut := range []int{0, 1} {
			f, err := opened(p.out.Bytes()[:p.out.Len()-cut])
			if err != nil {
				t.Fatal(err)
			}
			player := f.Player()
			for i, want := range p.shown {
				if more, err := player.Step(); !more || err != nil {
					t.Fatalf("room %d, second %d: more %v, %v", room, i, more, err)
				}
				if d := differs(player.Snapshot(), want); d != "" {
					t.Fatalf("room %d, second %d: %s", room, i, d)
				}
			}
			if len(f.Damage) > 0 {
				t.Errorf("room %d: %v", room, f.Damage)
			}
			player.Close()
		}
	}
}

func TestEachTargetIsShownAsItWas(t *testing.T) {
	p := taped(t, 3, 17, 5, true)
	f, err := opened(p.out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	player := f.Player()
	defer player.Close()
	held := func(second int) {
		t.Helper()
		r := player.Snapshot().Rivals
		if r == nil || len(r.Of) != 3 || r.Shown != second/7%3 {
			t.Fatalf("second %d: %+v", second, r)
		}
		for i := range r.Of {
			if d := differs(r.Of[i], p.shown[3*second+i]); d != "" {
				t.Fatalf("second %d, target %d: %s", second, i, d)
			}
		}
	}
	for second := range 17 {
		if more, err := player.Step(); !more || err != nil {
			t.Fatalf("second %d: more %v, %v", second, more, err)
		}
		held(second)
	}
	for _, second := range []int{3, 16, 0, 9, 4, 5, 14} {
		if err := player.Seek(time.Duration(second+1) * time.Second); err != nil {
			t.Fatal(err)
		}
		held(second)
	}
	for track := range 3 {
		last, n := uint64(0), 0
		if err := f.Requests(track, func(e *bench.Ended) bool { last = e.ID; n++; return n < 5 }); err != nil || n != 5 || last == 0 {
			t.Errorf("target %d: %v, %d requests", track, err, n)
		}
	}
	if f.Requests(3, nil) == nil {
		t.Error("there is a fourth target")
	}
}

// What unpacks to far more than any recorder writes ends, and takes no memory.
func TestBombsDoNoHarm(t *testing.T) {
	p := taped(t, 1, 2, 9, false)
	for _, line := range []string{"", "{}\n", "[0]\n", strings.Repeat("x", 1<<20)} {
		text := []byte(line)
		if line == "" {
			text = make([]byte, 200<<20)
		} else if n := 100 << 20 / len(line); true {
			text = bytes.Repeat(text, n)
		}
		bomb := appendFrame(bytes.Clone(p.out.Bytes()), text)
		begun := time.Now()
		f, err := opened(bomb)
		if err != nil {
			t.Fatal(err)
		}
		play(t, f)
		if d := time.Since(begun); d > 20*time.Second {
			t.Errorf("%.5q: %s for %d bytes", line, d, len(bomb))
		}
	}
}
