package view

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/view/viewtest"
)

func TestGhostsGoFromTheReferenceToEarlierLevelsToNone(t *testing.T) {
	s, st := dressed(viewtest.Running, "plain", 120, 36)
	var seen []int
	for range len(s.Levels) {
		st.NextGhost(s)
		if st.Ghost == nil {
			seen = append(seen, -1)
			continue
		}
		seen = append(seen, st.Ghost.ID)
	}
	for i, id := range seen {
		if want := len(s.Levels) - 2 - i; id != max(want, -1) {
			t.Errorf("the ghosts are %v", seen)
			break
		}
	}
	st.Reference, st.Ghost = s.Levels[0], nil
	if st.NextGhost(s); st.Ghost != s.Levels[0] {
		t.Errorf("the first ghost is %v, not the pinned level", st.Ghost)
	}
}

// TestAGhostHidesNothing: where it is drawn there was nothing before, or a bar that is seen through it.
func TestAGhostHidesNothing(t *testing.T) {
	s, st := dressed(viewtest.Running, "plain", 120, 36)
	v := NewScreen()
	v.Rows(s, st)
	st.NextGhost(s)
	f := v.frame(s, st)
	f.measure()
	for i := range bench.Lanes {
		lane := f.lane(i)
		for y := range lane.Rows {
			lane.Draw(f.start(), y)
			with := []rune(f.row.String())
			for k := range lane.Columns {
				lane.Columns[k].HasGhost = false
			}
			lane.Draw(f.start(), y)
			without := []rune(f.row.String())
			for x := range with {
				if with[x] != without[x] && (without[x] != ' ' || with[x] != '·') && (without[x] != '█' || with[x] != '▒') {
					t.Errorf("%s, row %d: %q in place of %q", bench.Lanes[i], y, with[x], without[x])
				}
			}
			lane = f.lane(i)
		}
	}
	if rows := strings.Join(v.Rows(s, st), "\n"); !strings.Contains(rows, "ghost: 48 at 03:14") || !strings.Contains(rows, "·····") {
		t.Errorf("nobody says whose ghost it is, or it is not there:\n%s", rows)
	}
}

// earlier is a scene as a run that was measured before.
func earlier(scene viewtest.Scene) *Earlier {
	s := viewtest.Make(scene, 0)
	run := *s.Run
	run.Start = time.Date(2026, 11, 30, 18, 51, 0, 0, time.UTC)
	s.Run = &run
	return &Earlier{Snap: s}
}

func TestTheEarlierRunComesAfterTheLevels(t *testing.T) {
	s, st := dressed(viewtest.Running, "plain", 120, 36)
	st.Earlier = earlier(viewtest.Running)
	for range len(s.Levels) - 1 {
		if st.NextGhost(s); st.Ghost == nil || st.Aligned != Unaligned {
			t.Fatalf("ghost %v, %v", st.Ghost, st.Aligned)
		}
	}
	for _, want := range []Alignment{ByLoad, ByTime, Unaligned} {
		if st.NextGhost(s); st.Ghost != nil || st.Aligned != want {
			t.Errorf("ghost %v, %v, want %v", st.Ghost, st.Aligned, want)
		}
	}
	st.Earlier.Only = s.Levels[0]
	st.Aligned = ByLoad
	if st.NextGhost(s); st.Aligned != Unaligned {
		t.Errorf("one level of a run stands %v", st.Aligned)
	}
}

// TestARunRacesItselfToADraw: beside itself by time it lies on each of its own columns; by load it says of each level what that is.
func TestARunRacesItselfToADraw(t *testing.T) {
	s, st := dressed(viewtest.Running, "plain", 120, 36)
	st.Earlier, st.Aligned = earlier(viewtest.Running), ByTime
	f := NewScreen().frame(s, st)
	f.measure()
	for i, m := range bench.Lanes {
		haunted := 0
		for k, c := range f.lane(i).Columns {
			if c.HasGhost != (c.OK && c.V > 0) || c.HasGhost && c.Ghost != c.V {
				t.Errorf("%s, column %d: %v, and the ghost at %v (%v)", m, k, c.V, c.Ghost, c.HasGhost)
			}
			if c.HasGhost {
				haunted++
			}
		}
		if haunted < 10 {
			t.Errorf("%s: %d columns have a ghost", m, haunted)
		}
	}
	st.Aligned = ByLoad
	f = NewScreen().frame(s, st)
	f.measure()
	columns := f.lane(0).Columns
	last := columns[len(columns)-1]
	if want := f.level.Stats[bench.TTFT].At(f.percentile(bench.TTFT)); !last.HasGhost || last.Ghost != want.V || f.racer == nil || f.racer.Load != f.level.Load {
		t.Errorf("the ghost of the present level is at %v, want %v; raced against %v", last.Ghost, want.V, f.racer)
	}
	if text, _ := f.delta(bench.TTFT); !strings.HasSuffix(text, "±0%") {
		t.Errorf("Δ against itself is %q", text)
	}
}

