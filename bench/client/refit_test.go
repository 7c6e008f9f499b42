package client

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

// refuses is a server that refuses bodies with a field, in words of which %s is the field.
func refuses(words string, status int, fields ...string) *strict {
	return &strict{path: "/v1/chat/completions", answer: well, refuse: func(body map[string]any) (int, string) {
		for _, f := range fields {
			if holds(body, strings.Split(f, ".")) {
				if strings.Contains(words, "%s") {
					return status, fmt.Sprintf(words, f[strings.LastIndex(f, ".")+1:])
				}
				return status, words
			}
		}
		return 0, ""
	}}
}

func holds(v any, path []string) bool {
	object, _ := v.(map[string]any)
	x, ok := object[path[0]]
	return ok && (len(path) == 1 || holds(x, path[1:]))
}

func TestRefusedFieldsAreFoundInTheWordsOfMany(t *testing.T) {
	extra := func(fields map[string]any) func(*Options) { return func(o *Options) { o.Extra = fields } }
	eos := extra(map[string]any{"ignore_eos": true})
	kwargs := extra(map[string]any{"chat_template_kwargs": map[string]any{"enable_thinking": false, "keep": 1}})
	tests := []struct {
		sentence string
		words    string
		status   int
		fields   []string
		change   func(*Options)
		gone     []string // of the last body
		kept     []string
		note     string
	}{
		{"OpenAI", `{"error":{"message":"Unrecognized request argument supplied: %s","type":"invalid_request_error"}}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "temperature"}, "refuses ignore_eos"},
		{"OpenAI, by param alone", `{"error":{"message":"Invalid value.","param":"%s"}}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options"}, "refuses ignore_eos"},
		{"pydantic", `{"detail":[{"type":"extra_forbidden","loc":["body","%s"],"msg":"Extra inputs are not permitted","input":{"stream_options":1,"temperature":2}}]}`, 422, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "temperature"}, "refuses ignore_eos"},
		{"Mistral", `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","%s"],"msg":"Extra inputs are not permitted","input":{"include_usage":true}}]},"type":"invalid_request_error"}`, 422, []string{"stream_options"}, nil, []string{"stream_options"}, []string{"temperature"}, "refuses stream_options"},
		{"vLLM", `{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', '%s'), 'msg': 'Extra inputs are not permitted', 'input': True}]","code":400}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options"}, "refuses ignore_eos"},
		{"Anthropic", `{"type":"error","error":{"type":"invalid_request_error","message":"%s: Extra inputs are not permitted"}}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, nil, "refuses ignore_eos"},
		{"Gemini", `[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"%s\": Cannot find field."}}]`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options"}, "refuses ignore_eos"},
		{"one that speaks of its model", `{"error":{"message":"Unknown parameter '%s' for this model"}}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options"}, "refuses ignore_eos"},
		{"plain text", `unsupported field %s`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options"}, "refuses ignore_eos"},
		{"a short name stands in quotes", `{"error":"'%s' is not supported"}`, 400, []string{"n"}, extra(map[string]any{"n": 2, "k": 3}), []string{"n"}, []string{"k"}, "refuses n"},
		{"the member of an object, by its place", `{"detail":[{"loc":["body","chat_template_kwargs","%s"],"msg":"Extra inputs are not permitted"}]}`, 422, []string{"chat_template_kwargs.enable_thinking"}, kwargs,
			[]string{"chat_template_kwargs.enable_thinking"}, []string{"chat_template_kwargs.keep"}, "refuses chat_template_kwargs.enable_thinking"},
		{"the member of an object, by its name", `{"error":{"message":"Unknown parameter: 'chat_template_kwargs.%s'","param":"chat_template_kwargs.enable_thinking"}}`, 400, []string{"chat_template_kwargs.enable_thinking"}, kwargs,
			[]string{"chat_template_kwargs.enable_thinking"}, []string{"chat_template_kwargs.keep"}, "enable_thinking"},
		{"two of them, one after the other", `{"error":{"message":"unknown field %s"}}`, 400, []string{"ignore_eos", "top_k"}, extra(map[string]any{"ignore_eos": true, "top_k": 1, "min_p": 0}), []string{"ignore_eos", "top_k"}, []string{"min_p"}, "refuses top_k"},
		{"the new name of the limit is wanted", `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens"}}`, 400, []string{"max_tokens"}, nil, []string{"max_tokens"}, []string{"max_completion_tokens"}, "wants max_completion_tokens instead of max_tokens"},
		{"the old name is refused without naming the new", `{"error":{"message":"'max_tokens' is not supported"}}`, 400, []string{"max_tokens"}, nil, []string{"max_tokens"}, []string{"max_completion_tokens"}, "instead of max_tokens"},
		{"the old name is wanted", `{"detail":[{"loc":["body","%s"],"msg":"Extra inputs are not permitted","type":"extra_forbidden"}]}`, 422, []string{"max_completion_tokens"}, func(o *Options) { o.MaxTokensField = "max_completion_tokens" },
			[]string{"max_completion_tokens"}, []string{"max_tokens"}, "wants max_tokens instead of max_completion_tokens"},
		{"temperature", `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model."}}`, 400, []string{"temperature"}, nil, []string{"temperature"}, []string{"stream_options"}, "refuses temperature"},
		{"an unnamed field of ours", `{"error":"unknown field in request"}`, 400, []string{"stream_options"}, eos, []string{"stream_options"}, []string{"ignore_eos", "temperature"}, "without naming it, and answers without stream_options"},
		{"an unnamed extra field", `{"error":"extra fields not permitted"}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "temperature"}, "answers without ignore_eos"},
		{"an unnamed temperature", `{"error":"unsupported parameter"}`, 400, []string{"temperature"}, eos, []string{"temperature"}, []string{"stream_options", "ignore_eos"}, "answers without temperature"},
		{"serde, which lists what it takes", "Failed to deserialize the JSON body into the target type: ignore_eos: unknown field `%s`, expected one of `messages`, `model`, `stream`, `stream_options`, `max_tokens`, `max_completion_tokens`, `temperature` at line 1 column 97", 422, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "max_tokens", "temperature"}, "refuses ignore_eos"},
		{"serde with two fields", "unknown field `%s`, expected `temperature` or `stream_options`", 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "max_tokens", "temperature"}, "refuses ignore_eos"},
		{"a list in a sentence of its own", `{"error":{"message":"Unknown parameter: %s. Supported parameters are: stream_options, temperature, max_completion_tokens."}}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "max_tokens", "temperature"}, "refuses ignore_eos"},
		{"a list that comes first", `{"error":"Allowed fields: temperature, stream_options, max_tokens. Field '%s' is unknown."}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "max_tokens", "temperature"}, "refuses ignore_eos"},
		{"a list that comes first, in the same sentence", `{"error":"invalid field: expected one of temperature, stream_options but got %s"}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "max_tokens", "temperature"}, "refuses ignore_eos"},
		{"a list of all that is taken", `{"error":"unexpected field %s: only messages, stream_options and temperature are supported"}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "max_tokens", "temperature"}, "refuses ignore_eos"},
		{"one that is not in the list", `{"error":"'%s' is not one of the allowed keys ['temperature', 'stream_options']"}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "temperature"}, "refuses ignore_eos"},
		{"one that must be another", `{"error":"%s: field must be one of temperature, stream_options"}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "temperature"}, "refuses ignore_eos"},
		{"a list in a member of its own", `{"error":{"message":"unknown field %s","allowed_fields":["temperature","stream_options"],"validParams":"store"}}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "temperature"}, "refuses ignore_eos"},
		{"a list of values", `{"error":"Unsupported value for '%s': expected false, permitted values: false (see temperature)"}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"temperature"}, "refuses ignore_eos"},
		{"jsonschema, which names it behind what is not allowed", `{"error":"Additional properties are not allowed ('%s' was unexpected)"}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "temperature"}, "refuses ignore_eos"},
		{"what is not permitted", `{"error":"These parameters are not permitted: %s"}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "temperature"}, "refuses ignore_eos"},
		{"what is no valid parameter", `{"error":"Not a valid parameter: %s"}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "temperature"}, "refuses ignore_eos"},
		{"what is not supported", `{"error":"Unsupported parameters: %s"}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "temperature"}, "refuses ignore_eos"},
		{"what was not expected", `{"error":"got an unexpected keyword argument '%s'"}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "temperature"}, "refuses ignore_eos"},
		{"the first of several", `{"error":"unknown field %s (beside temperature and stream_options)"}`, 400, []string{"ignore_eos"}, eos, []string{"ignore_eos"}, []string{"stream_options", "temperature"}, "refuses ignore_eos"},
		{"the first of several, which is one of ours", `{"error":"%s is not supported with ignore_eos"}`, 400, []string{"temperature"}, eos, []string{"temperature"}, []string{"stream_options", "ignore_eos"}, "refuses temperature"},
		{"the first of several members", `{"error":"unknown parameter 'chat_template_kwargs.%s', not 'keep'"}`, 400, []string{"chat_template_kwargs.enable_thinking"}, kwargs,
			[]string{"chat_template_kwargs.enable_thinking"}, []string{"chat_template_kwargs.keep"}, "enable_thinking"},
		{"the new name of the limit stands in the list, the old one does not", `{"error":"%s is wrong here; valid fields: messages, max_completion_tokens"}`, 400, []string{"max_tokens"}, eos, []string{"max_tokens"}, []string{"max_completion_tokens", "ignore_eos"}, "wants max_completion_tokens instead of max_tokens"},
		{"only the list names the limit", `{"error":"bad request; valid fields: messages, max_completion_tokens"}`, 400, []string{"max_tokens"}, eos, []string{"max_tokens"}, []string{"max_completion_tokens", "ignore_eos"}, "wants max_completion_tokens instead of max_tokens"},
		{"what is expected of it", `{"error":"invalid request: expected temperature to be above 0, got 0"}`, 400, []string{"temperature"}, eos, []string{"temperature"}, []string{"stream_options", "ignore_eos"}, "refuses temperature"},
		{"several unnamed fields", `{"error":"unsupported parameter"}`, 400, []string{"stream_options", "ignore_eos"}, eos, []string{"stream_options", "ignore_eos"}, nil, "answers without stream_options, ignore_eos, temperature"},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := refuses(tt.words, tt.status, tt.fields...)
				c, _ := serve(t, s.ServeHTTP, tt.change)
				r, err := c.Preflight(context.Background(), request.Prompt)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(strings.Join(r.Notes, "\n"), tt.note) || len(r.Notes) > 2 || !slices.Equal(r.Notes, r.Changed) {
					t.Errorf("notes %q, want %q", r.Notes, tt.note)
				}
				for _, f := range tt.gone {
					if holds(s.last(), strings.Split(f, ".")) {
						t.Errorf("%s is still sent: %v", f, s.last())
					}
				}
				for _, f := range tt.kept {
					if !holds(s.last(), strings.Split(f, ".")) {
						t.Errorf("%s is no longer sent: %v", f, s.last())
					}
				}
				asked := len(s.bodies)
				if r, err := c.Preflight(context.Background(), request.Prompt); err != nil || len(s.bodies) != asked+1 || len(r.Changed) > 0 {
					t.Errorf("a second preflight: %v, %d requests, %q", err, len(s.bodies)-asked, r.Changed)
				}
			})
		})
	}
}

