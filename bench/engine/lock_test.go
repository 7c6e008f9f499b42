package engine

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// under are commands as they are given under the lock.
func under(commands ...bench.Command) []bench.Command {
	out := make([]bench.Command, len(commands))
	for i, c := range commands {
		out[i] = bench.Locked{Command: c}
	}
	return out
}

// TestTheLockIsJudgedWhenACommandsTurnComes: several that come at once are held against what those before them did.
func TestTheLockIsJudgedWhenACommandsTurnComes(t *testing.T) {
	for _, c := range []struct {
		sentence string
		commands []bench.Command
		load     bench.Setpoint
		state    bench.RunState
	}{
		{"the first step back lowers, the second would raise", []bench.Command{bench.Undo{}, bench.Undo{}}, bench.InFlight(2), bench.Running},
		{"down and up again", []bench.Command{bench.Add{N: -2}, bench.Add{N: +2}}, bench.InFlight(2), bench.Running},
		{"there and back", []bench.Command{bench.Flip{}, bench.Flip{}, bench.Redo{}}, bench.InFlight(2), bench.Running},
		{"a load that was less when it was typed", []bench.Command{bench.Set{N: 1}, bench.Set{N: 3}}, bench.InFlight(1), bench.Running},
		{"a factor", []bench.Command{bench.Times{F: 0.5}, bench.Times{F: 2}}, bench.InFlight(2), bench.Running},
		{"to pause and to go on", []bench.Command{bench.Toggle{}, bench.Toggle{}}, bench.InFlight(4), bench.Paused},
		{"to drain and to go on", []bench.Command{bench.Drain{}, bench.Toggle{}, bench.Resume{}}, bench.InFlight(4), bench.Draining},
		{"the other loop, even unasked", []bench.Command{bench.Switch{}}, bench.InFlight(4), bench.Running},
		{"the emergency stop works", []bench.Command{bench.Cancel{}, bench.Undo{}}, bench.InFlight(0), bench.Running},
	} {
		inBubble(t, Options{Load: bench.InFlight(8), DrainTimeout: time.Hour}, func(t *testing.T, r *run) {
			r.server.tokens.Store(100000)
			r.rested(bench.Set{N: 2})
			r.rested(bench.Set{N: 4})
			r.post(under(c.commands...)...)
			if s := r.Snapshot(); s.Target != c.load || s.State != c.state || s.Ask != nil {
				t.Errorf("%s: load %s, %s, question %+v; want %s and %s", c.sentence, s.Target, s.State, s.Ask, c.load, c.state)
			}
		})
	}
}

// TestAQuestionTellsWhetherYesRaises, and under the lock such a yes is refused; the question stands.
func TestAQuestionTellsWhetherYesRaises(t *testing.T) {
	for _, c := range []struct {
		sentence string
		ask      bench.Command
		raises   bool
	}{
		{"a big rise", bench.Set{N: 90}, true},
		{"the other loop", bench.Switch{}, true},
		{"to forget what was measured", bench.Clear{}, false},
	} {
		inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
			r.rested(c.ask)
			ask := r.Snapshot().Ask
			if ask == nil || ask.Raises != c.raises {
				t.Fatalf("%s: %+v", c.sentence, ask)
			}
			r.post(bench.Locked{Command: bench.Answer{ID: ask.ID, Yes: true}})
			if s := r.Snapshot(); (s.Ask != nil) != c.raises || s.Target != bench.InFlight(8) {
				t.Errorf("%s: load %s, question %+v", c.sentence, s.Target, s.Ask)
			}
			r.post(bench.Locked{Command: bench.Answer{ID: ask.ID}})
			if s := r.Snapshot(); s.Ask != nil {
				t.Errorf("%s: no is refused", c.sentence)
			}
		})
	}
}

