package load

import (
	"testing"
	"time"

	"redline/bench"
)

// provider is a server with one quota of requests a minute, as it tells of it.
type provider struct {
	limit, left float64
	atOnce      bool
	filled      time.Duration
	lowest      float64
}

func (p *provider) send(now time.Duration) bench.Quota {
	per := time.Minute
	if p.atOnce {
		if now/per > p.filled/per {
			p.left = p.limit
		}
	} else {
		p.left = min(p.left+p.limit*float64(now-p.filled)/float64(per), p.limit)
	}
	p.filled = now
	p.left--
	p.lowest = min(p.lowest, p.left)
	reset := per - now%per
	if !p.atOnce {
		reset = time.Duration((p.limit - p.left) / p.limit * float64(per))
	}
	return bench.Quota{Name: "requests", Per: per, Limit: bench.Some(p.limit), Remaining: bench.Some(float64(int(p.left))), Reset: bench.MarkAt(reset), At: now}
}

var prompt = bench.Prompt{InputTokens: 100, MaxTokens: 50}

// push asks as fast as it may for a time, each send being answered at once, and returns how many were sent.
func push(r *Reserve, p *provider, over time.Duration) (sent int) {
	for now := time.Duration(0); now < over; {
		t, wait, _ := r.Ask(now, &prompt)
		if t == nil {
			now += wait
			continue
		}
		sent++
		now += 5 * time.Millisecond
		r.See(t, []bench.Quota{p.send(now)})
		r.Done(t, 50)
	}
	return sent
}

func TestReserveSparesAShareOfTheQuota(t *testing.T) {
	for _, c := range []struct {
		why              string
		limit            float64
		atOnce           bool
		share            float64
		lowest           float64
		fewest, greatest int
	}{
		{"a quota that refills steadily: a full bucket down to the reserve, then as it refills", 1000, false, 0.3, 299, 700 + 4*800, 700 + 5*1000 + 20},
		{"a quota that refills all at once: down to the reserve in each window", 1000, true, 0.3, 299, 5*700 - 5, 5*700 + 5},
		{"one that is used up before its headers can tell which: a send or two go below", 200, true, 0.3, 57, 5*140 - 5, 5*140 + 5},
		{"the same, steady", 200, false, 0.3, 59, 140 + 4*150, 140 + 5*200 + 5},
		{"no reserve asks nobody", 1000, false, 0, -1e9, 10_000, 1 << 30},
	} {
		p := &provider{limit: c.limit, left: c.limit, atOnce: c.atOnce, lowest: c.limit}
		sent := push(NewReserve(c.share, nil), p, 5*time.Minute-time.Second)
		if p.lowest < c.lowest || sent < c.fewest || sent > c.greatest {
			t.Errorf("%s: %d sent, %.0f left at the lowest; want %d to %d, at least %.0f", c.why, sent, p.lowest, c.fewest, c.greatest, c.lowest)
		}
	}
}

func TestReserveCountsWhatIsNotAnsweredYet(t *testing.T) {
	r := NewReserve(0.5, nil)
	first, _, _ := r.Ask(0, &prompt)
	q := bench.Quota{Name: "requests", Per: time.Minute, Limit: bench.Some(10), Remaining: bench.Some(9), Reset: bench.MarkAt(6 * time.Second), At: time.Millisecond}
	r.See(first, []bench.Quota{q})
	r.Done(first, 50)
	var open []*Ticket
	for {
		ticket, _, why := r.Ask(2*time.Millisecond, &prompt)
		if ticket == nil {
			if want := "RPM: 5 of 10 left, 50% are kept for others"; why != want {
				t.Errorf("reason %q, want %q", why, want)
			}
			break
		}
		open = append(open, ticket)
	}
	if len(open) != 4 {
		t.Fatalf("%d sends are let go on 9 of 10 with half to be kept, want 4", len(open))
	}
	for _, ticket := range open {
		r.Done(ticket, 50)
		r.Done(ticket, 50)
	}
	if r.running != (sends{}) {
		t.Errorf("%+v running when all are done", r.running)
	}
}

func TestReserveCountsTokensAtTheirLargest(t *testing.T) {
	for _, c := range []struct {
		kind bench.QuotaKind
		sent int
	}{{bench.QuotaTokens, 4}, {bench.QuotaInput, 7}, {bench.QuotaOutput, 14}} {
		r := NewReserve(0.3, nil)
		r.See(nil, []bench.Quota{{Name: "tokens", Kind: c.kind, Per: time.Minute, Limit: bench.Some(1000), Remaining: bench.Some(1000)}})
		n := 0
		for ; ; n++ {
			if ticket, _, _ := r.Ask(time.Millisecond, &prompt); ticket == nil {
				break
			}
		}
		if n != c.sent {
			t.Errorf("kind %d: %d requests of 100 + 50 tokens on 700 tokens, want %d", c.kind, n, c.sent)
		}
	}
}

func TestReserveOfANamedQuotaCountsTheTrailingMinute(t *testing.T) {
	r := NewReserve(0.25, []bench.Quota{{Name: "rpm", Per: time.Minute, Limit: bench.Some(40)}})
	var at []time.Duration
	for now := time.Duration(0); now < 10*time.Minute; {
		ticket, wait, _ := r.Ask(now, &prompt)
		if ticket == nil {
			if wait <= 0 || wait > longestReserve {
				t.Fatalf("wait %v", wait)
			}
			now += wait
			continue
		}
		at = append(at, now)
		r.Done(ticket, 50)
		now += 300 * time.Millisecond
	}
	for i := range at {
		if i >= 30 && at[i]-at[i-30] < 59*time.Second {
			t.Fatalf("31 sends within %v, want at most 30 of 40 a minute", at[i]-at[i-30])
		}
	}
	if len(at) < 290 {
		t.Errorf("%d sends in 10 minutes, want about 300", len(at))
	}
}

func TestReserveOfAQuotaWithoutResetWaitsItsPeriod(t *testing.T) {
	r := NewReserve(0.5, nil)
	ticket, _, _ := r.Ask(0, &prompt)
	r.See(ticket, []bench.Quota{{Name: "requests", Per: time.Minute, Remaining: bench.Some(10)}})
	r.See(ticket, []bench.Quota{{Name: "requests", Per: time.Minute, Remaining: bench.Some(3), At: time.Second}})
	if ticket, wait, _ := r.Ask(2*time.Second, &prompt); ticket != nil || wait != 59*time.Second {
		t.Errorf("ticket %v, wait %v; want to wait for the rest of the minute", ticket, wait)
	}
	if ticket, _, _ := r.Ask(62*time.Second, &prompt); ticket == nil {
		t.Error("still waits when the period is over")
	}
}
