package viewtest

import "redline/bench"

// Pair drives two targets at the same load, of which the second is slower; Second drives the second of two alone.
const (
	Pair   Scene = "pair"
	Second Scene = "second"
)

// pair are two targets, side by side or the second alone.
func pair(both bool, more int) *bench.Snapshot {
	a, b := Make(Running, more), Make(Breach, more)
	b.At, b.Folded = a.At, a.Folded
	b.Run.Host, b.Run.Target, b.Run.Model = "gpu-8:8000", "http://gpu-8:8000/v1", "Qwen2.5-7B-AWQ"
	last := *b.Level()
	last.Load, last.Was = a.Level().Load, a.Level().Was
	b.Levels = append(b.Levels[:len(b.Levels)-1:len(b.Levels)-1], &last)
	b.Target, b.Was = a.Target, a.Was
	r := &bench.Rivals{Names: []string{"prod", "gpu-8:8000"}, Both: both, Of: []*bench.Snapshot{a, b}}
	if both {
		s := *a
		s.Rivals = r
		return &s
	}
	r.Shown = 1
	a.State = bench.Paused
	s := *b
	s.Rivals = r
	return &s
}

// rivals are targets without sense.
func (r chance) rivals(s *bench.Snapshot) *bench.Rivals {
	if r.IntN(3) > 0 || s.Run == nil {
		return nil
	}
	other := *Make(Scenes[r.IntN(len(Scenes))], r.IntN(4))
	if other.Run != nil {
		run := *other.Run
		r.run(&run)
		other.Run = &run
	}
	for _, l := range other.Levels {
		r.level(l)
	}
	if l := other.Level(); l != nil && s.Level() != nil && r.IntN(2) == 0 {
		l.Load, l.Work = s.Level().Load, s.Level().Work
	}
	own := *s
	return &bench.Rivals{Names: []string{r.word(), r.word()}, Shown: r.IntN(2), Both: r.IntN(4) > 0, Of: []*bench.Snapshot{&own, &other}}
}