func TestRefusalsThatAreOfNoFieldAreNotGuessedAt(t *testing.T) {
	for _, tt := range []struct {
		sentence, body string
		most           int
	}{
		{"no word of a field", `{"error":"bad request"}`, 1},
		{"a model that is not there", `{"error":{"message":"The model m does not exist: unsupported","code":"model_not_found"}}`, 1},
		{"a prompt that is too long", `{"error":{"message":"maximum context length exceeded: max_completion_tokens is too large, unsupported"}}`, 1},
		{"a request that is quoted back", `{"detail":[{"loc":["body"],"msg":"Input should be a valid dictionary","input":"{\"temperature\":0,\"stream_options\":{}}"}]}`, 1},
		{"a server that refuses everything", `{"error":"unknown field"}`, 5},
		{"a server that names what is never sent", `{"error":"unknown field seed"}`, 5},
		{"a server that refuses both names of the limit", `{"error":"max_tokens and max_completion_tokens are not supported"}`, 7},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &strict{path: "/v1/chat/completions", models: []string{"m"}, refuse: func(map[string]any) (int, string) { return 400, tt.body }}
			c, _ := serve(t, s.ServeHTTP, func(o *Options) { o.Extra = map[string]any{"ignore_eos": true} })
			r, err := c.Preflight(context.Background(), request.Prompt)
			if err == nil || len(s.bodies) > tt.most || r.UsedIn+r.UsedOut != 0 {
				t.Errorf("%s: %v after %d requests, used %d and %d", tt.sentence, err, len(s.bodies), r.UsedIn, r.UsedOut)
			}
		})
	}
}

