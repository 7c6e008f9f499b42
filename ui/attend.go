package ui

import (
	"strconv"
	"time"

	"redline/bench"
)

// attend pauses a run that nobody seems to watch, and says so in the last minute before it does.
func (m *model) attend() {
	if m.o.IdleLimit <= 0 || m.snap.State != bench.Running {
		return
	}
	left := m.o.IdleLimit - m.now().Sub(m.lastKey)
	switch {
	case left <= 0:
		m.engine.Post(bench.Pause{Why: "no key for " + span(m.o.IdleLimit)})
		m.lastKey = m.now()
	case left <= time.Minute:
		m.st.Notice = "no key for a long time: the run pauses in " + strconv.Itoa(int(left/time.Second)+1) + " s; any key goes on"
		m.notice = m.now().Add(2 * time.Second)
	}
}

// span is a limit in words.
func span(d time.Duration) string {
	if d >= time.Minute {
		return strconv.Itoa(int(d/time.Minute)) + " min"
	}
	return strconv.Itoa(int(d/time.Second)) + " s"
}

// meter is what the screen has cost over the last seconds.
type meter struct {
	bytes func() uint64
	marks [8]struct {
		at time.Time
		n  uint64
	}
	next int
}

// rate is bytes per second since the oldest mark; below 0 when not known.
func (t *meter) rate(now time.Time) float64 {
	if t.bytes == nil {
		return -1
	}
	n := t.bytes()
	last := (t.next + len(t.marks) - 1) % len(t.marks)
	if now.Sub(t.marks[last].at) >= time.Second {
		t.marks[t.next].at, t.marks[t.next].n = now, n
		t.next = (t.next + 1) % len(t.marks)
	}
	for i := range t.marks {
		mark := t.marks[(t.next+i)%len(t.marks)]
		if age := now.Sub(mark.at); !mark.at.IsZero() && age >= time.Second {
			return float64(n-mark.n) / age.Seconds()
		}
	}
	return -1
}
