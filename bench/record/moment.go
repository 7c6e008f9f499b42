package record

import "redline/bench"

// moment is what a snapshot has beside the fold.
type moment struct {
	Gauges bench.Gauges
	Tail   bench.Tail
	// Fresh are the events that no batch holds yet.
	Fresh []bench.Event
	// Shown and Both are those of bench.Rivals; of a run of one target they are 0 and false.
	Shown int
	Both  bool
}

// second is what is kept of one second of a track: some batches, as a rule one, and the moment behind them.
type second struct {
	Track   int
	Batches []*bench.Batch
	Moment  moment
}
