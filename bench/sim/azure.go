package sim

import (
	"encoding/json"
	"net/http"

	"redline/bench/sim/model"
)

// azureChat is Azure's path of chat completions: the model is a deployment, the version of the API must be named, and
// what filters said of the prompt comes in an event of its own, before the first choice.
type azureChat struct{ openAIChat }

const (
	safe          = `{"hate":{"filtered":false,"severity":"safe"},"self_harm":{"filtered":false,"severity":"safe"},"sexual":{"filtered":false,"severity":"safe"},"violence":{"filtered":false,"severity":"safe"}}`
	promptFilters = `[{"prompt_index":0,"content_filter_results":` + safe + `}]`
)

func (azureChat) quotas() QuotaHeaders { return QuotaAzure }

func (azureChat) key(h http.Header) string {
	if key := h.Get("Api-Key"); key != "" {
		return key
	}
	return bearer(h)
}

func (azureChat) read(body []byte, r *http.Request) (*request, *refusal) {
	if r.URL.Query().Get("api-version") == "" {
		return nil, &refusal{
			status: http.StatusBadRequest, code: "MissingApiVersionParameter",
			message: "The api-version query parameter (?api-version=) is required for all requests.",
		}
	}
	return readChat(body, r.PathValue("model"))
}

func (azureChat) voice(t *turn) voice {
	return &chunks{
		head:    chunkHead(t, "chatcmpl", "chat.completion.chunk"),
		preface: `data: {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":` + promptFilters,
		filter:  `,"content_filter_results":{}`,
	}
}

func (c azureChat) whole(t *turn, thought, text string, why model.Reason) map[string]any {
	answer := c.openAIChat.whole(t, thought, text, why)
	answer["prompt_filter_results"] = json.RawMessage(promptFilters)
	return answer
}

// word uses the gateway's own words for what never reaches a model.
func (c azureChat) word(no *refusal) (int, []byte) {
	own := *no
	switch {
	case no.status == http.StatusUnauthorized:
		own.kind, own.code = "", "401"
		own.message = "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription " +
			"and use a correct regional API endpoint for your resource."
	case no.code == "model_not_found":
		own.kind, own.code = "", "DeploymentNotFound"
		own.message = "The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again."
	}
	if own.kind != "" || own.detail != nil {
		return c.openAIChat.word(no)
	}
	return own.status, object(map[string]any{"error": map[string]any{"code": own.code, "message": own.message}})
}