// TestALoadThatTheEarlierRunHasNotIsSaid, and no other stands in for it.
func TestALoadThatTheEarlierRunHasNotIsSaid(t *testing.T) {
	for _, c := range []struct {
		what string
		make func(e *Earlier, st *State)
		want string
	}{
		{"no level at this load", func(e *Earlier, _ *State) {
			var other []*bench.Level
			for _, l := range e.Snap.Levels {
				if l.Load.N != 40 {
					other = append(other, l)
				}
			}
			e.Snap.Levels = other
		}, "by load: none at 40"},
		{"another workload", func(e *Earlier, _ *State) {
			e.Snap.Run.Works = []bench.Workload{{Name: "long", Words: "other prompts"}}
		}, "by load: none at 40"},
		{"over before this one", func(e *Earlier, st *State) { e.Snap.Folded, st.Aligned = time.Minute, ByTime }, "by time, over at 01:00"},
	} {
		s, st := dressed(viewtest.Running, "plain", 120, 36)
		st.Earlier, st.Aligned = earlier(viewtest.Running), ByLoad
		c.make(st.Earlier, st)
		rows := strings.Join(NewScreen().Rows(s, st), "\n")
		if !strings.Contains(rows, "GHOST run 11-30 18:51 "+c.want) || !strings.Contains(rows, "Δ vs 48") {
			t.Errorf("%s: want %q, and Δ against the level before:\n%s", c.what, c.want, rows)
		}
	}
}

// TestTheEarlierRunFitsEverywhere: at every size, in each view, with each alignment.
func TestTheEarlierRunFitsEverywhere(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {100, 30}, {80, 24}, {60, 15}, {40, 8}, {200, 60}, {30, 3}} {
		for _, aligned := range []Alignment{ByLoad, ByTime} {
			for _, v := range []action.View{action.Live, action.Curve} {
				s, st := dressed(viewtest.Running, "plain", size[0], size[1])
				st.Earlier, st.Aligned, st.View = earlier(viewtest.Breach), aligned, v
				rows := NewScreen().Rows(s, st)
				if len(rows) > size[1] {
					t.Errorf("%v %v %v: %d rows", size, v, aligned, len(rows))
				}
				for _, row := range rows {
					if w := st.Set.Width(row); w > size[0] {
						t.Errorf("%v %v %v: a row of %d: %q", size, v, aligned, w, row)
					}
				}
			}
		}
	}
}

// TestTheEarlierRunsCurveStandsBehindThisOne, with a sign of its own.
func TestTheEarlierRunsCurveStandsBehindThisOne(t *testing.T) {
	s, st := dressed(viewtest.Knee, "plain", 120, 36)
	st.View, st.Earlier, st.Aligned = action.Curve, earlier(viewtest.Running), ByLoad
	for i, l := range st.Earlier.Snap.Levels {
		slower := *l
		slower.OutputRate.V *= 0.6
		st.Earlier.Snap.Levels[i] = &slower
	}
	rows := strings.Join(NewScreen().Rows(s, st), "\n")
	if strings.Count(rows, "□") < 4 || !strings.Contains(rows, "□ ghost: run 11-30 18:51") {
		t.Errorf("the earlier run's curve is not there, or not named:\n%s", rows)
	}
	st.Aligned = Unaligned
	if rows := strings.Join(NewScreen().Rows(s, st), "\n"); strings.Contains(rows, "□") {
		t.Errorf("it is there without having been asked for:\n%s", rows)
	}
}

// TestALogarithmicScaleIsHonest: its lower end is named and is not 0, nothing that is plotted lies below it, and the threshold is on it.
func TestALogarithmicScaleIsHonest(t *testing.T) {
	for _, scene := range []viewtest.Scene{viewtest.Running, viewtest.Breach, viewtest.Settling} {
		s, st := dressed(scene, "plain", 120, 36)
		st.Log[action.Live] = true
		f := NewScreen().frame(s, st)
		f.measure()
		for i, m := range bench.Lanes {
			lane := f.lane(i)
			if m != bench.TTFT && m != bench.ITL {
				if lane.Scale.Log {
					t.Errorf("%s: %s is logarithmic", scene, m)
				}
				continue
			}
			low := lane.Scale.Base()
			if !lane.Scale.Log || !(low > 0) || low > lane.Scale.Ceil/10*(1+1e-9) {
				t.Errorf("%s: %s from %v to %v", scene, m, low, lane.Scale.Ceil)
			}
			for _, c := range lane.Columns {
				if c.OK && c.V < low {
					t.Errorf("%s: %s has %v below %v", scene, m, c.V, low)
				}
			}
			if lane.Threshold < low {
				t.Errorf("%s: the threshold of %s lies below the scale", scene, m)
			}
			lane.Label(f.start(), lane.Rows-1, 10)
			if text := f.row.String(); !strings.Contains(text, chart.TickMillis(low)) {
				t.Errorf("%s: the lower end of %s is %q, not %v", scene, m, text, low)
			}
		}
	}
}

