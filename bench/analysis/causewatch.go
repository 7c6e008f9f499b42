package analysis

import (
	"slices"
	"time"

	"redline/bench"
)

// Watch follows the diagnosis of a run, so that what is named does not come and go with each second. A cause is named once it has held for 3 s, at once where
// its level is new, where it could not be judged before, or the server is gone; it is taken back when it has not held for 5 s. The one that is named first stays so until another has weighed
// clearly more for 5 s. The zero Watch is ready; it is not safe for concurrent use.
type Watch struct {
	run     *bench.Run
	level   int
	at      time.Duration
	state   bench.RunState
	seen    *Diagnosis
	causes  [NumCauses]watched
	first   Cause
	leads   bool
	rivalOf time.Duration
	rival   Cause
	rivals  bool
}

// watched is what is known of a cause over time.
type watched struct {
	// lacked: it could not be judged the second before.
	holds, named, lacked bool
	// since is when it began to hold, or ceased to.
	since time.Duration
	last  Reason
}

const (
	namedAfter = 3 * time.Second
	goneAfter  = 5 * time.Second
	// clearly is by how much more another cause must weigh to be named first.
	clearly = 0.1
)

// See is the diagnosis at the snapshot's last second, nil before there is a level. The same second gives the same diagnosis.
func (w *Watch) See(s *bench.Snapshot) *Diagnosis {
	if s == nil || s.Run == nil || len(s.Levels) == 0 {
		*w = Watch{}
		return nil
	}
	level := s.Level().ID
	// Another Run is another run, other promises, or a veil: what was said before is then not to be repeated.
	anew := w.seen == nil || w.run != s.Run || w.level != level || s.Folded < w.at
	if !anew && w.at == s.Folded && w.state == s.State {
		return w.seen
	}
	d := Diagnose(s)
	if anew {
		*w = Watch{run: s.Run, level: level}
	}
	w.at, w.state = s.Folded, s.State
	w.take(d, anew)
	d.Found = w.named()
	w.lead(d)
	w.seen = d
	return d
}

// take notes which causes hold at this second.
func (w *Watch) take(d *Diagnosis, anew bool) {
	var holds [NumCauses]bool
	for _, r := range d.Found {
		c := &w.causes[r.Cause]
		holds[r.Cause], c.last = true, r
	}
	for i := range w.causes {
		c := &w.causes[i]
		if c.holds != holds[i] {
			c.holds, c.since = holds[i], w.at
		}
		switch lasted := w.at - c.since; {
		case c.holds && (anew || c.lacked || Cause(i) == ServerDied || lasted >= namedAfter):
			c.named = true
		case !c.holds && (lasted >= goneAfter || Cause(i) == ServerDied):
			c.named = false
		}
		c.lacked = false
	}
	for _, l := range d.Lacks {
		w.causes[l.Cause].lacked = true
	}
}

// named are the reasons that are named, the weightiest first.
func (w *Watch) named() []Reason {
	var out []Reason
	for i := range w.causes {
		if w.causes[i].named {
			out = append(out, w.causes[i].last)
		}
	}
	slices.SortStableFunc(out, heavier)
	return out
}

// lead keeps the reason that is named first in its place.
func (w *Watch) lead(d *Diagnosis) {
	if len(d.Found) == 0 {
		w.leads = false
		return
	}
	at := slices.IndexFunc(d.Found, func(r Reason) bool { return r.Cause == w.first })
	top := d.Found[0]
	if !w.leads || at < 0 || top.Cause == ServerDied {
		w.first, w.leads, w.rivals = top.Cause, true, false
		return
	}
	was := d.Found[at]
	switch {
	case at == 0 || top.Grade == was.Grade && top.Weight < was.Weight+clearly:
		w.rivals = false
	case !w.rivals || w.rival != top.Cause:
		w.rivals, w.rival, w.rivalOf = true, top.Cause, w.at
	case w.at-w.rivalOf >= goneAfter:
		w.first, w.rivals = top.Cause, false
		return
	}
	d.Found = slices.Insert(slices.Delete(d.Found, at, at+1), 0, was)
}
