package replay

import (
	"fmt"
	"slices"
	"time"

	"redline/bench"
	"redline/bench/record"
)

// ask changes what is asked for, and has it done.
func (d *Deck) ask(change func(w *wanted, now time.Time)) {
	now := d.now()
	d.mu.Lock()
	change(&d.want, now)
	d.mu.Unlock()
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// say leaves a word for whoever shows the run.
func (w *wanted) say(text string) { w.said, w.words = text, w.words+1 }

// go to a position; the newest request holds.
func (w *wanted) to(at time.Duration) {
	w.at, w.leap, w.leaps = min(max(at, 0), w.length), true, w.leaps+1
}

// Playback is how the run is being shown.
func (d *Deck) Playback() *bench.Playback { return d.play.Load() }

// Play plays, or rests. At the end of the recording it begins anew, unless that is still being written: then it follows.
func (d *Deck) Play(on bool) {
	grows := d.Playback().Growing
	d.ask(func(w *wanted, now time.Time) {
		w.at, w.since = w.position(now), now
		if on && !w.playing && !grows && w.at >= w.length {
			if w.speed == bench.AtOnce {
				w.speed = bench.Tempos[0]
			}
			w.to(0)
		}
		w.playing = on
	})
}

// Seek goes to an instant of the run, or to its ends from outside.
func (d *Deck) Seek(at time.Duration) { d.ask(func(w *wanted, _ time.Time) { w.to(at) }) }

// Skip goes forwards by a time, or back where it is below 0: from where the last request leads, where that has not been reached yet.
func (d *Deck) Skip(by time.Duration) {
	d.ask(func(w *wanted, now time.Time) { w.to(w.position(now) + by) })
}

// Leap goes to the next landmark, or with a number below 0 to the one before, and says where there is none. Before the landmarks are known it waits for them.
func (d *Deck) Leap(by int) {
	d.ask(func(w *wanted, now time.Time) {
		marks := d.Playback().Landmarks
		if !w.charted {
			w.later = by
		} else if at, ok := landing(marks, w.position(now), by, w.playing && !w.leap, w.length); ok {
			w.to(at)
		} else if by < 0 {
			w.say("no event before this instant")
		} else {
			w.say("no event after this instant")
		}
	})
}

// chart notes that the landmarks are known and have been handed out, and does the leap that was asked for before.
func (d *Deck) chart() {
	if !d.trail.begun {
		return
	}
	d.mu.Lock()
	by := d.want.later
	d.want.charted, d.want.later = true, 0
	d.mu.Unlock()
	if by != 0 {
		d.Leap(by)
	}
}

// behind is how long after a landmark going back leaves it alone while the run is played: else one could never pass it.
const behind = 2 * time.Second

// landing is the position at which the landmark beside another position is seen: behind its second, as that is folded whole.
func landing(marks []bench.Event, now time.Duration, by int, playing bool, length time.Duration) (time.Duration, bool) {
	seen := func(e *bench.Event) time.Duration {
		if e.Kind == bench.EventAnnotation {
			return e.At
		}
		return min(e.At.Truncate(time.Second)+time.Second, length)
	}
	if by >= 0 {
		for i := range marks {
			if at := seen(&marks[i]); at > now {
				return at, true
			}
		}
		return 0, false
	}
	if playing {
		now -= behind
	}
	for _, e := range slices.Backward(marks) {
		if at := seen(&e); at < now {
			return at, true
		}
	}
	return 0, false
}

// SetSpeed plays at another speed from now on.
func (d *Deck) SetSpeed(s bench.Tempo) {
	d.ask(func(w *wanted, now time.Time) {
		w.at, w.since = w.position(now), now
		w.speed = s
		if s == bench.AtOnce {
			w.to(w.length)
		}
	})
}

// Annotate adds a note to the file at an instant. What became of it is said (see Playback.Said).
func (d *Deck) Annotate(at time.Duration, text string) {
	d.ask(func(w *wanted, now time.Time) {
		w.notes = append(w.notes, record.Note{At: min(max(at, 0), w.length), Text: text, Written: now})
	})
}

// Post takes the commands of an engine: those that pause and resume do so with the playing, a note is added to the file, the other target is looked at, and what would drive a load is refused.
func (d *Deck) Post(c bench.Command) {
	switch c := c.(type) {
	case bench.Touch, bench.Stop, bench.Kill, bench.Answer:
	case bench.Locked:
		d.Post(c.Command)
	case bench.Pause:
		d.Play(false)
	case bench.Resume:
		d.Play(true)
	case bench.Toggle:
		d.Play(!d.Playback().Playing)
	case bench.Other:
		d.ask(func(w *wanted, _ time.Time) { w.others++ })
	case bench.Note:
		d.Annotate(d.Playback().At, c.Text)
	default:
		d.ask(func(w *wanted, _ time.Time) { w.say("this is a recording: nothing is driven") })
	}
}

// watch goes on to the next of several targets so many times: that is no command to the run, but where one looks.
func (d *Deck) watch(times int) {
	for range times {
		next, ok := d.tape.other()
		if !ok {
			d.mu.Lock()
			d.want.say("this recording has one target")
			d.mu.Unlock()
			return
		}
		d.tape.watched = next
		d.journal.Store(&bench.Journal{})
		d.rest = time.Time{}
	}
}

// annotate adds notes to the file.
func (d *Deck) annotate(notes []record.Note) {
	for _, n := range notes {
		text := fmt.Sprintf("noted at %s in the recording", stamp(n.At))
		if d.tape.growing(d.now()) {
			text = "not noted: the recording is still being written; notes go to the run itself"
		} else if err := d.tape.file.Annotate(n); err != nil {
			text = "not noted: " + err.Error()
		}
		d.tape.readNotes()
		d.mu.Lock()
		d.want.say(text)
		d.mu.Unlock()
	}
}

// stamp is an instant of a run: 03:59, 1:03:59.
func stamp(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	if s < 3600 {
		return fmt.Sprintf("%02d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
