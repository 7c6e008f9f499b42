package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// refusal is an answer that is an error.
type refusal struct {
	status  int
	kind    string
	message string
	// param is the field at fault, if one is.
	param string
	// code is a word where the provider gives one, else the status stands in.
	code string
	// retry is when to come back; 0 says nothing.
	retry time.Duration
	// detail, if there is any, is the whole body, as FastAPI's servers give it for bodies that do not fit their model.
	detail []any
}

func badRequest(param, format string, args ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, kind: "BadRequestError", param: param, message: fmt.Sprintf(format, args...)}
}

// body is the error object in the shape that all OpenAI-compatible servers share.
func (f *refusal) body() []byte {
	if f.detail != nil {
		return object(map[string]any{"detail": f.detail})
	}
	inner := map[string]any{"message": f.message, "type": f.kind, "param": nil, "code": any(f.status)}
	if f.param != "" {
		inner["param"] = f.param
	}
	if f.code != "" {
		inner["code"] = f.code
	}
	return object(map[string]any{"error": inner})
}

// object is the JSON of what holds strings, numbers and JSON only.
func object(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// write answers with a body in the words of a dialect.
func (f *refusal) write(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if f.retry > 0 {
		// Whole seconds, rounded up: earlier would be refused again.
		h.Set("Retry-After", strconv.Itoa(int(ceil(f.retry, time.Second))))
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // nobody is left to tell
}

// ceil is how many units cover a length of time.
func ceil(d, unit time.Duration) int64 { return int64((d + unit - 1) / unit) }
