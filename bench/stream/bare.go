package stream

import (
	"slices"
	"strconv"
)

// bareFault is the fault of an object that is one itself, without saying so by a name: FastAPI's detail, the codes and messages of FastChat,
// Baidu and others, the types of AWS, the HTTP status that frameworks repeat in their errors, and a code or a refused success with words
// beside it (DashScope, Zhipu). An answer is none.
func bareFault(top map[string]any) (Fault, bool) {
	choices, _ := top["choices"].([]any)
	if len(choices) > 0 || says(top["usage"]) || says(top["delta"]) {
		return Fault{}, false
	}
	for _, key := range []string{"detail", "error_msg", "error_message", "errorMessage", "errmsg", "error_code", "errorCode", "errcode", "__type"} {
		if says(top[key]) {
			return faultOf(top), true
		}
	}
	for _, key := range []string{"status", "statusCode", "status_code"} {
		s := word(top[key])
		if n, err := strconv.Atoi(s); err == nil && n >= 400 || err != nil && failing([]byte(s)) {
			return faultOf(top), true
		}
	}
	if says(top["code"]) || top["success"] == false {
		if wording(top) != "" {
			return faultOf(top), true
		}
	}
	return Fault{}, false
}

// says tells whether any part of a value in the place of an error says something, and no success.
func says(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case map[string]any:
		for _, part := range v {
			if says(part) {
				return true
			}
		}
		return false
	case []any:
		return slices.ContainsFunc(v, says)
	}
	s := word(v)
	return s != "" && !succeeds([]byte(s))
}
