// Package remote is the HTTP face of a run: it tells how the run stands, and takes the commands that keys give.
//
// It owns the paths, who may ask them, the documents that are its own (errors, answers to commands, metrics), and how a run that listens is found. What
// a snapshot looks like as a document it is told. It never holds the run up: it pulls snapshots, and a reader that is slow is dropped.
//
//	GET  /v1             what there is: all paths, and what each verb takes
//	GET  /v1/status      how the run stands: state, load, level, the open question
//	GET  /v1/snapshot    the run now, as the report of it in JSON; with ?form=second as in the stream
//	GET  /v1/stream      server-sent events: what redline run --json writes ("second", once a second), and "end"; Last-Event-ID goes on behind one
//	POST /v1/VERB        does what a key does (see Verbs), and answers when the run has done it
//	GET  /metrics        counters, gauges and histograms for Prometheus
//
// Each request needs the token, as "Authorization: Bearer TOKEN"; /metrics alone may be open. An answer to a command is one of these:
//
//	200  done; "now" is how the run stands behind it
//	202  handed over, but not seen to be done within two seconds
//	400  no command: "error" says what is wrong, "allowed" what there is
//	401  no token, or another one
//	403  asked by a page in a browser, or by a name that is not this machine's
//	409  a question is open: "question" has it; answer it, or say {"yes":true} with the command. Or the run is over.
//	423  the screen is locked, and this raises the load
//	429  raised too often: a held key may not, either
package remote
