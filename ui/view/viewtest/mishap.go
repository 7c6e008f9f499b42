package viewtest

import (
	"time"

	"redline/bench"
)

// broken ends a stream before its end.
func (l *life) broken(e *bench.Ended) {
	m := &e.Marks
	if e.Outcome == bench.OK {
		return
	}
	e.Finish = ""
	switch e.Outcome {
	case bench.Truncated:
		e.Message = "the stream ended without a finish reason"
	case bench.Stalled:
		e.Message = "no byte for 1m0s"
	case bench.StreamError:
		e.Finish = "error"
		e.Message = "CUDA out of memory. Tried to allocate 2.00 GiB"
		e.Head = "data: {\"error\":{\"message\":\"CUDA out of memory. Tried to allocate 2.00 GiB\",\"code\":500}}\n\n"
	case bench.Malformed:
		e.Counts = bench.Counts{Malformed: 12}
		m.FirstToken, m.FirstChunk, m.FirstAnswer, m.LastToken = bench.Mark{}, bench.Mark{}, bench.Mark{}, bench.Mark{}
		e.Gaps, e.Reply, e.MaxGap, e.Stalls = bench.GapList{}, "", 0, 0
		e.Message, e.Head = "12 events could not be read", "data: {\"choices\":[{\"delta\":\x00\xff\xfe\x1b[31m\n"
	}
}

// refused ends a request that gets no stream; false for one that does.
func (l *life) refused(e *bench.Ended) bool {
	m := &e.Marks
	m.Ended = bench.MarkAt(l.end)
	answer := func(status int, kind, message, head string) bool {
		e.Status, e.Message, e.Head, e.Finish = status, message, head, ""
		m.Headers, m.Ended = bench.MarkAt(max(l.end-600*time.Microsecond, m.Written.At)), bench.MarkAt(l.end)
		e.Header["Content-Type"] = []string{kind}
		delete(e.Header, "Openai-Processing-Ms")
		return true
	}
	switch l.outcome {
	case bench.RateLimited:
		e.RetryAfter = 2 * time.Second
		e.Header["Retry-After"] = []string{"2"}
		return answer(429, "application/json", "Rate limit reached for requests: limit 600 / min. Please try again in 2s.",
			"{\"error\":{\"message\":\"Rate limit reached for requests: limit 600 / min. Please try again in 2s.\",\"type\":\"requests\",\"code\":\"rate_limit_exceeded\"}}")
	case bench.ServerError:
		return answer(500, "text/html", "Internal Server Error \u2014 請稍後再試",
			"<html>\r\n<head><title>500 Internal Server Error</title></head>\r\n<body>\x1b]0;owned\x07\x1b[2J請稍後再試 🚦\x00\xff</body>\r\n</html>")
	case bench.NotStreaming:
		return answer(200, "application/json", "the answer is no event stream", "{\"id\":\"cmpl-1\",\"choices\":[{\"text\":\" whole at once\"}]}")
	case bench.Unauthorized:
		return answer(401, "application/json", "Incorrect API key provided", "{\"error\":{\"message\":\"Incorrect API key provided: ***\"}}")
	case bench.Reset:
		e.Status, e.Header, e.Finish = 0, nil, ""
		e.Message = "read tcp 10.0.0.2:51514->10.0.0.7:8000: connection reset by peer"
		return true
	}
	return false
}
