package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/record"
	"redline/bench/report"
	"redline/ui/view"
)

// recordOff keeps no run.
const recordOff = "off"

// keeping is what the operator wants to be kept of a run, and where.
type keeping struct {
	// record is the file, or the folder; empty for the operator's own folder.
	record string
	// texts keeps prompts and answers too.
	texts bool
	keep  keepSize
	// file and folder are what that comes to, of which at most one is set; none is why there is neither.
	file, folder, none string
	// options are the flags that were given, as words without secrets.
	options []string
}

func (k *keeping) define(f flags) {
	f.StringVar(&k.record, "record", "", "keep the run in the file `PATH`, which must not exist, or in that folder; off keeps none (default: in your folder of runs; with --private none)")
	define(f, &k.keep, "keep", "", "SIZE", "remove the oldest runs of your folder until it holds no more than SIZE, as in 500MB, 2GB or '50 runs'; all keeps everything (default 2GB)", parseKeep)
	f.BoolVar(&k.texts, "record-text", false, "keep the beginning of each prompt, and of its answer, in the run's file too")
}

// checkRecord finds out where the run is kept.
func (m *Main) checkRecord(s *settings, fs *pflag.FlagSet, found *problems) {
	k := &s.keeping
	asked := found.from.asked
	switch {
	case k.record == recordOff:
		k.none = "--record off"
		if found.from["record"].source != fromFlag {
			k.none = "record = off"
		}
	case k.record == "" && s.screen.private:
		k.none = "private; --record PATH keeps it all the same"
	case k.record == "":
		if k.folder = m.runsFolder(); k.folder == "" {
			k.none = "no home is known; --record PATH keeps it"
		}
	default:
		k.place(filepath.Join(m.base(k.record), k.record), found)
	}
	if k.none != "" && k.texts && found.from["record-text"].source == fromFlag {
		found.addSwitch("record-text", "want a run that is kept: "+k.none)
	}
	if k.file != "" && asked("keep") && k.keep.Runs > 0 {
		found.add("keep", k.keep.String(), "want a size: --record names one file")
	}
	if k.record != "" && !asked("keep") {
		// In a folder that was named for it nothing is removed unasked. What bounds a file stands.
		k.keep.asked = false
	}
	k.options = s.words(fs, found.from)
}

// base is the folder that a path is in which does not say so itself.
func (m *Main) base(path string) string {
	if filepath.IsAbs(path) {
		return ""
	}
	return m.Folder
}

// place takes the path that was named, and notes what is wrong with it before anything has begun.
func (k *keeping) place(path string, found *problems) {
	info, err := os.Stat(path)
	_, there := os.Lstat(path)
	switch {
	case err == nil && info.IsDir():
		k.folder = path
	case err == nil || there == nil:
		found.add("record", k.record, "want a file that does not exist: no run is written over another")
	case strings.HasSuffix(k.record, "/") || strings.HasSuffix(k.record, string(filepath.Separator)):
		found.add("record", k.record, "want a folder that is there")
	default:
		if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
			found.add("record", k.record, "want a folder that is there: "+filepath.Dir(path)+" is none")
			return
		}
		k.file = path
	}
}

// words are the settings that are not the defaults, as words of a command line, without what may be a secret.
func (s *settings) words(fs *pflag.FlagSet, from origins) []string {
	var out []string
	fs.VisitAll(func(f *pflag.Flag) {
		if !from.asked(f.Name) || f.Name == "help" || f.Name == "record" {
			return
		}
		text := report.Printable(s.shown(f))
		if f.Name == "slo" && len(s.thresholds) == 0 {
			text = "none" // as it is typed
		}
		if f.Value.Type() == "bool" {
			out = append(out, "--"+f.Name+"="+text)
			return
		}
		out = append(out, "--"+f.Name, text)
	})
	return out
}

// recording keeps the run of a session in a file.
type recording struct {
	keeping
	recorder *record.Recorder
	// panicked is told of a panic of the recorder, which the run survives.
	panicked func(reason any, stack []byte)
	mu       sync.Mutex
	// post hands a command to the engine, once there is one; told are those that came before.
	post func(bench.Command)
	told []bench.Command
}

// begin begins a run file for the engines that are about to be made, with their names.
func (r *recording) begin(k keeping, clock bench.Clock, stand func() (int, bool), names []string, all []*engine.Options) {
	r.keeping = k
	if k.file == "" && k.folder == "" {
		return
	}
	machine, _ := os.Hostname()
	h := record.Header{
		Schema: record.Schema, Redline: version(), Began: clock.Start(), Options: k.options, Texts: k.texts,
		Machine: record.Machine{Name: machine, OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.GOMAXPROCS(0), Go: runtime.Version()},
	}
	for i, o := range all {
		run := o.Run
		run.Start = clock.Start()
		h.Tracks = append(h.Tracks, record.TrackHeader{Name: names[i], Run: &run})
	}
	o := record.Options{Path: k.file, Dir: k.folder, Header: h, Stand: stand, Most: k.keep.Bytes, Tell: r.tell, Panic: r.panicked}
	if k.keep.asked {
		o.Keep = k.keep.Keep
	}
	if k.keep.Runs > 0 {
		o.Most = defaultKeep.Bytes
	}
	r.recorder = record.Begin(o)
	for i, o := range all {
		o.Recorder = r.recorder.Track(i)
	}
}

// tell puts a sentence into the log of the run.
func (r *recording) tell(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.post == nil {
		r.told = append(r.told, bench.Remark{Text: text})
		return
	}
	r.post(bench.Remark{Text: text})
}

// engage names the engine whose log is the run's.
func (r *recording) engage(post func(bench.Command)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.post = post
	for _, c := range r.told {
		post(c)
	}
	r.told = nil
}

// close ends the file.
func (r *recording) close() {
	if r.recorder == nil {
		return
	}
	// What is wrong is in its standing, and told with the summary.
	_ = r.recorder.Close()
}

// shown is how the run is kept, for the screen.
func (r *recording) shown() view.Recording {
	if r.recorder == nil {
		return view.Recording{}
	}
	s := r.recorder.Standing()
	out := view.Recording{On: true, Short: s.Short}
	switch s.Phase {
	case record.Failing:
		out.Wrong = s.Why
	case record.Saved:
		out.Saved = strings.TrimSuffix(filepath.Base(s.Path), record.Extension)
	}
	return out
}

// keeps tells whether the run is being kept.
func (r *recording) keeps() bool {
	return r.recorder != nil && r.recorder.Standing().Phase == record.Recording
}
