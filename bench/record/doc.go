// Package record keeps runs in files, and gives them back.
//
// A run file holds what the fold was given, second by second, so that what is read from it is what was shown: live run, replay, seek and recovery are the
// same thing. It owns the file's format, its writing (which never disturbs the run), its reading (which nothing that stands in it can break), and where
// such files lie. It must not know how a run is driven, or drawn.
package record
