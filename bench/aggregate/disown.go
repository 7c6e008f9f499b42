package aggregate

import (
	"time"

	"redline/bench"
)

// disown takes what a stream that failed in the end, or came in one burst, has left in the statistics of latencies out again, second by second: its
// gaps, its inter-token latencies, and its part of the decode speed. Its tokens stay counted as traffic. decoded is what was booked of its tokens after the first chunk,
// from the instant decodes on.
//
// From a list that was thinned single gaps cannot be taken out any more, since it holds sums: of a stream of thousands of chunks they stay, and only
// the speed is set right.
func (l *late) disown(e *bench.Ended, gaps *bench.GapList, w weighing, decoded float64, decodes time.Duration) {
	// Where the server counted as it went, its counts are what was booked.
	entries := gaps.AllTokens()
	if w == atEnd {
		entries = gaps.All()
	}
	all := 0
	for _, n := range entries {
		all += n
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	at, waiting := e.Marks.FirstChunk.At, time.Duration(0)
	for gap, n := range entries {
		at += gap
		second := secondOf(at, e)
		l.decoded[second] -= decoded * float64(n) / float64(max(all, 1))
		if gaps.Thinned() {
			continue
		}
		l.in(l.wrongGap, second).Add(bench.Millis(gap), 1)
		if waiting += gap; w != atEnd && n > 0 {
			l.in(l.wrong, second).Add(bench.Millis(waiting)/float64(n), n)
			waiting = 0
		}
	}
	for from, over := decodes, e.Marks.Ended.At; from < over; {
		to := min((from/time.Second+1)*time.Second, over)
		l.spare[secondOf(from, e)] -= (to - from).Seconds()
		from = to
	}
}