// TestAGhostIsNamedWholeOrNotAtAll: beside whatever else the first row has to say, its chip is never cut, and where there is room for the least of it, it is there.
func TestAGhostIsNamedWholeOrNotAtAll(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 36}, {100, 30}, {80, 24}, {76, 22}, {60, 15}, {56, 13}} {
		for _, aligned := range []Alignment{ByLoad, ByTime} {
			for _, scene := range []viewtest.Scene{viewtest.Running, viewtest.Busy, viewtest.Saturated, viewtest.Down, viewtest.Paused} {
				for _, recorded := range []bool{false, true} {
					s, st := dressed(scene, "plain", size[0], size[1])
					st.Earlier, st.Aligned = earlier(viewtest.Breach), aligned
					if recorded {
						st.Replay = recordedAt(s.At, 2*s.At)
					}
					head := NewScreen().Rows(s, st)[0]
					named := strings.Contains(head, "GHOST by ") || strings.Contains(head, "GHOST run 11-30 18:51 by ") || strings.Contains(head, "GHOST over ") || strings.Contains(head, "GHOST: none ")
					if !named && strings.Contains(head, "GHO") || !named && !recorded && size[0] >= 60 && scene != viewtest.Down {
						t.Errorf("%v %v %v: %q", size, aligned, scene, head)
					}
				}
			}
		}
	}
}

// TestTheHeadingOfARaceNamesTheOtherLoad: where the loads differ no heading is a bare Δ.
func TestTheHeadingOfARaceNamesTheOtherLoad(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 36}, {60, 15}} {
		for _, load := range []int{2, 16, 128} {
			s, st := dressed(viewtest.Running, "plain", size[0], size[1])
			st.Earlier, st.Aligned = earlier(viewtest.Running), ByTime
			past := st.Earlier.Snap.Levels
			last := *past[len(past)-1]
			last.Load = bench.InFlight(load)
			past[len(past)-1] = &last
			rows := strings.Join(NewScreen().Rows(s, st), "\n")
			name := named(last.Load)
			if !strings.Contains(rows, "Δ vs ghost "+name) && !strings.Contains(rows, "Δ ghost "+name) && !strings.Contains(rows, "Δ at "+name) {
				t.Errorf("%v: nothing says that the ghost is at %s:\n%s", size, name, rows)
			}
		}
	}
}

// TestTheFirstRowOfARecordingOfTwoTargetsIsWhole: in a recording of two targets nothing in the first row of a small screen is cut.
func TestTheFirstRowOfARecordingOfTwoTargetsIsWhole(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 15}} {
		s, st := dressed(viewtest.Pair, "plain", size[0], size[1])
		strained(s, time.Second, 0, "reads 12 ms late")
		st.Replay = recordedAt(s.At, 2*s.At)
		head := NewScreen().Rows(s, st)[0]
		if strings.Contains(head, "…") || !strings.Contains(head, "A+B") || !strings.Contains(head, "BUSY") || strings.Contains(head, "leads!") {
			t.Errorf("%v: %q", size, head)
		}
	}
}

// TestAGhostOfSomethingElseSaysSo: numbers of another model, or of another server, are no earlier state of this one.
func TestAGhostOfSomethingElseSaysSo(t *testing.T) {
	for _, c := range []struct {
		what string
		set  func(r *bench.Run)
		want string
	}{
		{"the same", func(*bench.Run) {}, ""},
		{"another model", func(r *bench.Run) { r.Model = "llama-3" }, ", other model"},
		{"another server", func(r *bench.Run) { r.Host = "gpu-8:8000" }, ", other server"},
		{"the simulated one", func(r *bench.Run) { r.Demo = true }, ", other server"},
	} {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 15}} {
			for _, v := range []action.View{action.Live, action.Curve} {
				s, st := dressed(viewtest.Running, "plain", size[0], size[1])
				st.Earlier, st.Aligned, st.View = earlier(viewtest.Running), ByLoad, v
				c.set(st.Earlier.Snap.Run)
				head := NewScreen().Rows(s, st)[0]
				if strings.Contains(head, ", other ") != (c.want != "") || !strings.Contains(head, c.want) {
					t.Errorf("%s at %v in view %v: %q", c.what, size, v, head)
				}
			}
		}
	}
}

// TestAGhostIsSeenBehindABar: where this run is above the earlier one, the bar shows how far.
func TestAGhostIsSeenBehindABar(t *testing.T) {
	s, st := dressed(viewtest.Running, "plain", 120, 36)
	st.Earlier, st.Aligned = earlier(viewtest.Running), ByLoad
	for i, l := range st.Earlier.Snap.Levels {
		faster := *l
		faster.Stats[bench.TPS].P5.V /= 3
		faster.Stats[bench.TPS].P50.V /= 3
		faster.Stats[bench.TPS].Mean.V /= 3
		st.Earlier.Snap.Levels[i] = &faster
	}
	if rows := strings.Join(NewScreen().Rows(s, st), "\n"); strings.Count(rows, "▒") < 10 {
		t.Errorf("the ghost is not seen:\n%s", rows)
	}
}
