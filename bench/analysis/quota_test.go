package analysis

import (
	"math"
	"testing"
	"time"

	"redline/bench"
)

// carried is a settled level that does so many requests a minute, each with 200 tokens in and 100 out.
func carried(load, rpm float64) *bench.Level {
	l := &bench.Level{Load: bench.Setpoint{N: load}, State: bench.Settled, Reached: bench.MarkAt(time.Second)}
	l.Span = LongEnough
	l.Tally.OK, l.PromptTokens, l.AnswerTokens = 200, bench.Some(200), bench.Some(100)
	l.Stats[bench.RPM] = bench.Stat{N: 200, Readiness: bench.Ready, Mean: bench.Some(rpm)}
	l.Stats[bench.TPS] = bench.Stat{N: 200, Readiness: bench.Ready, Mean: bench.Some(30)}
	return l
}

// arriving is a level of the open loop.
func arriving(rate, sent float64) *bench.Level {
	l := carried(rate, 60*sent)
	l.Load.Mode, l.Offered, l.Achieved = bench.Open, bench.Some(rate), bench.Some(sent)
	if sent < rate {
		l.Short = bench.ArrivalsUnsent
	}
	return l
}

// batched is a server of which a request takes 0.05 + 0.001 × load minutes: 242.4, 390.2 and 561.4 a minute at 16, 32 and 64, and never 1,000.
func batched() []*bench.Level {
	var out []*bench.Level
	for _, n := range []float64{16, 32, 64} {
		out = append(out, carried(n, n/(0.05+0.001*n)))
	}
	return out
}

func TestQuotaBindsWhereTheCurveReachesIt(t *testing.T) {
	limited := carried(64, 400)
	limited.Tally.Limited = 40
	held := carried(64, 400)
	held.Short = bench.SlotsHeld
	failing := carried(16, 300)
	failing.Tally.Failed = 100
	few := carried(16, 300)
	few.Stats[bench.RPM].Readiness = bench.Few
	noted := carried(16, 300)
	noted.Cause, noted.Note = bench.CauseNote, "another server"
	long := carried(32, 390)
	long.PromptTokens, long.AnswerTokens = bench.Some(800), bench.Some(200)
	flat := []*bench.Level{carried(8, 100), carried(16, 200), carried(24, 300), carried(32, 310), carried(40, 312)}
	for _, c := range []struct {
		what      string
		levels    []*bench.Level
		kind      bench.QuotaKind
		perMinute float64
		binds     Binds
		at        float64
		rough     bool
		most      float64
	}{
		{"nothing was measured", nil, bench.QuotaRequests, 600, BindsUnknown, 0, false, 0},
		{"a quota of nothing is none", batched(), bench.QuotaRequests, 0, BindsUnknown, 0, false, 0},
		// 242.42 at 16, 390.24 at 32: 316.33 is half way.
		{"between two loads, on a straight line", batched(), bench.QuotaRequests, 316.33, BindsAt, 24, false, 0},
		// 300 tokens a request: 94,900 a minute are 316.33 requests.
		{"tokens by what a request has", batched(), bench.QuotaTokens, 94_900, BindsAt, 24, false, 0},
		{"prompt tokens alone", batched(), bench.QuotaInput, 63_266, BindsAt, 24, false, 0},
		{"output tokens alone", batched(), bench.QuotaOutput, 31_633, BindsAt, 24, false, 0},
		{"below the least load, from nothing", batched(), bench.QuotaRequests, 181.8, BindsAt, 12, false, 0},
		{"one in flight is the least load there is", batched(), bench.QuotaRequests, 3, BindsAt, 1, true, 0},
		{"far below the least load it is a guess", batched(), bench.QuotaRequests, 60.6, BindsAt, 4, true, 0},
		// 0.05 × 600 ÷ (1 − 0.6)
		{"a little beyond, by Little's law", batched(), bench.QuotaRequests, 600, BindsAt, 75, false, 0},
		// 0.05 × 700 ÷ 0.3
		{"further beyond it is rough", batched(), bench.QuotaRequests, 700, BindsAt, 116.7, true, 0},
		// 0.05 × 900 ÷ 0.1 is 450: what can be said is that 64 × 900 ÷ 561.4 is too little.
		{"far beyond only a bound is known", batched(), bench.QuotaRequests, 900, BindsPast, 102.6, false, 0},
		{"what the server never reaches", batched(), bench.QuotaRequests, 1200, BindsNever, 0, false, 561.4 / 1200},
		{"a server that has stopped growing", flat, bench.QuotaRequests, 600, BindsNever, 0, false, 0.52},
		{"one whose rate falls past its peak", append(flat[:4:4], carried(40, 250)), bench.QuotaRequests, 400, BindsNever, 0, false, 0.775},
		{"a peak that comes within the noise of the quota", flat, bench.QuotaRequests, 318, BindsAt, 40, true, 0},
		// 16 × 450 ÷ 300
		{"one load alone, in proportion, roughly", []*bench.Level{carried(16, 300)}, bench.QuotaRequests, 450, BindsAt, 24, true, 0},
		{"one load alone, and far more: a bound", []*bench.Level{carried(16, 300)}, bench.QuotaRequests, 900, BindsPast, 48, false, 0},
		{"failures are attempts too", []*bench.Level{failing}, bench.QuotaRequests, 450, BindsAt, 16, false, 0},
		{"few samples are rough", []*bench.Level{few}, bench.QuotaRequests, 150, BindsAt, 8, true, 0},
		{"few samples beside ready ones do not count", append(batched()[:2:2], few), bench.QuotaRequests, 390.2, BindsAt, 32, false, 0},
		{"a limited level is not the server's doing", append(batched()[:2:2], limited), bench.QuotaRequests, 450, BindsAt, 0.05 * 450 / 0.55, true, 0},
		{"nor is one whose slots are held", append(batched()[:2:2], held), bench.QuotaRequests, 450, BindsAt, 0.05 * 450 / 0.55, true, 0},
		{"a note begins another curve", append(batched(), noted), bench.QuotaRequests, 400, BindsAt, 16 * 400 / 300., true, 0},
		{"the mix is the present one", append(batched()[:1:1], long), bench.QuotaTokens, 316_210, BindsAt, 24, false, 0},
		{"in the open loop what is sent is what is set", []*bench.Level{{Load: bench.PerSecond(2)}}, bench.QuotaRequests, 600, BindsAt, 10, false, 0},
		{"tokens of the open loop wait for their mix", []*bench.Level{{Load: bench.PerSecond(2)}}, bench.QuotaTokens, 600, BindsUnknown, 0, false, 0},
		{"the open loop goes on in proportion", []*bench.Level{arriving(2, 2)}, bench.QuotaTokens, 72_000, BindsAt, 4, false, 0},
		{"far beyond it is rough", []*bench.Level{arriving(2, 2)}, bench.QuotaRequests, 600, BindsAt, 10, true, 0},
		// Sent are 4.2 of 8, and of 4 all: 252 a minute.
		{"one rate alone that finds no room", []*bench.Level{arriving(8, 4.2)}, bench.QuotaRequests, 600, BindsNever, 0, false, 0.42},
		// Sent are 2, 4 and 4.2 a second: 252 a minute.
		{"arrivals that find no room never reach it", []*bench.Level{arriving(2, 2), arriving(4, 4), arriving(8, 4.2)}, bench.QuotaRequests, 600, BindsNever, 0, false, 0.42},
	} {
		d := DemandOf(c.levels, false, false)
		got := d.Binds(c.kind, c.perMinute)
		if got.Binds != c.binds || got.Rough != c.rough || math.Abs(got.At.V-c.at) > 0.01*c.at || math.Abs(got.Most.V-c.most) > 0.001 {
			t.Errorf("%s: %+v; want %d at %.4g, rough %v, most %.3f", c.what, got, c.binds, c.at, c.rough, c.most)
		}
	}
}

