package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"redline/bench"
)

func asRefusal(err error, r **Refusal) bool { return errors.As(err, r) }

// sentence says in one line why the target cannot be driven, and what to do.
func (x *probe) sentence(e *bench.Ended, a *answer) string {
	at := shown(x.t.url)
	switch {
	case a.proxied:
		return x.c.unreachable(at, e, a)
	case a.encoding != "" && e.Status/100 == 2:
		return fmt.Sprintf("%s compresses its stream (%s) though nobody asked: turn compression off on the server or the proxy before it", at, a.encoding)
	}
	if text := x.azureSentence(at, e, a); text != "" {
		return text
	}
	if text := x.c.known(x.t.base, wires[x.t.api].path, e, a); text != "" {
		return text
	}
	switch {
	case unknownModel(e, a):
		return x.modelSentence(e)
	case tooLong(e, a):
		return x.contextSentence(at, e, a)
	case wrongURL(e, a) && x.given != nil:
		return fmt.Sprintf("neither %s (%s) nor %s (%s) has %s: check the base URL, which usually ends in /v1%s",
			shown(x.given), statusWord(x.status), shown(x.t.base), statusWord(e.Status), wires[x.t.api].path, x.orChat())
	}
	return x.outcomeSentence(at, e, a)
}

// outcomeSentence is the sentence of an outcome.
func (x *probe) outcomeSentence(at string, e *bench.Ended, a *answer) string {
	switch e.Outcome {
	case bench.OK:
		return fmt.Sprintf("%s answered well but without a single token (finish reason %q): check the model and its chat template", at, e.Finish)
	case bench.NotStreaming:
		if isPage(e) {
			return fmt.Sprintf("%s answers with %s: check the base URL, which usually ends in /v1", at, e.Message)
		}
		return fmt.Sprintf("%s answers with one JSON body instead of a stream: use an endpoint that honours \"stream\": true", at)
	case bench.Malformed:
		return fmt.Sprintf("%s sends nothing that can be read as an event (%q): check that it speaks the dialect of %s", at, e.Message, wires[x.t.api].path)
	case bench.Truncated:
		return fmt.Sprintf("%s did not finish its answer (%s): look at the server's log", at, e.Message)
	case bench.StreamError:
		return fmt.Sprintf("%s failed inside the stream (%s): look at the server's log", at, e.Message)
	case bench.Unauthorized:
		return x.c.keySentence(at, e, a)
	}
	return x.c.unreachable(at, e, a)
}

// orChat offers the protocol that most servers speak, where another was asked for.
func (x *probe) orChat() string {
	if x.t.api == bench.Chat {
		return ""
	}
	return ", or ask with --api chat"
}

// azureSentence is for the refusals of an Azure deployment; else it is empty.
func (x *probe) azureSentence(at string, e *bench.Ended, a *answer) string {
	name := deployment(x.t.base)
	if name == "" || e.Status != http.StatusNotFound && e.Status != http.StatusBadRequest {
		return ""
	}
	lacks := x.t.base.Query().Get(versionParam) == ""
	switch text := strings.ToLower(a.fault.Code + " " + a.fault.Message); {
	case lacks && (e.Status == http.StatusNotFound || strings.Contains(text, "version")):
		return fmt.Sprintf("%s names no api-version, which Azure wants (%s): write it behind the URL, for example ?api-version=2024-10-21", at, said(e))
	case strings.Contains(text, "deploymentnotfound") || strings.Contains(text, "deployment") && strings.Contains(text, "not exist"):
		return fmt.Sprintf("%s has no deployment %q (%s): check its name and the resource", at, name, e.Message)
	case e.Status == http.StatusNotFound:
		return fmt.Sprintf("%s is not there (%s): check resource, deployment and api-version", at, said(e))
	}
	return ""
}

// tooLong tells whether the answer says that prompt and answer together are more than the model's context holds.
func tooLong(e *bench.Ended, a *answer) bool {
	return ofContext(e.Status, a.fault.Code+" "+a.fault.Type+" "+a.fault.Message)
}

// TooLong tells whether a request of a run failed because prompt and answer together are more than the model's context holds, as far as its message says so.
func TooLong(e *bench.Ended) bool { return ofContext(e.Status, e.Message) }

// ofContext tells whether an answer speaks of a context that is too small.
func ofContext(status int, text string) bool {
	if status != http.StatusBadRequest && status != http.StatusRequestEntityTooLarge && status != http.StatusUnprocessableEntity {
		return false
	}
	text = strings.ToLower(text)
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

func (c *Client) keySentence(at string, e *bench.Ended, a *answer) string {
	if text := c.loginSentence(at, e, a); text != "" {
		return text
	}
	given := false
	for _, name := range []string{"Authorization", "X-Api-Key", "Api-Key"} {
		given = given || c.headers.post.Get(name) != ""
	}
	switch {
	case a.fault.Exhausted() || e.Status == http.StatusPaymentRequired:
		return fmt.Sprintf("%s says that money or quota is used up (%s): top it up, or use another key", at, e.Message)
	case !given:
		return fmt.Sprintf("%s wants an API key (%s), and none was given: name the one to use", at, said(e))
	}
	return fmt.Sprintf("%s does not accept the API key (%s): check the key and what it may use", at, said(e))
}

// shownModels is how many models an error offers.
const shownModels = 5

func (x *probe) modelSentence(e *bench.Ended) string {
	names, err := x.c.models(x.ctx, x.t.base)
	if err != nil || len(names) == 0 {
		return fmt.Sprintf("%s does not have the model %q (%s): name one that it serves", shown(x.t.base), x.t.model, e.Message)
	}
	return fmt.Sprintf("%s does not have the model %q: it serves %s", shown(x.t.base), x.t.model, few(names))
}

// few are the first names in their order, and how many more there are.
func few(names []string) string {
	more := ""
	if slices.Sort(names); len(names) > shownModels {
		names, more = names[:shownModels], fmt.Sprintf(" and %d more", len(names)-shownModels)
	}
	return strings.Join(names, ", ") + more
}

// listTime bounds the look into the model list of a server that has answered already.
const listTime = 2 * time.Second

// unlisted notes that the server does not list the model that it answers for: some take any name, and serve another model.
func (x *probe) unlisted() {
	if deployment(x.t.base) != "" {
		return
	}
	ctx, cancel := context.WithTimeout(x.ctx, listTime)
	defer cancel()
	names, err := x.c.models(ctx, x.t.base)
	if x.t.single { // nor is the list's connection one to use again
		x.c.transport.Load().CloseIdleConnections()
	}
	if err == nil && len(names) > 0 && !slices.ContainsFunc(names, x.t.called) {
		x.note("the server answers for the model %q, but lists only %s", x.t.model, few(names))
	}
}

// called tells whether a listed name is that of the model: Ollama's :latest may be left out, and a gateway's prefix.
func (t *target) called(name string) bool {
	return name == t.model || name == t.model+":latest" || strings.HasSuffix(name, "/"+t.model)
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
