// Package report makes every document that tells of a run: the summary in the scrollback, JSON, Markdown, CSV, HTML, and the lines of plain output.
//
// All of them are functions of a snapshot, so that a run that goes on, one that is over and one that is read from a file are told alike. The package owns
// their words, tables and schemas. It must not know where a snapshot comes from, nor where a document goes; it reads no clock, and hides nothing by itself:
// what is private or secret has to be taken out of the snapshot before (see bench.Veil and Cleaned).
package report
