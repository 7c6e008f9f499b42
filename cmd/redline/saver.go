package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"redline/bench/report"
	"redline/ui"
)

// saver writes what S saves: the frame as text and with its looks, the summary as JSON and as Markdown.
type saver struct {
	dir   string
	clean func(string) string
	end   report.Options
	// kept is how the run is kept; nil where there is nothing to keep.
	kept func(private bool) *report.Kept
	now  func() time.Time
	// busy is held while files are being written.
	busy sync.Mutex
}

// lastSave is how long leaving waits for files that are being written.
const lastSave = 2 * time.Second

// most is how many files may have the same name but for a number.
const most = 1000

// save writes the four files and tells where they are. Nothing is ever overwritten, and a set that cannot be written whole leaves nothing behind.
func (v *saver) save(f ui.Frame) (where string, err error) {
	v.busy.Lock()
	defer v.busy.Unlock()
	s, now := f.Snapshot, v.now()
	if s.Run == nil {
		return "", errors.New("there is no run yet")
	}
	s = report.Cleaned(s, v.clean)
	end := v.end
	end.Why, end.Private, end.Saved = s.Why, f.Private, now
	if v.kept != nil {
		end.Kept = v.kept(f.Private)
	}
	doc := report.Of(s, end)
	data, err := doc.JSON()
	if err != nil {
		return "", fmt.Errorf("the summary as JSON: %w", err)
	}
	parts := []part{{".txt", v.clean(f.Text)}, {".ansi", v.clean(f.ANSI)}, {".json", string(data)}, {".md", doc.Markdown()}}
	stem := "redline-" + now.Format("20060102-150405") + "-" + runClock(s.At)
	for n := 1; n <= most; n++ {
		name := stem
		if n > 1 {
			name = fmt.Sprintf("%s-%d", stem, n)
		}
		err := writeSet(filepath.Join(v.dir, name), parts)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		return filepath.Join(v.dir, name) + " .txt .ansi .json .md", nil
	}
	return "", fmt.Errorf("%s: %d of that name are there already", filepath.Join(v.dir, stem), most)
}

// wait lets files that are being written come to their end, but not for long.
func (v *saver) wait() {
	done := make(chan struct{})
	go func() {
		v.busy.Lock()
		defer v.busy.Unlock()
		close(done)
	}()
	late := time.NewTimer(lastSave)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	}
}

// runClock is an instant of the run as a name of a file has it: 0412 for four minutes and twelve seconds, 1h0412 after an hour.
func runClock(at time.Duration) string {
	s := int(max(at, 0) / time.Second)
	text := fmt.Sprintf("%02d%02d", s/60%60, s%60)
	if s >= 3600 {
		text = fmt.Sprintf("%dh", s/3600) + text
	}
	return text
}

// part is one of the files of a set: how its name ends, and what is in it.
type part struct{ ending, text string }

// writeSet writes files that are named alike but for their endings. Only their owner may read them: they tell of hosts and of what was said.
func writeSet(stem string, parts []part) (err error) {
	var made []string
	defer func() {
		if err != nil {
			for _, path := range made {
				_ = os.Remove(path)
			}
		}
	}()
	files := make([]*os.File, 0, len(parts))
	defer func() {
		for _, f := range files {
			_ = f.Close()
		}
	}()
	for _, p := range parts {
		f, err := os.OpenFile(stem+p.ending, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		made, files = append(made, f.Name()), append(files, f)
	}
	for i, f := range files {
		if _, err := f.WriteString(parts[i].text); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
