// Package client sends one prompt to an endpoint, in one of the protocols of bench.API, and reads the bytes of its answer.
//
// It owns the transport, the limits, the wire form of a request and the naming of what can go wrong. It knows nothing of load,
// slots or statistics: Send returns one bench.Ended, whatever happened, and tells an Observer of each chunk as it comes.
// go-openai gives the request and error types; its stream reader is not used, because it loses errors, headers, connections
// and instants that a measurement needs.
//
// HTTP/1.1 goes through the transport's pool. HTTP/2 goes through one of our own, since the transport's sends more requests on a new
// connection than its server takes, and sends those that are refused again after a second of silence.
//
// There is no retry: an attempt is a sample. There is no redirect either: a key goes only where it was sent.
package client
