package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

// strict is a server that refuses what it is told to, and counts what it was asked.
type strict struct {
	// path is where its chat completions are; models is its list.
	path   string
	models []string
	// refuse looks at a body and gives a status and an error body, or 0.
	refuse func(body map[string]any) (int, string)
	answer http.HandlerFunc

	bodies []map[string]any
}

func (s *strict) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	base := strings.TrimSuffix(s.path, "/chat/completions")
	switch r.URL.Path {
	case base + "/models":
		list := map[string]any{"object": "list", "data": []any{}}
		for _, m := range s.models {
			list["data"] = append(list["data"].([]any), map[string]any{"id": m, "created": 1.5})
		}
		_ = json.NewEncoder(w).Encode(list)
	case s.path:
		var body map[string]any
		_ = json.NewDecoder(r.Body).Decode(&body)
		s.bodies = append(s.bodies, body)
		if s.refuse != nil {
			if status, text := s.refuse(body); status != 0 {
				w.WriteHeader(status)
				say(w, text)
				return
			}
		}
		s.answer(w, r)
	default:
		w.WriteHeader(404)
		say(w, `{"detail":"Not Found"}`)
	}
}

func (s *strict) last() map[string]any { return s.bodies[len(s.bodies)-1] }

// has refuses a body that has a field.
func has(field string, status int, text string) func(map[string]any) (int, string) {
	return func(body map[string]any) (int, string) {
		if _, ok := body[field]; ok {
			return status, text
		}
		return 0, ""
	}
}

