package engine

import "redline/bench"

// Journal is what is known of single requests.
func (e *Engine) Journal(read bool) *bench.Journal { return &bench.Journal{At: e.clock.Now()} }
