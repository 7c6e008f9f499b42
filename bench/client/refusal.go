package client

import (
	"encoding/json"
	"io"
	"net/http"
	"time"

	"redline/bench"
	"redline/bench/stream"
)

// refused reads an answer whose status is not 2xx: what it says, and its body.
func (c *Client) refused(resp *http.Response, ended *bench.Ended) (stream.Fault, string) {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // the status stands, however much of its body came
	now := c.now()
	ended.Marks.Ended = bench.MarkAt(now)
	f := errorOf(body)
	if f.Message == "" && resp.StatusCode/100 == 3 {
		f.Message = "redirected to " + resp.Header.Get("Location")
	}
	if f.Message == "" {
		f.Message = resp.Status
	}
	ended.Outcome = statusOutcome(resp.StatusCode, f)
	ended.Message = stream.Message(f.Message, c.redact.clean)
	ended.RetryAfter = retryAfter(resp.Header, time.Now())
	return f, string(body)
}

// statusOutcome is the class of an HTTP status.
func statusOutcome(status int, f stream.Fault) bench.Outcome {
	switch {
	case status == http.StatusTooManyRequests && f.Exhausted():
		return bench.Unauthorized
	case status == http.StatusTooManyRequests:
		return bench.RateLimited
	case status == 401, status == 402, status == 403:
		return bench.Unauthorized
	case status == 503, status == 529:
		return bench.Overloaded
	case status >= 500:
		return bench.ServerError
	}
	return bench.ClientError
}

// errorOf reads what an error's body says, in whatever form.
func errorOf(body []byte) stream.Fault {
	if f, ok := stream.ReadFault(body); ok {
		return f
	}
	var top struct {
		Message any `json:"message"`
		Detail  any `json:"detail"`
		Code    any `json:"code"`
	}
	if json.Unmarshal(body, &top) == nil {
		for _, v := range []any{top.Message, top.Detail} {
			switch v := v.(type) {
			case nil:
			case string:
				return stream.Fault{Message: v}
			default:
				text, _ := json.Marshal(v)
				return stream.Fault{Message: string(text)}
			}
		}
	}
	return stream.Fault{Message: string(body)}
}
