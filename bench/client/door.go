package client

import "context"

// abreast is how many requests may be on their way to a connection at once: fewer than a listener's queue holds as a rule (Linux: 4096), so that a
// storm of them is not lost in it and sent again by the kernel after a second, which would pass for the server's time. One that waits for its turn
// has not started yet: the wait is in no latency, and an open loop sees it as its own lateness.
const abreast = 1024

// door bounds the requests that have started and have no connection yet.
type door struct{ places chan struct{} }

func newDoor() door { return door{make(chan struct{}, abreast)} }

// enter waits for a place; the error is why there will be none: the cause of the end of the request, or of the client.
func (d *door) enter(ctx, life context.Context) error {
	select {
	case d.places <- struct{}{}:
		return nil
	default:
	}
	select {
	case d.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-life.Done():
		return context.Cause(life)
	}
}

// connect gives the place back, once.
func (f *flight) connect() {
	if d := f.door.Swap(nil); d != nil {
		<-d.places
	}
}
