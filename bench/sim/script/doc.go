// Package script is a server that does exactly what a file says: the answer of a bug report, byte by byte and instant by instant, or one of
// the catalogue of answers that real servers, proxies and gateways have given.
//
// It shares no type with the benchmark, so that what it sends can check what the client reads. A file is TOML; a key that is not known is an
// error.
//
//	title = "An error after ten tokens"          # what it is, in a few words
//	why   = "The status was sent long before."   # one sentence
//	order = "turn"                               # turn: one answer after the other, again and again; once: the last one for ever;
//	seed  = 1                                    # random: by the seed
//	healthy = 0                                  # so many requests before them get a plain good answer: a preflight passes
//
//	[[answer]]                                   # one or more
//	path    = "/v1/models"                       # only requests of this path; else every POST, whatever its path
//	method  = "GET"                              # POST unless it says so; GET where path ends in /models
//	when    = { field = "stream_options" }       # only requests whose JSON body has the field (a.b: within an object) and
//	unless  = { header = "Accept-Encoding" }     # which do not have the header; both take field and header
//	accept  = "hang"                             # instead of an answer: hang, close or reset the connection
//	before  = "2s"                               # wait before the headers
//	status  = 200
//	headers = { Retry-After = "7", X = ["a"] }   # beside our own; "" leaves one of ours out
//	frame   = "chunked"                          # or close: the end of the connection ends the body; or 1.0: so, as HTTP/1.0;
//	                                             # or none: the steps are all that goes over the connection, status line and all
//	gzip    = "held"                             # compress the body, asked or not, and hold it to its end; or flushed: packet by packet
//	steps   = [                                  # in their order
//	  { wait = "500ms" },
//	  { send = "data: {}\n\n" },                 # goes out at once, as one packet
//	  { event = '{"choices":[]}' },              # short for send: data: … and a blank line
//	  { wait = "1s", event = "[DONE]" },         # waits, then sends
//	  { repeat = 9, every = "20ms", event = '{"n":{{n}}}' },  # nine times, with the wait before each
//	  { send = "…", split = 3 },                 # in packets of three bytes
//	  { pad = 1000 },                            # a comment line of so many bytes; beside send or event it fills {{pad}} instead
//	  { hang = true },                           # go no further until the client leaves
//	]
//	body  = '''…'''                              # instead of steps: a recorded answer (curl -N), sent as it is, or
//	every = "20ms"                               # event by event, with this wait before each
//	end   = "close"                              # the proper end; or cut: the connection is closed without it; or reset
//	keep  = "5s"                                 # close the connection when it has been idle for so long, whatever was promised
//
// Packets that no wait keeps apart are read apart in virtual time; on a real socket a busy reader may find two at once, which wait = "1ms" between
// them prevents.
//
// What stands in {{ }} is filled in: n (the turn of a repeat, from 1) and words (how many the request's body holds), both also as n*4, n+1 or
// n*4+1; request (how many requests there have been, from 1); pad; authorization and key (what the request brought; also key json and key url);
// hex e282 (bytes); and an instant so much later than now: date 30s, rfc3339 30s, unix 30s, unixms 30s.
//
// What a true client reads is told by [answer.expect], or by [expect] where it holds for every answer. It is for people, and for tests; the
// server itself does not look at it. What is left out is zero or did not happen.
//
//	[expect]
//	outcome      = "ok"          # the class of the request, in redline's words; the one field that must be there
//	status       = 200
//	first_token  = "500ms"       # from the request's start to the first text in any channel
//	answer       = "900ms"       # to the first text that is not reasoning; as first_token unless it says so; "none"
//	in = 9                       # tokens of the prompt, cached = how many of them came from a cache
//	out = 10                     # tokens of the answer, hidden = those that were not streamed
//	reasoning = 3                # events that were reasoning, events = all that held text, malformed = those that could not be read
//	chunks = 10                  # socket reads with text; one more than gaps unless it says so
//	gaps = ["10ms x 8", "1s"]    # between them
//	source  = "usage"            # of the counts: usage, continuous, events or part
//	finish  = "stop"
//	tpot    = 10.0               # ms per token; unchecked where left out
//	took    = "2s"               # start to end, up to half a second more (limits are looked at four times a second); unchecked likewise
//	retry_after = "7s"
//	message = "overloaded"       # part of the message
//	quotas  = ["RPM 59/60 1s"]   # unit, remaining of limit, reset
//	burst   = true               # the stream came all at once
//	reused  = true               # the connection had served before; unchecked where left out
//
// [client] says how it was asked, where that matters: api (chat, completions, responses, anthropic), first_token, idle, total (limits), pause
// (between requests), cancel (after so long), requests (how many, in turn; else one for each answer), preflight = true.
package script
