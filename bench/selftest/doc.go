// Package selftest measures this machine and this program against a server that writes into each token when it was sent.
//
// A Server, which is to be another process, streams tokens to many connections at once on a plan. A reader takes them: the whole path of a run
// (client, parser, meter, engine), or the least that could read them. The lag of a token is the instant that a run would use for it less the instant
// at which it was sent. Both are of one machine, so that the lag holds no network, but the server's own use of the processors.
package selftest
