package record

import (
	"io/fs"
	"slices"
	"syscall"
	"testing"
	"time"

	"redline/bench"
)

// TestWhatIsToldIsKnownToTheVeil: the sentences hold nobody else's words, so that private screens show them.
func TestWhatIsToldIsKnownToTheVeil(t *testing.T) {
	var told []string
	r := &Recorder{o: Options{Tell: func(text string) { told = append(told, text) }}}
	for _, err := range []error{errGone, fs.ErrNotExist, fs.ErrExist, fs.ErrPermission, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EFBIG, syscall.EIO} {
		p := newPress(r)
		p.fault(whyOf(err))
	}
	p := newPress(r)
	p.fault(whySlow)
	p.went(chunk{fresh: true, until: 90 * time.Second})
	p.failing = whySlow
	p.went(chunk{until: 91 * time.Second})
	for _, why := range []string{whyBusy, whyBroken} {
		r.dead = false
		r.end(why)
	}
	s := &scribe{r: &Recorder{o: Options{Most: 100, Tell: r.o.Tell}}, bytes: 60}
	s.say()
	s.bytes = 100
	s.say()
	r.tell("%d of the oldest runs (%.1f MB) removed, which --keep has no room for", 10, 1234.56)
	if len(told) != 17 {
		t.Errorf("%d sentences: %q", len(told), told)
	}
	var v bench.Veil
	snap := &bench.Snapshot{Run: &bench.Run{}}
	for _, text := range told {
		snap.Events = append(snap.Events, bench.Event{Kind: bench.EventWarn, Text: text})
	}
	if i := slices.IndexFunc(v.Snapshot(snap).Events, func(e bench.Event) bool { return e.Text == bench.Hidden }); i >= 0 {
		t.Errorf("a veil hides %q", told[i])
	}
}
