package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"redline/bench"
	"redline/bench/ratelimit"
	"redline/bench/stream"
)

// refused reads an answer whose status is not 2xx: what it says, its body, and what it asks for in its headers. The status stands, however
// much of the body came, unless somebody ended the request meanwhile. cancel ends ctx, and the reading with it.
func (c *Client) refused(ctx context.Context, cancel context.CancelCauseFunc, resp *http.Response, ended *bench.Ended, a *answer) {
	late := time.AfterFunc(errorBodyTime, func() { cancel(errBody) })
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	late.Stop()
	ended.Marks.Ended = bench.MarkAt(c.now())
	var f stream.Fault
	if encoding := compressed(resp.Header); encoding != "" {
		f.Message, body = fmt.Sprintf("%s, with a body compressed by %s, which nobody asked for", resp.Status, encoding), nil
	} else {
		f = errorOf(body)
	}
	if a.moved = movedTo(resp); a.moved != nil {
		f.Message = "redirected to " + shown(a.moved) // what the body says beside is for browsers
	}
	if f.Message == "" {
		f.Message = resp.Status
	}
	ended.Outcome = statusOutcome(resp.StatusCode, f)
	if a.proxied = c.proxy != nil && resp.StatusCode == http.StatusProxyAuthRequired; a.proxied {
		ended.Outcome, f.Message = bench.Unauthorized, fmt.Sprintf("the proxy %s answers %s: %s", shown(c.proxy), resp.Status, f.Message)
	}
	ended.Message = stream.Message(f.Message, c.redact.clean)
	if err != nil && ctx.Err() != nil {
		switch outcome, text := c.cancelled(context.Cause(ctx)); outcome {
		case bench.Cancelled, bench.Interrupted:
			ended.Outcome, ended.Message = outcome, text
		}
	}
	ended.Head = stream.Head(body, c.redact.clean)
	ended.RetryAfter = ratelimit.RetryAfter(resp.Header, time.Now())
	a.fault, a.body, a.schemes = f, string(body), challenges(resp.Header)
}

// compressed is the encoding in which a body came though none was asked for; empty for a body that can be read as it is.
func compressed(h http.Header) string {
	if len(h["Content-Encoding"]) == 0 {
		return ""
	}
	for part := range strings.SplitSeq(strings.ToLower(h.Get("Content-Encoding")), ",") {
		switch part = strings.TrimSpace(part); part {
		case "gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress":
			return part
		}
	}
	return ""
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
	case status == 498, status == 503, status == 529: // 498: Groq, out of capacity
		return bench.Overloaded
	case status >= 500:
		return bench.ServerError
	}
	return bench.ClientError
}

// errorOf reads what an error's body says, in whatever form.
func errorOf(body []byte) stream.Fault {
	var list []json.RawMessage // Gemini puts its error into one
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
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
	if text, ok := stream.Page(string(body)); ok {
		return stream.Fault{Message: text}
	}
	return stream.Fault{Message: string(body)}
}
