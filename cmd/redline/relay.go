package main

import (
	"os"
	"sync/atomic"
	"time"
)

// unheard is for how long a signal waits for a verb that answers it.
const unheard = time.Second

// hear tells that the verb answers signals from now on.
func (m *Main) hear() {
	if m.heard != nil {
		m.heard.Store(true)
	}
}

// relay passes signals on to a verb that answers them. One that does not, or does not yet, is ended by the first a little later, and by the second at once: it may
// be waiting for a file that never comes.
func relay(from <-chan os.Signal, heard *atomic.Bool, forced chan<- int, over <-chan struct{}) <-chan os.Signal {
	if from == nil {
		return nil
	}
	to := make(chan os.Signal, 4)
	go func() {
		var late <-chan time.Time
		var code int
		for n := 1; ; {
			select {
			case <-over:
				return
			case <-late:
				n, late = n+1, nil
			case s := <-from:
				code = signalCode(s)
				if heard.Load() || n == 1 {
					select {
					case to <- s:
					case <-over:
						return
					}
				}
				if late != nil {
					n++
				} else {
					late = time.After(unheard)
				}
			}
			if n > 1 && !heard.Load() {
				select {
				case forced <- code:
				case <-over:
				}
				return
			}
		}
	}()
	return to
}