// TestReserveHidesTheServer: arrivals that were not sent for the sake of a reserve say nothing of what the server carries.
func TestReserveHidesTheServer(t *testing.T) {
	levels := []*bench.Level{arriving(2, 2), arriving(4, 4), arriving(8, 4.2)}
	d := DemandOf(levels, false, true)
	if got := d.Binds(bench.QuotaRequests, 400); got.Binds != BindsAt || math.Abs(got.At.V-400/60.) > 0.01 {
		t.Errorf("%+v", got)
	}
}

func TestTheFirstQuotaToBindComesFirst(t *testing.T) {
	const at = 2 * time.Minute
	stated := func(kind bench.QuotaKind, per time.Duration, limit, left float64, reset time.Duration) bench.Quota {
		return bench.Quota{Kind: kind, Per: per, Limit: bench.Some(limit), Remaining: bench.Some(left), Reset: bench.MarkAt(reset), At: at - time.Second}
	}
	minute := func(kind bench.QuotaKind, limit, left float64) bench.Quota {
		return stated(kind, time.Minute, limit, left, 20*time.Second)
	}
	type want struct {
		unit  string
		binds Binds
		at    float64
	}
	for _, c := range []struct {
		what    string
		own     []string
		quotas  []bench.Quota
		reserve float64
		use     bench.Use
		want    []want
	}{
		// 300 tokens a request: 400 requests a minute before 150,000 tokens, which are 500.
		{"requests before tokens where answers are short", []string{"rpm<=400", "tpm<=150k"}, nil, 0, bench.Use{}, []want{{"RPM", BindsAt, 33.94}, {"TPM", BindsAt, 52.5}}},
		{"tokens before requests where they are the scarcer", []string{"rpm<=560", "tpm<=90k"}, nil, 0, bench.Use{}, []want{{"TPM", BindsAt, 22.23}, {"RPM", BindsAt, 63.7}}},
		{"what the server does never reach comes last", []string{"rpm<=5000"}, []bench.Quota{minute(bench.QuotaOutput, 60_000, 50_000)}, 0, bench.Use{},
			[]want{{"OTPM", BindsAt, 75}, {"RPM", BindsNever, 0}}},
		{"what is used up binds now", []string{"rpm<=300"}, []bench.Quota{minute(bench.QuotaTokens, 400_000, 1000)}, 0, bench.Use{}, []want{{"TPM", BindsNow, 0}, {"RPM", BindsAt, 22.23}}},
		{"the own one by the trailing minute", []string{"rpm<=560"}, nil, 0, bench.Use{Span: time.Minute, Attempts: 555}, []want{{"RPM", BindsNow, 0}}},
		{"whose first seconds tell nothing", []string{"rpm<=560"}, nil, 0, bench.Use{Span: 20 * time.Second, Attempts: 560}, []want{{"RPM", BindsAt, 63.7}}},
		{"a word of just now stands, though its reset has passed", nil, []bench.Quota{stated(bench.QuotaRequests, time.Minute, 316.33, 0, time.Millisecond)}, 0, bench.Use{}, []want{{"RPM", BindsNow, 0}}},
		{"what has been renewed since an older word is not used up", nil, []bench.Quota{{Kind: bench.QuotaRequests, Per: time.Minute, Limit: bench.Some(316.33), Remaining: bench.Some(0), Reset: bench.MarkAt(time.Second), At: at - 9*time.Second}},
			0, bench.Use{}, []want{{"RPM", BindsAt, 24}}},
		// 632.66 with half of it left to others.
		{"a reserve makes a quota smaller", nil, []bench.Quota{minute(bench.QuotaRequests, 632.66, 600)}, 0.5, bench.Use{}, []want{{"RPM", BindsAt, 24}}},
		// 10 a second are 600 a minute.
		{"a quota of a second", nil, []bench.Quota{stated(bench.QuotaRequests, time.Second, 10, 8, time.Second)}, 0, bench.Use{}, []want{{"RPS", BindsAt, 75}}},
		{"a quota of a day is no matter of load", []string{"rpm<=400"}, []bench.Quota{stated(bench.QuotaRequests, bench.Day, 100_000, 90_000, 17*time.Hour)}, 0, bench.Use{},
			[]want{{"RPM", BindsAt, 33.94}, {"RPD", BindsInTime, 0}}},
		// 561.4 a minute: 4,000 last for seven.
		{"unless it soon runs out", []string{"rpm<=400"}, []bench.Quota{stated(bench.QuotaRequests, bench.Day, 100_000, 4000, 17*time.Hour)}, 0, bench.Use{},
			[]want{{"RPD", BindsInTime, 0}, {"RPM", BindsAt, 33.94}}},
		{"of a limit alone the load is told as well", nil, []bench.Quota{{Kind: bench.QuotaRequests, Per: time.Minute, Limit: bench.Some(316.33), At: at}}, 0, bench.Use{}, []want{{"RPM", BindsAt, 24}}},
		{"one of which nothing is known is none", nil, []bench.Quota{{Kind: bench.QuotaRequests, Per: time.Minute, At: at}}, 0, bench.Use{}, nil},
	} {
		s := &bench.Snapshot{Run: &bench.Run{Thresholds: promises(t, c.own...), QuotaReserve: c.reserve}, Levels: batched(), Quotas: c.quotas, Minute: c.use, Gauges: bench.Gauges{At: at}}
		d := DemandOf(s.Levels, false, c.reserve > 0)
		got := Quotas(s, &d)
		if len(got) != len(c.want) {
			t.Errorf("%s: %+v", c.what, got)
			continue
		}
		for i, w := range c.want {
			if q := got[i]; q.Unit != w.unit || q.Binds != w.binds || math.Abs(q.At.V-w.at) > 0.01*w.at {
				t.Errorf("%s: number %d is %s, %+v; want %+v", c.what, i+1, q.Unit, q.Binding, w)
			}
		}
	}
}

func TestALongQuotaLastsSoLong(t *testing.T) {
	const at = 2 * time.Minute
	for _, c := range []struct {
		what        string
		left, rest  float64
		reset, want time.Duration
	}{
		// 561.4 a minute.
		{"for what is left of it", 56_140, 0, 17 * time.Hour, 100 * time.Minute},
		{"without what is left to others", 56_140, 0.5, 17 * time.Hour, 10*time.Minute + 56*time.Second},
		{"unless it is whole again before", 56_140, 0, time.Hour, 0},
	} {
		s := &bench.Snapshot{Run: &bench.Run{QuotaReserve: c.rest}, Levels: batched(), Gauges: bench.Gauges{At: at},
			Quotas: []bench.Quota{{Kind: bench.QuotaRequests, Per: bench.Day, Limit: bench.Some(100_000), Remaining: bench.Some(c.left), Reset: bench.MarkAt(c.reset), At: at}}}
		d := DemandOf(s.Levels, false, c.rest > 0)
		got := Quotas(s, &d)
		if len(got) != 1 || got[0].Binds != BindsInTime || (got[0].Lasts-c.want).Abs() > time.Second {
			t.Errorf("%s: %+v, want %v", c.what, got, c.want)
		}
	}
}
