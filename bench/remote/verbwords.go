package remote

import (
	"fmt"
	"strconv"
	"strings"
)

// loadWords reads a load as it is typed: 16, +4, -4, x2, 50%, 2.5/s.
func loadWords(args []string) (map[string]any, error) {
	text := strings.ToLower(strings.Join(args, ""))
	bad := fmt.Errorf("load %.40q: want 16, +4, -4, x2, 50%% or a rate such as 2.5/s", text)
	if text == "" {
		return nil, bad
	}
	number := func(s string) (float64, bool) {
		n, err := strconv.ParseFloat(s, 64)
		return n, err == nil && n >= 0 && n <= mostNumber && s[0] != '+' && s[0] != '-'
	}
	field, rest, sign, scale := "set", text, 1.0, 1.0
	switch {
	case text[0] == '+':
		field, rest = "add", text[1:]
	case text[0] == '-':
		field, rest, sign = "add", text[1:], -1
	case text[0] == 'x' || text[0] == '*':
		field, rest = "times", text[1:]
	case strings.HasPrefix(text, "×"):
		field, rest = "times", strings.TrimPrefix(text, "×")
	case strings.HasSuffix(text, "%"):
		field, rest, scale = "times", strings.TrimSuffix(text, "%"), 100
	case strings.Contains(text, "/"):
		return map[string]any{"set": text}, nil
	}
	if rest == "" {
		return nil, bad
	}
	n, ok := number(rest)
	if !ok {
		return nil, bad
	}
	return map[string]any{field: sign * n / scale}, nil
}

// textWords are words that are one text.
func textWords(field string) func([]string) (map[string]any, error) {
	return func(args []string) (map[string]any, error) {
		text := strings.TrimSpace(strings.Join(args, " "))
		if text == "" {
			return nil, fmt.Errorf("want a %s behind it", field)
		}
		return map[string]any{field: text}, nil
	}
}

// sheetWords are those of what may be left out, or ended.
func sheetWords(field string) func([]string) (map[string]any, error) {
	return func(args []string) (map[string]any, error) {
		text := strings.TrimSpace(strings.Join(args, " "))
		switch {
		case text == "end" && field != "profile":
			return map[string]any{"end": true}, nil
		case text == "":
			return map[string]any{}, nil
		}
		return map[string]any{field: text}, nil
	}
}

func promiseWords(args []string) (map[string]any, error) {
	if len(args) > 1 && args[0] == "drop" {
		return map[string]any{"drop": strings.Join(args[1:], "")}, nil
	}
	if len(args) == 0 {
		return nil, fmt.Errorf("promise: want one, as in 'ttft.p95<=500ms', or drop ttft.p95")
	}
	return map[string]any{"promise": strings.Join(args, "")}, nil
}

func answerWords(args []string) (map[string]any, error) {
	bad := fmt.Errorf("answer: want yes or no, and behind it the number of the question that is meant")
	if len(args) < 1 || len(args) > 2 || args[0] != "yes" && args[0] != "no" {
		return nil, bad
	}
	out := map[string]any{"yes": args[0] == "yes"}
	if len(args) == 2 {
		id, err := strconv.Atoi(args[1])
		if err != nil || id < 1 || id > mostNumber {
			return nil, bad
		}
		out["id"] = id
	}
	return out, nil
}

func stopWords(args []string) (map[string]any, error) {
	switch strings.Join(args, " ") {
	case "":
		return map[string]any{}, nil
	case "now":
		return map[string]any{"now": true}, nil
	}
	return nil, fmt.Errorf("stop: want nothing behind it, or now")
}
