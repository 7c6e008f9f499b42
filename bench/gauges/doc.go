// Package gauges reads what a server tells of itself in its metrics: once a second, on connections of its own, in the text format of Prometheus. What a
// number means is a table for each engine (see engines); reading a text, and what two of them say of the time between, are pure functions. A Scraper has
// the clock and the socket. Nothing waits for it.
package gauges
