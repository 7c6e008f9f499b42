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
// Each request needs the token, as "Authorization: Bearer TOKEN"; /metrics alone may be open. What is not 200 or 202 has an object with "error" in it, and with
// "allowed" where there is something else to ask for. An answer is one of these:
//
//	200  done; "now" is how the run stands behind it. Of a command that the run does in a second of its own (a clear, say) it is how it stood when that was taken.
//	202  handed over, but not seen to be done within two seconds
//	400  no command: "error" says what is wrong with it, "allowed" what there is. Or no form of a snapshot, or no Last-Event-ID.
//	401  no token, or another one
//	403  asked by a page in a browser, or by a name that is not this machine's
//	404  no such path; "allowed" has all of them
//	405  not by this method; "allowed" and the header Allow have the one that it takes
//	409  not done as things stand, with the reason: a question is open ("question" has it; answer it by its id, or say {"yes":true} with the command), the question that is
//	     answered is another one by now, the command would change nothing, the run itself says why not, or the run is over
//	413  the body is longer than 16 KiB
//	423  the screen is locked, and this raises the load
//	429  raised too often, as a held key may not either; or too many levels begun: one a second by notes, workloads, targets, promises and resumes, ten at once
//	500  the document could not be made
//	503  there are 16 streams already
//
// A question that changes is another question, with an id of its own: a yes with an id is to what was read, and to nothing else.
//
// There are 64 connections at most. Who comes then takes the place of the one that has been there longest without the token.
package remote
