package load

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"redline/bench"
)

// crowd drives n slots against a server that counts a request when it comes and states its quota in headers that come after latency.
// It returns what was sent, the least that was left, and in how many windows less than keep was left.
func crowd(n int, limit, share float64, per time.Duration, latency func(*rand.Rand) time.Duration, over time.Duration) (sent int, lowest float64, windows int) {
	rng, r := rand.New(rand.NewPCG(1, 2)), NewReserve(share, nil)
	left, window, bad := limit, time.Duration(0), map[time.Duration]bool{}
	lowest = limit
	word := func(now time.Duration) bench.Quota {
		return bench.Quota{Name: "requests", Per: per, Limit: bench.Some(limit), Remaining: bench.Some(max(left, 0)), Reset: bench.MarkAt(per - now%per), At: now}
	}
	r.See(nil, []bench.Quota{word(0)}) // preflight
	slots := make([]struct {
		next, sent time.Duration
		t          *Ticket
		q          bench.Quota
	}, n)
	for {
		s := &slots[0]
		for j := range slots {
			if slots[j].next < s.next {
				s = &slots[j]
			}
		}
		now := s.next
		if now >= over {
			return sent, lowest, len(bad)
		}
		if s.t != nil { // the headers come
			s.q.Reset = bench.MarkAt(max(s.q.Reset.At-(now-s.q.At), 0)) // as an epoch would be read
			s.q.At = now
			r.See(s.t, []bench.Quota{s.q})
			r.Done(s.t, 50)
			s.t = nil
		}
		t, wait, _ := r.Ask(now, &prompt)
		if t == nil {
			s.next = now + wait
			continue
		}
		if now/per != window {
			window, left = now/per, limit
		}
		sent++
		if left--; left < share*limit-1 {
			bad[window] = true
		}
		lowest = min(lowest, left)
		s.t, s.q, s.next = t, word(now), now+latency(rng)
	}
}

func TestReserveHoldsThoughAnswersOvertakeOneAnother(t *testing.T) {
	for _, n := range []int{64, 256} {
		sent, lowest, windows := crowd(n, 1000, 0.3, time.Minute, func(rng *rand.Rand) time.Duration {
			return 200*time.Millisecond + time.Duration(rng.ExpFloat64()*float64(2*time.Second))
		}, 5*time.Minute)
		if lowest < 298 {
			t.Errorf("%d slots: %d sent; %.0f of 1000 left at the lowest, 300 are to be kept; too few in %d of 5 windows", n, sent, lowest, windows)
		}
	}
}

func TestReserveOfAQuotaPerSecond(t *testing.T) {
	sent, lowest, windows := crowd(16, 20, 0.5, time.Second, func(rng *rand.Rand) time.Duration {
		return 300*time.Millisecond + time.Duration(rng.IntN(600))*time.Millisecond
	}, time.Minute)
	if windows > 2 {
		t.Errorf("20 a second, half to be kept: %d sent, %.0f left at the lowest, too few in %d of 60 seconds", sent, lowest, windows)
	}
}

func TestReserveTakesAResetOfZeroForNone(t *testing.T) {
	r, left := NewReserve(0.5, nil), 100.0
	for now := time.Duration(0); now < 20*time.Second && left > 0; {
		ticket, wait, _ := r.Ask(now, &prompt)
		if ticket == nil {
			now += wait
			continue
		}
		left--
		now += 5 * time.Millisecond
		r.See(ticket, []bench.Quota{{Name: "requests", Per: time.Minute, Limit: bench.Some(100), Remaining: bench.Some(left), Reset: bench.MarkAt(0), At: now}})
		r.Done(ticket, 50)
	}
	if left < 48 {
		t.Errorf("%.0f of 100 left, 50 are to be kept", left)
	}
}

func TestReserveCountsSendsThatNoHeadersFollow(t *testing.T) {
	r, sent := NewReserve(0.5, nil), 0
	r.See(nil, []bench.Quota{{Name: "requests", Per: time.Minute, Limit: bench.Some(100), Remaining: bench.Some(100), Reset: bench.MarkAt(time.Minute)}})
	for now := time.Duration(0); now < 30*time.Second; now += 100 * time.Millisecond {
		if ticket, _, _ := r.Ask(now, &prompt); ticket != nil {
			sent++
			r.Done(ticket, 50) // a timeout before the headers, a 502 of a proxy, a reset connection
		}
	}
	if sent > 80 {
		t.Errorf("%d sent in 30 s on a quota of 100 a minute with half to be kept", sent)
	}
}

