// Package sim is a simulated inference server: the engine of sim/model behind a real HTTP face that speaks as an
// OpenAI-compatible server does, with real server-sent events, real connections and the metrics of vLLM.
//
// It speaks OpenAI's chat completions, completions and responses, Anthropic's messages, and Azure's path of chat
// completions. A dialect is only a way to read a request and a voice to write its answer: engine, keys, quotas, faults,
// pace and counts do not know which protocol is spoken.
//
// It is an independent program on purpose: it shares no type and no clock reading with the rest of the benchmark, so
// that what it says about itself (sent_ns on every event, redline_sim_in_flight_max, its own TTFT) can check what the
// client measured.
//
// How a request goes:
//
//	handler ─job─► engine ─steps in real time─► answer (a mailbox of token instants) ─► handler ─events─► client
//
// One goroutine drives the engine, and only while there is work. Handlers own their connection: a slow reader delays
// nobody else. In paced mode there is no engine at all, and one goroutine writes to all connections.
//
// A prompt's tokens are its whitespace-separated words plus templateTokens, so that a test can count along; a plain
// completion has no template.
// With a prefix cache, what a prompt has in common with an earlier one, in whole blocks from its beginning, costs no time, and usage says how
// much that was.
//
// Above its capacity the engine's queue grows without bound, as vLLM's does, unless MaxWaiting sheds; who leaves is out of the queue at once.
package sim