func TestResponsesAreNotStoredWhereThatCanBeSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := refuses(`{"error":{"message":"Unknown parameter: '%s'.","param":"%s"}}`, 400, "store")
		s.path = "/v1/responses"
		c, _ := serve(t, s.ServeHTTP, func(o *Options) { o.API = bench.Responses })
		if r, err := c.Preflight(context.Background(), request.Prompt); err != nil || !strings.Contains(strings.Join(r.Notes, "\n"), "refuses store") || holds(s.last(), []string{"store"}) {
			t.Errorf("%v, %q, %v", err, r.Notes, s.last())
		}
	})
}

// heavy answers with two events of five tokens, and usage with each where it can and is asked to.
func heavy(can bool, body map[string]any) http.HandlerFunc {
	options, _ := body["stream_options"].(map[string]any)
	return func(w http.ResponseWriter, _ *http.Request) {
		for n := 5; n <= 10; n += 5 {
			time.Sleep(10 * ms)
			text := token
			if can && options["continuous_usage_stats"] == true {
				text = fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"content":" a"}}],"usage":{"prompt_tokens":9,"completion_tokens":%d}}`+"\n\n", n)
			}
			say(w, text)
		}
		say(w, stop, `data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":10}}`+"\n\n", doneLine)
	}
}

