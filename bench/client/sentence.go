package client

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"redline/bench"
)

func asRefusal(err error, r **Refusal) bool { return errors.As(err, r) }

// sentence says in one line why the target cannot be driven, and what to do.
func (x *probe) sentence(e *bench.Ended, a *answer) string {
	at := shown(endpoint(x.t.base, "/chat/completions"))
	switch {
	case unknownModel(e, a):
		return x.modelSentence(e)
	case tooLong(e, a):
		return x.contextSentence(at, e, a)
	case wrongURL(e, a) && x.given != nil:
		return fmt.Sprintf("neither %s (%s) nor %s (%s) has /chat/completions: check the base URL, which usually ends in /v1",
			shown(x.given), statusWord(x.status), shown(x.t.base), statusWord(e.Status))
	case a.encoding != "" && e.Status == 200:
		return fmt.Sprintf("%s compresses its stream (%s) though nobody asked: turn compression off on the server or the proxy before it", at, a.encoding)
	}
	switch e.Outcome {
	case bench.OK:
		return fmt.Sprintf("%s answered well but without a single token (finish reason %q): check the model and its chat template", at, e.Finish)
	case bench.NotStreaming:
		if e.Message == "" || e.Message[0] != '<' {
			return fmt.Sprintf("%s answers with one JSON body instead of a stream: use an endpoint that honours \"stream\": true", at)
		}
		return fmt.Sprintf("%s answers with a web page: check the base URL, which usually ends in /v1", at)
	case bench.Malformed:
		return fmt.Sprintf("%s sends nothing that can be read as an event (%q): check that it speaks the chat completions dialect", at, e.Message)
	case bench.Truncated:
		return fmt.Sprintf("%s did not finish its answer (%s): look at the server's log", at, e.Message)
	case bench.StreamError:
		return fmt.Sprintf("%s failed inside the stream (%s): look at the server's log", at, e.Message)
	case bench.Unauthorized:
		return x.keySentence(at, e, a)
	case bench.RateLimited:
		return fmt.Sprintf("%s limits requests already (%s)%s: wait, or use another key", at, e.Message, after(e))
	case bench.Overloaded:
		return fmt.Sprintf("%s is overloaded or still loading (%s)%s: wait for it", at, e.Message, after(e))
	}
	return unreachable(at, x.t.base.Hostname(), e)
}

// unreachable says why no answer, or none of use, came from a URL.
func unreachable(at, host string, e *bench.Ended) string {
	if text := noHandshake(at, e); text != "" {
		return text
	}
	switch e.Outcome {
	case bench.Refused:
		return fmt.Sprintf("nothing listens at %s: start the server, or check host and port", at)
	case bench.DNS:
		return fmt.Sprintf("the host name %s of %s does not resolve: check its spelling", host, at)
	case bench.TLS:
		if strings.Contains(e.Message, "does not look like a TLS handshake") {
			return fmt.Sprintf("%s does not speak TLS: write http:// instead of https://", at)
		}
		return fmt.Sprintf("no trusted TLS connection to %s (%s): name the authority that signed its certificate", at, e.Message)
	case bench.Reset:
		return fmt.Sprintf("%s closed the connection without an answer (%s): check the port, and whether it wants https://", at, e.Message)
	case bench.TimeoutConnect:
		return fmt.Sprintf("no connection to %s within the limit: check host, port and firewall", at)
	case bench.TimeoutFirst, bench.TimeoutTotal, bench.Stalled:
		return fmt.Sprintf("%s did not answer in time (%s): raise the limit if it is loading a model", at, e.Message)
	case bench.NoDescriptors:
		return fmt.Sprintf("this machine has no descriptor or port left to reach %s (%s): raise its limit on open files", at, e.Message)
	case bench.ClientError:
		return fmt.Sprintf("%s refuses the request (%s, %s): change what it names", at, statusWord(e.Status), e.Message)
	case bench.ServerError:
		return fmt.Sprintf("%s fails (%s, %s): look at the server's log", at, statusWord(e.Status), e.Message)
	}
	return fmt.Sprintf("no answer from %s (%s): check the network between", at, e.Message)
}