// TestUnderTheLockTheLoadNeverRises plays random commands, of which all after the first few are given under the lock.
func TestUnderTheLockTheLoadNeverRises(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 11))
		o := Options{Load: bench.InFlight(3)}
		o.Run.Max, o.Run.MaxRate = 10, 12
		inBubble(t, o, func(t *testing.T, r *run) {
			for range 20 {
				r.post(anything(t, rng))
				if ask := r.Snapshot().Ask; ask != nil {
					r.post(bench.Answer{ID: ask.ID, Yes: true})
				}
				r.after(time.Duration(rng.IntN(700)) * time.Millisecond)
			}
			// A profile that has the load goes on under the lock: the hand takes it.
			r.post(bench.Add{N: -1})
			before := r.Snapshot()
			for range 60 {
				r.post(under(anything(t, rng), anything(t, rng))...)
				if ask := r.Snapshot().Ask; ask != nil {
					r.post(bench.Locked{Command: bench.Answer{ID: ask.ID, Yes: true}})
				}
				s := r.Snapshot()
				held := before.State == bench.Paused || before.State == bench.Draining
				if s.Target.Mode != before.Target.Mode || s.Target.N > before.Target.N || held && s.State == bench.Running {
					t.Fatalf("seed %d: from %s (%s) to %s (%s)", seed, before.Target, before.State, s.Target, s.State)
				}
				before = s
				r.after(time.Duration(rng.IntN(400)) * time.Millisecond)
			}
		})
	}
}

// TestUnderTheLockNoQuotaThatHoldsSendsBackIsLoosened, if the run keeps a share of it for others; a tighter one and any promise are put in force.
func TestUnderTheLockNoQuotaThatHoldsSendsBackIsLoosened(t *testing.T) {
	for _, c := range []struct {
		sentence, given, want string
		drop                  bool
		reserve               float64
	}{
		{"it is dropped", "rpm<=40", "rpm<=40 ttft<=1s", true, 0.5},
		{"it is raised", "rpm<=41", "rpm<=40 ttft<=1s", false, 0.5},
		{"it is lowered", "rpm<=30", "rpm<=30 ttft<=1s", false, 0.5},
		{"another comes", "tpm<=9000", "rpm<=40 ttft<=1s tpm<=9000", false, 0.5},
		{"a promise bounds no sends", "ttft<=2s", "rpm<=40 ttft<=2s", false, 0.5},
		{"nor is it missed", "ttft<=1s", "rpm<=40", true, 0.5},
		{"nothing is kept of it", "rpm<=90", "rpm<=90 ttft<=1s", false, 0},
		{"nor when it is dropped", "rpm<=40", "ttft<=1s", true, 0},
	} {
		o := Options{Load: bench.InFlight(2)}
		o.Run.QuotaReserve = c.reserve
		o.Run.Thresholds = []bench.Threshold{threshold(t, "rpm<=40"), threshold(t, "ttft<=1s")}
		inBubble(t, o, func(t *testing.T, r *run) {
			r.post(under(bench.Promise{Threshold: threshold(t, c.given), Drop: c.drop})...)
			r.after(2 * time.Second)
			var got []string
			for _, p := range r.Snapshot().Run.Thresholds {
				got = append(got, p.String())
			}
			want := strings.Fields(c.want)
			for i, text := range want {
				want[i] = threshold(t, text).String()
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", c.sentence, got, want)
			}
			if told, same := len(refusals(r)), slices.Contains(want, "rpm<=40") && strings.HasPrefix(c.given, "rpm"); (told == 1) != same {
				t.Errorf("%s: %d are told to be refused", c.sentence, told)
			}
		})
	}
}

// TestAHeldKeyThatIsRefusedFillsNoLog: the same refusal is told once a second.
func TestAHeldKeyThatIsRefusedFillsNoLog(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(2)}, func(t *testing.T, r *run) {
		r.rested(bench.Set{N: 4})
		r.rested(bench.Set{N: 2})
		for range 60 {
			r.post(under(bench.Undo{})...)
			r.after(50 * time.Millisecond)
		}
		if got := refusals(r); len(got) < 2 || len(got) > 4 || got[0].Text != "locked: a rise to 4 is refused" {
			t.Errorf("%d refusals are told in 3 s: %+v", len(got), got)
		}
	})
}

// refusals are what the lock has refused so far, as it was told.
func refusals(r *run) (out []bench.Event) {
	for _, e := range kinds(r.Snapshot(), bench.EventWarn) {
		if e.Locked {
			out = append(out, e)
		}
	}
	return out
}