func TestUsageWithEachEventIsAskedForWhereEventsAreHeavy(t *testing.T) {
	tests := []struct {
		sentence    string
		can, strict bool
		asked       bool // in the end
		source      bench.Source
		note        string
		in, out     int
	}{
		{"a server that sends it", true, false, true, bench.FromContinuous, "asked for usage with each event", 18, 20},
		{"a server that does not mind and does not send it", false, false, false, bench.FromUsage, "does not send usage with each event", 18, 20},
		{"a server that refuses to be asked", false, true, false, bench.FromUsage, "does not send usage with each event", 9, 10},
	}
	t.Run("a server that has no room for a second request is asked another time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &strict{path: "/v1/chat/completions"}
			s.refuse = func(body map[string]any) (int, string) {
				if s.answer = heavy(true, body); len(s.bodies) == 2 {
					return 429, `{"error":"slow down"}`
				}
				return 0, ""
			}
			c, _ := serve(t, s.ServeHTTP, nil)
			first, err := c.Preflight(context.Background(), request.Prompt)
			second, err2 := c.Preflight(context.Background(), request.Prompt)
			if err != nil || err2 != nil || first.Source != bench.FromUsage || len(first.Changed) > 0 || second.Source != bench.FromContinuous {
				t.Errorf("%v %v, %v then %v, %q", err, err2, first.Source, second.Source, first.Changed)
			}
		})
	})
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			s := &strict{path: "/v1/chat/completions"}
			s.refuse = func(body map[string]any) (int, string) {
				if tt.strict && holds(body, []string{"stream_options", "continuous_usage_stats"}) {
					return 400, `{"error":"unknown field continuous_usage_stats"}`
				}
				s.answer = heavy(tt.can, body)
				return 0, ""
			}
			c, _ := serve(t, s.ServeHTTP, nil)
			r, err := c.Preflight(context.Background(), request.Prompt)
			notes := strings.Join(r.Notes, "\n")
			if err != nil || r.Source != tt.source || !strings.Contains(notes, tt.note) || !strings.Contains(notes, "one event holds 5.0 tokens") || r.TTFT != bench.MarkAt(10*ms) {
				t.Errorf("%s: %v, %+v", tt.sentence, err, r)
			}
			if r.UsedIn != tt.in || r.UsedOut != tt.out {
				t.Errorf("%s: used %d and %d", tt.sentence, r.UsedIn, r.UsedOut)
			}
			asked := len(s.bodies)
			if _, err := c.Preflight(context.Background(), request.Prompt); err != nil || len(s.bodies) != asked+1 {
				t.Errorf("%s: a second preflight: %v, %d requests", tt.sentence, err, len(s.bodies)-asked)
			}
			send(t, c, bench.OK)
			if got := holds(s.last(), []string{"stream_options", "continuous_usage_stats"}); got != tt.asked || !holds(s.last(), []string{"stream_options", "include_usage"}) {
				t.Errorf("%s: %v", tt.sentence, s.last())
			}
		})
	}
}

func TestWhatTriesUsedIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// The first form breaks off after two tokens, and the server does not count.
		c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { say(w, token, token) }, nil)
		p := request.Prompt
		p.InputTokens = 40
		r, err := c.Preflight(context.Background(), p)
		if err == nil || r.UsedIn != 40 || r.UsedOut != 2 {
			t.Errorf("%v, used %d and %d", err, r.UsedIn, r.UsedOut)
		}
	})
}
