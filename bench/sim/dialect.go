package sim

import (
	"net/http"
	"strings"

	"redline/bench/sim/model"
)

// dialect is a protocol that the server speaks: how its requests are read, its answers written and its errors worded.
// Engine, keys, quotas, faults, pace and counts are the same behind all of them.
type dialect interface {
	// read makes a request of a body, or refuses what no server of this kind would take, whatever its model.
	read(body []byte, r *http.Request) (*request, *refusal)
	// key is the key that a request brings, empty if none.
	key(h http.Header) string
	// voice writes one streamed answer.
	voice(t *turn) voice
	// whole is an answer without streaming, as one JSON object.
	whole(t *turn, thought, text string, why model.Reason) map[string]any
	// word puts a refusal into the protocol's own words.
	word(no *refusal) (status int, body []byte)
	// tooLong refuses a prompt and an answer, if one was asked for, that together are longer than the context.
	tooLong(q *request, context int) *refusal
	// quotas is how the protocol's own provider tells its quotas.
	quotas() QuotaHeaders
}

// voice writes the events of one answer into a sender's buffer.
type voice interface {
	// early tells whether the opening is sent when the request is accepted, rather than with the first token.
	early() bool
	// open appends what comes before the first token.
	open(s *sender)
	// token appends one token, which the sender has counted already; words of prose need no escaping.
	token(s *sender, text string, reasoning bool)
	// finish appends what says why the answer ends, done the last bytes after that.
	finish(s *sender, why model.Reason)
	done(s *sender)
	// fail appends an error that ends the stream instead.
	fail(s *sender, no *refusal)
}

// routes are the protocols by the pattern of their paths.
var routes = map[string]dialect{
	"POST /v1/chat/completions":                         openAIChat{},
	"POST /v1/completions":                              openAICompletions{},
	"POST /v1/responses":                                openAIResponses{},
	"POST /v1/messages":                                 anthropicMessages{},
	"POST /openai/deployments/{model}/chat/completions": azureChat{},
}

// bearer is the key that comes as OpenAI's servers want it.
func bearer(h http.Header) string {
	key, _ := strings.CutPrefix(h.Get("Authorization"), "Bearer ")
	return key
}
