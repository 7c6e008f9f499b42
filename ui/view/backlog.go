package view

import (
	"math"
	"strconv"
	"time"

	"redline/bench"
	"redline/ui/style"
)

// backlog is what piles up before a server that is asked for more than it does: requests sent and ended a second.
type backlog struct{ sent, done float64 }

// backlogSpans are the spans over which requests are seen to pile up: a great lack shows in seconds, a small one only over many requests.
var backlogSpans = [...]time.Duration{10 * time.Second, 30 * time.Second, time.Minute}

const (
	// leastBacklog is the least span that tells anything.
	leastBacklog = 4 * time.Second
	// So many requests, and such a share of those sent, have to pile up.
	leastPiled, leastShare = 5, 0.2
	// chance is how many standard deviations a pile has to be beyond what arrivals by chance make.
	chance = 2.5
	// filling is how many times as long as a request lasts on average a load fills the server, whatever that can do.
	filling = 1.5
)

// findBacklog tells what piles up at the end of the last second; ok is false in the closed loop, which cannot ask for more than is done.
func (f *frame) findBacklog() (backlog, bool) {
	s := f.live
	if s.Target.Mode != bench.Open || s.State != bench.Running {
		return backlog{}, false
	}
	// Soon after a change of the load more is in flight because more is asked for, unless it had been piling up before.
	end := s.Folded
	out, ok := piled(s, end, begun(s, len(s.Levels)-1))
	for i := len(s.Levels) - 1; ok && i >= max(0, len(s.Levels)-5); i-- {
		if end-begun(s, i) >= fillTime(s, begun(s, i), end) {
			return out, true
		}
		if end = begun(s, i); i == 0 {
			break
		}
		if _, before := piled(s, end, begun(s, i-1)); !before {
			break
		}
	}
	return backlog{}, false
}

// begun is when a level began, in whole seconds; 0 where there is none.
func begun(s *bench.Snapshot, i int) time.Duration {
	if i < 0 {
		return 0
	}
	return (s.Levels[i].Begin + time.Second - 1).Truncate(time.Second)
}

// fillTime is how long a load may fill the server, by how long the requests lasted that ended in its first minute: later ones may have waited for long.
func fillTime(s *bench.Snapshot, begin, end time.Duration) time.Duration {
	stay, n := 0.0, 0
	for _, b := range within(s.Buckets, begin, min(end, begin+time.Minute)) {
		stay, n = stay+b.Stay, n+b.Completions()
	}
	if n == 0 || !(stay > 0) {
		return time.Minute
	}
	mean := time.Duration(min(stay/float64(n), 3600) * float64(time.Second))
	return max(time.Duration(filling*float64(mean)), mean+leastBacklog)
}

// piled tells whether requests pile up in the time before an instant, and still do; of the level that began last alone once it has lasted a few seconds.
func piled(s *bench.Snapshot, end, begin time.Duration) (backlog, bool) {
	for _, span := range backlogSpans {
		from := end - span
		if end-begin >= leastBacklog {
			from = max(from, begin)
		}
		sent, ended, seconds := passed(s, from, end)
		lately, gone, _ := passed(s, end-leastBacklog, end)
		least := max(leastPiled, leastShare*sent, chance*math.Sqrt(sent+ended))
		if seconds >= leastBacklog.Seconds() && sent-ended > least && lately-gone > leastShare*lately {
			return backlog{sent / seconds, ended / seconds}, true
		}
		if from > end-span {
			break
		}
	}
	return backlog{}, false
}

// passed is how many requests were sent and ended in a stretch of time in which the open loop was sending, and how many seconds of it there are.
func passed(s *bench.Snapshot, from, to time.Duration) (sent, ended, seconds float64) {
	for _, b := range within(s.Buckets, max(from, 0), to) {
		if b.Target.Mode == bench.Open {
			sent, ended, seconds = sent+float64(b.Sent), ended+float64(b.Completions()), seconds+b.Span.Seconds()
		}
	}
	return sent, ended, seconds
}

// words is the backlog in words, in ever fewer of them: "done 1.0 of 4.0/s: backlog +3/s".
func (b backlog) words() []string {
	done := "done " + pace(b.done) + " of " + pace(b.sent) + "/s"
	grows := "backlog +" + growth(b.sent-b.done) + "/s"
	return []string{done + ": " + grows, grows, "backlog"}
}

// backlogFact is the backlog in the longest words that fit; nil without one.
func (f *frame) backlogFact(gap string, room int) []part {
	if !f.piling {
		return nil
	}
	for _, text := range f.pile.words() {
		if f.st.Set.Width(gap+text) <= room {
			return []part{{style.Bad, gap + text}}
		}
	}
	return nil
}

// pace is a rate that changes with every second, in two digits.
func pace(n float64) string {
	switch {
	case n >= 9.95:
		return strconv.FormatFloat(n, 'f', 0, 64)
	case n >= 0.995 || n == 0:
		return strconv.FormatFloat(n, 'f', 1, 64)
	}
	return strconv.FormatFloat(n, 'f', 2, 64)
}

// growth is such a rate without needless decimals.
func growth(n float64) string {
	if whole := math.Round(n); n >= 0.995 && math.Abs(n-whole) < 0.05 {
		return strconv.FormatFloat(whole, 'f', 0, 64)
	}
	return pace(n)
}

// awaited is about how long a stat takes to become ready; 0 where that is not known. Of arrivals that nothing comes of there will be no sample: in the
// open loop samples come as fast as first tokens do.
func (f *frame) awaited(m bench.Metric, st *bench.Stat) time.Duration {
	s := f.s
	if f.piling || f.level != nil && shortfall(f.level) != "" || silence(s) != "" {
		return 0
	}
	if s.Target.Mode != bench.Open || m == bench.ITL || m == bench.TPM || st.Need <= 0 || st.Wait <= 0 {
		return st.Wait
	}
	n, seconds := 0.0, 0.0
	for _, b := range within(s.Buckets, max(s.Folded-backlogSpans[0], 0), s.Folded) {
		n, seconds = n+float64(b.TTFT.N), seconds+b.Span.Seconds()
	}
	if n == 0 {
		return 0
	}
	return max(st.Wait, time.Duration(min(float64(st.Need)*seconds/n, 1e6)*float64(time.Second)))
}
