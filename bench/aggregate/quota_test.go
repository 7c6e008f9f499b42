package aggregate

import (
	"testing"
	"time"

	"redline/bench"
)

func quota(name string, left float64, per, at time.Duration) bench.Quota {
	return bench.Quota{Name: name, Limit: bench.Some(100), Remaining: bench.Some(left), Per: per, At: at}
}

func TestNewestWordOnEachQuotaStands(t *testing.T) {
	m, s := NewMeter(2, 0), NewState(&bench.Run{})
	second := func(n int) *bench.Snapshot { s.Fold(m.Cut(n)); return s.Snapshot() }
	m.Quotas([]bench.Quota{quota("tokens", 50, time.Minute, 300*time.Millisecond), quota("requests", 80, time.Minute, 300*time.Millisecond)})
	m.Quotas([]bench.Quota{quota("requests", 81, time.Minute, 200*time.Millisecond)})
	first := second(0)
	if q := first.Quotas; len(q) != 2 || q[0].Name != "requests" || q[0].Remaining.V != 80 || q[1].Remaining.V != 50 {
		t.Fatalf("quotas %+v; want requests 80 (an answer that was overtaken does not count), tokens 50", q)
	}
	m.Quotas([]bench.Quota{quota("requests", 70, bench.Day, 1500*time.Millisecond)})
	m.Quotas([]bench.Quota{quota("requests", 69, time.Minute, 1600*time.Millisecond)})
	if q := second(1).Quotas; q[0].Remaining.V != 69 || q[0].Per != bench.Day || q[1].Remaining.V != 50 {
		t.Errorf("quotas %+v; want requests 69 a day, as an answer gave away, and tokens as before", q)
	}
	if q := first.Quotas; q[0].Remaining.V != 80 {
		t.Errorf("an earlier snapshot has changed: %+v", q)
	}
}

func TestNewestFailureOfEachClassIsKept(t *testing.T) {
	m, s := NewMeter(1, 0), NewState(&bench.Run{})
	fail := func(id uint64, at time.Duration, outcome bench.Outcome, head string) {
		r := request(id, 1)
		r.Prompt.Text = "a long prompt"
		e := over(0, at, outcome)
		e.Request, e.Head = *r, head
		m.Probe(r, 0).End(e)
	}
	fail(1, 100*time.Millisecond, bench.ServerError, "old")
	fail(2, 400*time.Millisecond, bench.Malformed, "<html>")
	fail(3, 300*time.Millisecond, bench.ServerError, "new")
	fail(4, 500*time.Millisecond, bench.OK, "")
	fail(5, 600*time.Millisecond, bench.Cancelled, "")
	s.Fold(m.Cut(0))
	got := s.Snapshot().Failures
	if len(got) != 2 || got[0].Head != "<html>" || got[1].Head != "new" || got[0].Prompt.Text != "" {
		t.Errorf("failures %+v; want the newest of each class, newest first, without its prompt", got)
	}
}

func TestConnectionsAreTimed(t *testing.T) {
	m, s := NewMeter(1, 0), NewState(&bench.Run{})
	for i := range 4 {
		r := request(uint64(i+1), 1)
		e := over(0, time.Duration(i+1)*100*time.Millisecond, bench.OK)
		e.Request, e.Marks.Connected, e.Reused = *r, bench.MarkAt(0), i > 0
		if i == 0 {
			e.Connect = bench.Connect{DNS: time.Millisecond, TCP: 2 * time.Millisecond, TLS: 9 * time.Millisecond}
		}
		e.Counts.Malformed = i
		m.Probe(r, 0).End(e)
	}
	s.Fold(m.Cut(0))
	total := s.Snapshot().Total
	if total.NewConnections != bench.Some(0.25) || total.Connect.N != 1 || total.Handshake.N != 1 || total.Malformed != 6 {
		t.Errorf("new connections %v, connect %+v, handshake %+v, %d malformed; want a quarter, one of 3 ms and 9 ms, 6",
			total.NewConnections, total.Connect, total.Handshake, total.Malformed)
	}
	if c, h := total.Connect.P50.V, total.Handshake.P50.V; c < 2.9 || c > 3.1 || h < 8.8 || h > 9.2 {
		t.Errorf("connect %.2f ms, handshake %.2f ms; want 3 and 9", c, h)
	}
}

// TestTheMinuteCountsEveryAttemptAndTheTokensThatTPMCounts: what was refused, or failed before its first token, has cost an attempt and no tokens.
func TestTheMinuteCountsEveryAttemptAndTheTokensThatTPMCounts(t *testing.T) {
	m, s := NewMeter(1, 0), NewState(&bench.Run{})
	for i, o := range []bench.Outcome{bench.OK, bench.RateLimited, bench.ServerError, bench.TimeoutFirst, bench.Truncated} {
		r := request(uint64(i+1), 1)
		p := m.Probe(r, 0)
		p.Started(100 * time.Millisecond)
		e := over(0, 500*time.Millisecond, o)
		e.Request = *r
		if o == bench.OK || o == bench.Truncated {
			p.Chunk(bench.Chunk{At: 200 * time.Millisecond, First: true, Events: 1, Tokens: 1})
			e.Marks.FirstToken = bench.MarkAt(200 * time.Millisecond)
			e.Counts = bench.Counts{Output: 1}
		}
		p.End(e)
	}
	s.Fold(m.Cut(0))
	snap := s.Snapshot()
	if use := snap.Minute; use.Attempts != 5 || use.Tokens != 2*(100+1) || use.Tokens != snap.Buckets[0].Tokens() {
		t.Errorf("%+v, and %d tokens in the bucket; want 5 attempts, 202 tokens", use, snap.Buckets[0].Tokens())
	}
}