func TestReserveFollowsAQuotaThatShrinks(t *testing.T) {
	r, sent, left, window := NewReserve(0.3, nil), 0, 1000.0, time.Duration(1)
	r.See(nil, []bench.Quota{{Name: "requests", Per: time.Minute, Remaining: bench.Some(100_000), Reset: bench.MarkAt(time.Minute)}})
	for now := time.Minute; now < 11*time.Minute; {
		ticket, wait, _ := r.Ask(now, &prompt)
		if ticket == nil {
			now += wait
			continue
		}
		if w := now / time.Minute; w != window {
			window, left = w, 1000
		}
		sent++
		left--
		now += 5 * time.Millisecond
		r.See(ticket, []bench.Quota{{Name: "requests", Per: time.Minute, Remaining: bench.Some(left), Reset: bench.MarkAt(time.Minute - now%time.Minute), At: now}})
		r.Done(ticket, 50)
	}
	if sent < 1000 {
		t.Errorf("%d sent in 10 minutes on what is 1000 a minute now", sent)
	}
}

func TestReserveOfAnUnknownLimitDoesNotStarve(t *testing.T) {
	for _, limit := range []bench.Value{{}, bench.Some(0)} {
		r := NewReserve(0.3, nil)
		// Stated once: in a 429 without a limit, or as "0 of 0" by a gateway without limits.
		r.See(nil, []bench.Quota{{Name: "requests", Per: time.Minute, Limit: limit, Remaining: bench.Some(0)}})
		r.Ask(time.Hour, &prompt)
		if second, _, why := r.Ask(25*time.Hour, &prompt); second == nil {
			t.Errorf("limit %v: a day later there is still only one request at a time: %s", limit, why)
		}
	}
}

func TestReserveFollowsSoManyQuotas(t *testing.T) {
	r := NewReserve(0.3, nil)
	for i := range 4000 {
		var q []bench.Quota
		for j := range 24 {
			q = append(q, bench.Quota{Name: fmt.Sprintf("q-%d-%d", i, j), Per: time.Minute, Limit: bench.Some(100), Remaining: bench.Some(99)})
		}
		r.See(nil, q)
	}
	begin := time.Now()
	r.Ask(time.Second, &prompt)
	if len(r.pools) > 100 {
		t.Errorf("%d quotas are kept after 4000 answers; one Ask takes %v under the lock that all slots share", len(r.pools), time.Since(begin))
	}
}

// A server that counts output tokens as they are made (Anthropic's OTPM): the headers come before any of them.
func TestReserveCountsOutputThatIsStillBeingMade(t *testing.T) {
	const limit, tokens = 20_000.0, 500
	work := &bench.Prompt{InputTokens: 100, MaxTokens: tokens}
	r, used, lowest := NewReserve(0.5, nil), 0.0, limit
	word := func(now time.Duration) []bench.Quota {
		return []bench.Quota{{Name: "output-tokens", Kind: bench.QuotaOutput, Per: time.Minute, Limit: bench.Some(limit), Remaining: bench.Some(max(limit-used, 0)), Reset: bench.MarkAt(time.Minute - now%time.Minute), At: now}}
	}
	r.See(nil, word(0)) // preflight
	type stream struct {
		ticket *Ticket
		ends   time.Duration
	}
	var running []stream
	for now := time.Duration(0); now < 50*time.Second; now += 100 * time.Millisecond {
		for len(running) < 64 {
			ticket, _, _ := r.Ask(now, work)
			if ticket == nil {
				break
			}
			r.See(ticket, word(now)) // its headers
			running = append(running, stream{ticket, now + 10*time.Second})
		}
		keep := running[:0]
		for _, s := range running {
			used += tokens / 100.0 // 50 tok/s
			if s.ends <= now {
				r.Done(s.ticket, 500)
				continue
			}
			keep = append(keep, s)
		}
		running = keep
		lowest = min(lowest, limit-used)
	}
	if lowest < 0.5*limit-3*tokens {
		t.Errorf("%.0f of %.0f output tokens left at the lowest, %.0f are to be kept", lowest, limit, 0.5*limit)
	}
}