// noHandshake is for an https URL whose port was reached, but did not take part in a TLS handshake; else it is empty.
func noHandshake(at string, e *bench.Ended) string {
	if !strings.HasPrefix(at, "https://") || e.Marks.Connected.OK {
		return ""
	}
	switch {
	case e.Outcome == bench.TimeoutConnect && strings.Contains(e.Message, "TLS handshake timeout"):
		return fmt.Sprintf("the TLS handshake with %s got no answer: does it speak plain http?", at)
	case e.Outcome == bench.Reset:
		return fmt.Sprintf("%s closed the connection in the TLS handshake (%s): does it speak plain http?", at, e.Message)
	}
	return ""
}

// tooLong tells whether the answer says that prompt and answer together are more than the model's context holds.
func tooLong(e *bench.Ended, a *answer) bool {
	if e.Status != http.StatusBadRequest && e.Status != http.StatusRequestEntityTooLarge && e.Status != http.StatusUnprocessableEntity {
		return false
	}
	text := strings.ToLower(a.fault.Code + " " + a.fault.Type + " " + a.fault.Message)
	if strings.Contains(text, "context_length_exceeded") || strings.Contains(text, "exceed_context_size") {
		return true
	}
	if !strings.Contains(text, "context") && !strings.Contains(text, "max_model_len") {
		return false
	}
	for _, words := range []string{"length", "size", "window", "max_model_len", "exceed"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// contextSentence names what to lower, and the numbers that the server gave.
func (x *probe) contextSentence(at string, e *bench.Ended, a *answer) string {
	numbers := ""
	if m := contextNumbers.FindAllStringSubmatch(a.body, -1); m != nil && !contextAnyNumber.MatchString(e.Message) {
		for _, pair := range m {
			numbers += ", " + pair[1] + " " + pair[2]
		}
	}
	return fmt.Sprintf("the context of %s is too small (%s%s): lower --input-tokens or --max-tokens", at, e.Message, numbers)
}

var (
	// contextNumbers are the fields in which llama.cpp says what the message may not.
	contextNumbers   = regexp.MustCompile(`"(n_prompt_tokens|n_ctx)"\s*:\s*([0-9]+)`)
	contextAnyNumber = regexp.MustCompile(`[0-9]`)
)

func (x *probe) keySentence(at string, e *bench.Ended, a *answer) string {
	switch {
	case a.fault.Exhausted() || e.Status == 402:
		return fmt.Sprintf("%s says that money or quota is used up (%s): top it up, or use another key", at, e.Message)
	case x.c.opt.Key.Empty():
		return fmt.Sprintf("%s wants an API key (%s), and none was given: name the one to use", at, statusWord(e.Status))
	}
	return fmt.Sprintf("%s does not accept the API key (%s, %s): check the key and what it may use", at, statusWord(e.Status), e.Message)
}

// shownModels is how many models an error offers.
const shownModels = 5

func (x *probe) modelSentence(e *bench.Ended) string {
	names, err := x.c.models(x.ctx, x.t.base)
	if err != nil || len(names) == 0 {
		return fmt.Sprintf("%s does not have the model %q (%s): name one that it serves", shown(x.t.base), x.t.model, e.Message)
	}
	more := ""
	if slices.Sort(names); len(names) > shownModels {
		names, more = names[:shownModels], fmt.Sprintf(" and %d more", len(names)-shownModels)
	}
	return fmt.Sprintf("%s does not have the model %q: it serves %s%s", shown(x.t.base), x.t.model, strings.Join(names, ", "), more)
}

func after(e *bench.Ended) string {
	if e.RetryAfter <= 0 {
		return ""
	}
	return ", and asks to wait " + e.RetryAfter.String()
}

func statusWord(status int) string {
	if status == 0 {
		return "no answer"
	}
	return fmt.Sprintf("HTTP %d", status)
}
