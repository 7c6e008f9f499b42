package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// refusal is an answer that is an error, in the shape all OpenAI-compatible servers share.
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
}

func badRequest(param, format string, args ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, kind: "BadRequestError", param: param, message: fmt.Sprintf(format, args...)}
}

// body is the error object.
func (f *refusal) body() []byte {
	inner := map[string]any{"message": f.message, "type": f.kind, "param": nil, "code": any(f.status)}
	if f.param != "" {
		inner["param"] = f.param
	}
	if f.code != "" {
		inner["code"] = f.code
	}
	b, err := json.Marshal(map[string]any{"error": inner})
	if err != nil {
		panic(err) // strings and numbers only
	}
	return b
}

func (f *refusal) write(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if f.retry > 0 {
		// Whole seconds, rounded up: earlier would be refused again.
		h.Set("Retry-After", strconv.Itoa(int((f.retry+time.Second-1)/time.Second)))
	}
	w.WriteHeader(f.status)
	_, _ = w.Write(f.body()) // nobody is left to tell
}