func TestPreflightAdapts(t *testing.T) {
	tests := []struct {
		name   string
		server strict
		change func(*Options)
		note   string
		check  func(*testing.T, *Client, *strict)
	}{
		{"a server that takes everything needs no note", strict{}, nil, "", func(t *testing.T, _ *Client, s *strict) {
			if s.last()["max_tokens"] != 16.0 || len(s.bodies) != 1 {
				t.Errorf("body %v", s.last())
			}
		}},
		{"stream_options refused", strict{refuse: has("stream_options", 422, `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"]}]}}`)}, nil,
			"refuses stream_options", func(t *testing.T, _ *Client, s *strict) {
				if s.last()["stream_options"] != nil {
					t.Error("still sent")
				}
			}},
		{"only the extra stream_options refused", strict{refuse: func(b map[string]any) (int, string) {
			if o, _ := b["stream_options"].(map[string]any); o["continuous_usage_stats"] != nil {
				return 400, `{"error":{"message":"unknown field stream_options.continuous_usage_stats"}}`
			}
			return 0, ""
		}}, func(o *Options) {
			o.Extra = map[string]any{"stream_options": map[string]any{"continuous_usage_stats": true}}
		}, "final usage only", func(t *testing.T, _ *Client, s *strict) {
			if o, _ := s.last()["stream_options"].(map[string]any); o["include_usage"] != true {
				t.Errorf("body %v", s.last())
			}
		}},
		{"max_completion_tokens wanted", strict{refuse: has("max_tokens", 400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens"}}`)}, nil,
			"max_completion_tokens", func(t *testing.T, _ *Client, s *strict) {
				if s.last()["max_completion_tokens"] != 20.0 {
					t.Errorf("body %v", s.last())
				}
			}},
		{"temperature refused", strict{refuse: has("temperature", 400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model."}}`)}, nil,
			"refuses temperature", func(t *testing.T, _ *Client, s *strict) {
				if _, ok := s.last()["temperature"]; ok {
					t.Error("still sent")
				}
			}},
		{"an extra field refused", strict{refuse: has("ignore_eos", 400, `{"error":{"message":"Unrecognized request argument supplied: ignore_eos"}}`)},
			func(o *Options) { o.Extra = map[string]any{"ignore_eos": true} }, "refuses ignore_eos", func(t *testing.T, _ *Client, s *strict) {
				if _, ok := s.last()["ignore_eos"]; ok {
					t.Error("still sent")
				}
			}},
		{"all of it refused, one after the other", strict{refuse: func(b map[string]any) (int, string) {
			for _, f := range []string{"stream_options", "temperature", "ignore_eos"} {
				if _, ok := b[f]; ok {
					return 400, `{"error":"unknown field ` + f + `"}`
				}
			}
			return 0, ""
		}}, func(o *Options) { o.Extra = map[string]any{"ignore_eos": true} }, "refuses temperature", nil},
		{"no /v1 on the server", strict{path: "/chat/completions"}, nil, "using http://192.0.2.1", func(t *testing.T, c *Client, _ *strict) {
			if c.URL() != "http://192.0.2.1" {
				t.Errorf("URL %s", c.URL())
			}
		}},
		{"a /v1 below the given path", strict{path: "/api/v1/chat/completions"}, func(o *Options) { o.URL = "http://192.0.2.1/api" }, "using http://192.0.2.1/api/v1", nil},
		{"no model named", strict{models: []string{"a", "b"}}, func(o *Options) { o.Model = "" }, "a is the first of 2", func(t *testing.T, c *Client, s *strict) {
			if s.last()["model"] != "a" || c.Model() != "a" {
				t.Errorf("model %v", s.last()["model"])
			}
		}},
		{"no model named and no /v1", strict{path: "/chat/completions", models: []string{"a"}}, func(o *Options) { o.Model = "" }, "a is the first of 1", nil},
		{"no usage from the server", strict{answer: func(w http.ResponseWriter, _ *http.Request) { say(w, token, stop, doneLine) }}, nil, "an estimate", nil},
		{"several tokens an event", strict{answer: func(w http.ResponseWriter, _ *http.Request) {
			say(w, token)
			time.Sleep(10 * ms)
			say(w, token, stop, strings.Replace(usageEnd, ":3,", ":10,", 1), doneLine)
		}}, nil, "one event holds 5.0 tokens", nil},
		{"an answer held back", strict{answer: func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(time.Second)
			say(w, strings.Repeat(token, 12)+stop+strings.Replace(usageEnd, ":3,", ":12,", 1)+doneLine)
		}}, nil, "all 12 events of an answer came at once, and again: this is not really streaming; the server, or something on the way, holds the stream back", nil},
		{"a short answer in one piece", strict{answer: func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(time.Second)
			say(w, strings.Repeat(token, 9)+stop+strings.Replace(usageEnd, ":3,", ":9,", 1)+doneLine)
		}}, nil, "", func(t *testing.T, _ *Client, s *strict) {}},
		{"an answer held back and let go piece by piece", strict{answer: func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(time.Second)
			for range 12 {
				say(w, token)
				time.Sleep(100 * time.Microsecond)
			}
			say(w, stop, strings.Replace(usageEnd, ":3,", ":12,", 1), doneLine)
		}}, nil, "nearly all of 12 events of an answer came at once, and again: this is not really streaming", nil},
		{"an answer of hidden reasoning alone", strict{answer: func(w http.ResponseWriter, _ *http.Request) {
			say(w, role, stop, `data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":16,"completion_tokens_details":{"reasoning_tokens":16}}}`+"\n", doneLine)
		}}, nil, "16 of 16 tokens were hidden", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := tt.server
				if s.path == "" {
					s.path = "/v1/chat/completions"
				}
				if s.answer == nil {
					s.answer = threeTokens
				}
				c, _ := serve(t, s.ServeHTTP, tt.change)
				report, err := c.Preflight(context.Background(), request.Prompt)
				if err != nil {
					t.Fatal(err)
				}
				notes := strings.Join(report.Notes, "\n")
				if !strings.Contains(notes, tt.note) || (tt.note == "") != (notes == "") {
					t.Errorf("notes %q, want %q", notes, tt.note)
				}
				if report.URL != c.URL() || report.Model != c.Model() || report.Model == "" {
					t.Errorf("report %+v", report)
				}
				// What was learnt holds for the requests that follow.
				if e := c.Send(context.Background(), request, nil); e.Outcome != bench.OK {
					t.Errorf("afterwards: %v %q", e.Outcome, e.Message)
				}
				if tt.check != nil {
					if tt.note == "" {
						s.bodies = s.bodies[:1]
					}
					tt.check(t, c, &s)
				}
			})
		})
	}
}

