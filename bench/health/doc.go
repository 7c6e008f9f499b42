// Package health watches this process from inside, so that its own slowness is not taken for the server's.
//
// A latency on the screen ends at the instant at which a read returned. Between that and the instant at which the bytes came lie the kernel, the
// poller, the scheduler and the processor, all of which are this machine's. A Monitor measures that lag once a second in several ways and gives a
// verdict on it; what it cannot measure on a system is absent.
//
// The best signal are the reads themselves: where the kernel says when bytes came, a Conn compares that with the instant of its read. Elsewhere a
// canary stands in for them: an event of its own that comes through the poller at instants that it knows.
package health