func TestPreflightReports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, threeTokens, nil)
		r, err := c.Preflight(context.Background(), request.Prompt)
		if err != nil || r.PromptTokens != 9 || r.TokensPerEvent != 1 || r.Source != bench.FromUsage || r.TTFT != bench.MarkAt(100*ms) || !r.Reuses || r.Timings || r.Proxy != "" {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

func TestPreflightRefusals(t *testing.T) {
	status := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			say(w, body)
		}
	}
	noModel := &strict{path: "/v1/chat/completions", models: []string{"qwen", "llama"}, answer: status(404, `{"object":"error","message":"The model m does not exist.","type":"NotFoundError","code":404}`)}
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	tests := []struct {
		name    string
		handler http.HandlerFunc
		change  func(*Options)
		outcome bench.Outcome
		want    []string
	}{
		{"a path that nobody knows", status(404, "<html>nginx"), nil, bench.ClientError, []string{"neither http://192.0.2.1/v1 (HTTP 404) nor http://192.0.2.1 (HTTP 404)", "check the base URL"}},
		{"a web page", status(200, "<html>welcome"), nil, bench.NotStreaming, []string{"neither", "check the base URL"}},
		{"a model that is not there", noModel.ServeHTTP, nil, bench.ClientError, []string{`does not have the model "m"`, "llama, qwen"}},
		{"a model that is not there, and no list", status(400, `{"error":{"message":"Model Not Exist"}}`), nil, bench.ClientError, []string{`does not have the model "m"`, "name one"}},
		{"no model named and none listed", (&strict{path: "/v1/chat/completions"}).ServeHTTP, func(o *Options) { o.Model = "" }, bench.ClientError, []string{"lists no model"}},
		{"no model named and no list at all", status(404, `{"error":"File Not Found"}`), func(o *Options) { o.Model = "" }, bench.ClientError, []string{"/models does not list models (HTTP 404, File Not Found)", "or name the model"}},
		{"a missing key", status(401, `{"error":"no key"}`), func(o *Options) { o.Key = Secret{} }, bench.Unauthorized, []string{"wants an API key (HTTP 401, no key)", "none was given"}},
		{"a wrong key in a header", status(401, `{"error":"who"}`), func(o *Options) { o.Key, o.Header = Secret{}, http.Header{"api-key": {"wrong-key"}} }, bench.Unauthorized, []string{"does not accept the API key (HTTP 401, who)"}},
		{"a wrong key", status(403, `{"error":"forbidden"}`), nil, bench.Unauthorized, []string{"does not accept the API key (HTTP 403, forbidden)"}},
		{"no money", status(429, `{"error":{"message":"top up","code":"insufficient_quota"}}`), nil, bench.Unauthorized, []string{"used up (top up)"}},
		{"a rate limit", status(429, `{"error":"slow"}`), nil, bench.RateLimited, []string{"limits requests already (HTTP 429, slow)"}},
		{"a model that is loading", status(503, `{"error":{"message":"Loading model"}}`), nil, bench.Overloaded, []string{"Loading model", "wait"}},
		{"an answer in one piece", status(200, `{"choices":[]}`), nil, bench.NotStreaming, []string{"one JSON body instead of a stream"}},
		{"an error in one piece", status(200, `{"error":{"message":"kaput"}}`), nil, bench.StreamError, []string{"failed inside the stream (kaput)"}},
		{"a stream without a token", status(200, role+stop+doneLine), nil, bench.OK, []string{"without a single token"}},
		{"a stream that breaks off", status(200, role), nil, bench.Truncated, []string{"did not finish"}},
		{"a stream that nobody can read", status(200, "data: oops\n\n"), nil, bench.Malformed, []string{"nothing that can be read"}},
		{"a request that is wrong", status(400, `{"error":{"message":"prompt too long"}}`), nil, bench.ClientError, []string{"refuses the request (HTTP 400, prompt too long)"}},
		{"a context that is too small", status(400, `{"object":"error","message":"This model's maximum context length is 2048 tokens. However, you requested 2129 tokens (2113 in the messages, 16 in the completion).","type":"BadRequestError"}`), nil,
			bench.ClientError, []string{"context of http", "2048 tokens", "2113 in the messages", "lower --input-tokens or --max-tokens"}},
		{"another dialect of the same", status(400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":2113,"n_ctx":2048}}`), nil,
			bench.ClientError, []string{"n_prompt_tokens 2113, n_ctx 2048): lower --input-tokens"}},
		{"a server that fails", status(500, `{"error":{"message":"boom"}}`), nil, bench.ServerError, []string{"fails (HTTP 500, boom)"}},
		{"a server that does not answer", hang, func(o *Options) { o.Limits.FirstToken = time.Second }, bench.TimeoutFirst, []string{"did not answer in time (no token within the first-token limit of 1s)"}},
		{"a connection that is closed", broken("", false), nil, bench.Reset, []string{"closed the connection without an answer"}},
		{"a stream that comes compressed", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			say(w, "\x1f\x8b\x08\x00\n")
		}, nil, bench.Malformed, []string{"compresses its stream (gzip)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := serve(t, tt.handler, tt.change)
				_, err := c.Preflight(context.Background(), request.Prompt)
				var r *Refusal
				if !errors.As(err, &r) || r.Outcome != tt.outcome {
					t.Fatalf("%v, want outcome %v", err, tt.outcome)
				}
				for _, want := range append(tt.want, "192.0.2.1") {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("%q lacks %q", err, want)
					}
				}
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("more than one line: %q", err)
				}
			})
		})
	}
}

func TestPreflightSeesThatConnectionsAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// The server promises to keep the connection, and closes it 1 ms after the answer.
		c, l := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				w.WriteHeader(404)
				return
			}
			nc, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			body := token + stop + usageEnd + doneLine
			_, _ = fmt.Fprintf(nc, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nKeep-Alive: timeout=5\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
			time.Sleep(ms)
			_ = nc.Close()
		}, nil)
		r, err := c.Preflight(context.Background(), request.Prompt)
		if err != nil || r.Reuses || !strings.Contains(strings.Join(r.Notes, "\n"), "closes each connection") {
			t.Fatalf("%+v, %v", r, err)
		}
		before := l.Dials()
		for range 20 {
			if e := c.Send(context.Background(), request, nil); e.Outcome != bench.OK || e.Reused {
				t.Errorf("%v %q, reused %v", e.Outcome, e.Message, e.Reused)
			}
		}
		if n := l.Dials() - before; n != 20 {
			t.Errorf("%d connections for 20 requests", n)
		}
	})
}

func TestPreflightIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, nil)
		cause := errors.New("interrupt")
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(time.Second, func() { cancel(cause) })
		if _, err := c.Preflight(ctx, request.Prompt); !errors.Is(err, cause) {
			t.Error(err)
		}
	})
}

func TestModels(t *testing.T) {
	tests := []struct {
		name, body, want string
	}{
		{"the usual list", `{"object":"list","data":[{"id":"b","created":1},{"id":"a","object":"model"}]}`, "[b a]"},
		{"fields of other kinds", `{"data":[{"id":"a","created":"yesterday","permission":"none"}]}`, "[a]"},
		{"names that are no names", `{"data":[{"id":""},{"id":"\u001b[31m"},{"id":"a"}]}`, "[a]"},
		{"no list", `{"models":[]}`, "gives no list of models"},
		{"a web page", `<html>`, "gives no list of models"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "Bearer "+testKey {
						t.Errorf("%s %v", r.URL, r.Header)
					}
					say(w, tt.body)
				}, nil)
				names, err := c.Models(context.Background())
				if got := fmt.Sprint(names, err); !strings.Contains(got, tt.want) {
					t.Errorf("%s, want %s", got, tt.want)
				}
			})
		})
	}
}

func TestPreflightNotesAModelThatTheServerDoesNotList(t *testing.T) {
	for _, tt := range []struct {
		named, listed string
		noted         bool
	}{
		{"m", "m", false}, {"m", "m:latest", false}, {"m", "org/m", false}, {"nosuch", "tiny", true}, {"m", "", false},
	} {
		c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				if tt.listed == "" {
					w.WriteHeader(http.StatusNotFound)
					return
				}
				fmt.Fprintf(w, `{"object":"list","data":[{"id":%q,"object":"model"}]}`, tt.listed)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":1,\"total_tokens\":10}}\n\ndata: [DONE]\n\n")
		}, func(o *Options) { o.Model = tt.named })
		r, err := c.Preflight(context.Background(), request.Prompt)
		if err != nil {
			t.Fatal(err)
		}
		if noted := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "lists only") }); noted != tt.noted {
			t.Errorf("model %s, list of %q: notes %q", tt.named, tt.listed, r.Notes)
		}
	}
}
