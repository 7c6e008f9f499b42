package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"redline/bench"
)

// asked is what a server saw of a request.
type asked struct {
	path   string
	host   string
	header http.Header
	body   map[string]any
}

// listener answers everything well, and keeps what it was asked.
func (s *asked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.path, s.host, s.header, s.body = r.URL.RequestURI(), r.Host, r.Header, nil
	_ = json.NewDecoder(r.Body).Decode(&s.body)
	say(w, token, token, token, stop, usageEnd, doneLine)
}

func TestEachProtocolOnTheWire(t *testing.T) {
	messages := []any{map[string]any{"role": "user", "content": "say <a>"}}
	usage := map[string]any{"include_usage": true}
	tests := []struct {
		sentence string
		api      bench.API
		path     string
		body     map[string]any
		header   map[string]string
	}{
		{"chat is the default", bench.Chat, "/v1/chat/completions",
			map[string]any{"model": "m", "messages": messages, "max_tokens": 20.0, "stream": true, "stream_options": usage, "temperature": 0.0},
			map[string]string{"Authorization": "Bearer " + testKey, "X-Api-Key": "", "Anthropic-Version": ""}},
		{"completions take a prompt", bench.Completions, "/v1/completions",
			map[string]any{"model": "m", "prompt": "say <a>", "max_tokens": 20.0, "stream": true, "stream_options": usage, "temperature": 0.0}, nil},
		{"responses take an input, and are not stored", bench.Responses, "/v1/responses",
			map[string]any{"model": "m", "input": "say <a>", "max_output_tokens": 20.0, "stream": true, "store": false, "temperature": 0.0}, nil},
		{"messages have a key and a version of their own", bench.Anthropic, "/v1/messages",
			map[string]any{"model": "m", "messages": messages, "max_tokens": 20.0, "stream": true, "temperature": 0.0},
			map[string]string{"X-Api-Key": testKey, "Anthropic-Version": "2023-06-01", "Authorization": ""}},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var saw asked
				c, _ := serve(t, saw.ServeHTTP, func(o *Options) { o.API = tt.api })
				if e := c.Send(context.Background(), request, nil); e.Status != 200 {
					t.Fatalf("%v %q", e.Outcome, e.Message)
				}
				if saw.path != tt.path || fmt.Sprint(saw.body) != fmt.Sprint(tt.body) {
					t.Errorf("%s\n got %v\nwant %v", saw.path, saw.body, tt.body)
				}
				for name, value := range tt.header {
					if got := saw.header.Get(name); got != value {
						t.Errorf("%s: %q, want %q", name, got, value)
					}
				}
			})
		})
	}
}

func TestExtraFieldsWinOverOurs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saw asked
		c, _ := serve(t, saw.ServeHTTP, func(o *Options) {
			o.Extra = map[string]any{"max_tokens": 3, "messages": []any{}, "model": "n", "temperature": 0.7, "metadata": map[string]any{"a": nil}}
		})
		c.Send(context.Background(), request, nil)
		want := map[string]any{"model": "n", "messages": []any{}, "max_tokens": 3.0, "stream": true, "stream_options": map[string]any{"include_usage": true},
			"temperature": 0.7, "metadata": map[string]any{"a": nil}}
		if fmt.Sprint(saw.body) != fmt.Sprint(want) {
			t.Errorf("got %v\nwant %v", saw.body, want)
		}
	})
}

func TestTheOperatorsHeadersWin(t *testing.T) {
	const azure = "http://192.0.2.1/openai/deployments/d?api-version=2024-10-21"
	tests := []struct {
		sentence string
		url      string
		api      bench.API
		given    http.Header
		want     map[string]string
		host     string
	}{
		{"an Authorization replaces the key", "", bench.Chat, http.Header{"authorization": {"Basic abc"}}, map[string]string{"Authorization": "Basic abc"}, ""},
		{"it does so for Anthropic", "", bench.Anthropic, http.Header{"AUTHORIZATION": {"Bearer oat"}}, map[string]string{"Authorization": "Bearer oat", "X-Api-Key": ""}, ""},
		{"and for Azure", azure, bench.Chat, http.Header{"Authorization": {"Bearer aad"}}, map[string]string{"Authorization": "Bearer aad", "Api-Key": ""}, ""},
		{"a key of Azure's goes in its own header", azure, bench.Chat, nil, map[string]string{"Authorization": "", "Api-Key": testKey}, ""},
		{"a version replaces ours", "", bench.Anthropic, http.Header{"anthropic-version": {"2099-01-01"}}, map[string]string{"Anthropic-Version": "2099-01-01", "X-Api-Key": testKey}, ""},
		{"so do the media types and the user agent", "", bench.Chat, http.Header{"content-type": {"application/x"}, "ACCEPT": {"*/*"}, "user-agent": {"me"}},
			map[string]string{"Content-Type": "application/x", "Accept": "*/*", "User-Agent": "me"}, ""},
		{"an empty one takes ours away", "", bench.Chat, http.Header{"Authorization": {""}, "Accept": {""}, "User-Agent": {""}}, map[string]string{"Authorization": "", "Accept": "", "User-Agent": ""}, ""},
		{"a Host reaches the server", "", bench.Chat, http.Header{"host": {"gpu.internal"}}, nil, "gpu.internal"},
		{"user and password of the URL stand behind the key", "http://me:pass@192.0.2.1", bench.Chat, nil, map[string]string{"Authorization": "Bearer " + testKey}, ""},
		{"other headers go beside ours", "", bench.Chat, http.Header{"x-team": {"blue"}}, map[string]string{"X-Team": "blue", "Authorization": "Bearer " + testKey}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var saw asked
				c, _ := serve(t, saw.ServeHTTP, func(o *Options) {
					o.API, o.Header = tt.api, tt.given
					if tt.url != "" {
						o.URL = tt.url
					}
				})
				for range 2 { // the headers are shared, and stay as they are
					c.Send(context.Background(), request, nil)
					for name, value := range tt.want {
						if got := strings.Join(saw.header.Values(name), "|"); got != value {
							t.Errorf("%s: %q, want %q", name, got, value)
						}
					}
					if tt.host != "" && saw.host != tt.host {
						t.Errorf("host %q, want %q", saw.host, tt.host)
					}
				}
				_, _ = c.Models(context.Background())
				if tt.host != "" && saw.host != tt.host {
					t.Errorf("the list is asked of host %q, want %q", saw.host, tt.host)
				}
			})
		})
	}
}

func TestUserAndPasswordOfTheURL(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saw asked
		c, _ := serve(t, saw.ServeHTTP, func(o *Options) { o.URL, o.Key = "http://me:pass@192.0.2.1", Secret{} })
		c.Send(context.Background(), request, nil)
		if got := saw.header.Get("Authorization"); got != "Basic bWU6cGFzcw==" {
			t.Errorf("Authorization %q", got)
		}
	})
}

func TestAzuresForms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saw asked
		c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				t.Errorf("%s is asked for, and a deployment lists no models", r.URL)
			}
			saw.ServeHTTP(w, r)
		}, func(o *Options) {
			o.URL, o.Model = "http://192.0.2.1/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21", ""
		})
		r, err := c.Preflight(context.Background(), request.Prompt)
		if err != nil || r.Model != "my gpt" || saw.path != "/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21" {
			t.Errorf("%v, model %q, asked %s", err, r.Model, saw.path)
		}
		if names, err := c.Models(context.Background()); err != nil || fmt.Sprint(names) != "[my gpt]" {
			t.Errorf("models %v, %v", names, err)
		}
	})
	for url, want := range map[string]string{
		"https://x.openai.azure.com/openai/v1":              "Api-Key",
		"https://X.OpenAI.Azure.com./openai/v1":             "Api-Key",
		"https://x.services.ai.azure.com/models":            "Api-Key",
		"https://x.cognitiveservices.azure.com/openai/v1":   "Api-Key",
		"https://gateway.example/openai/deployments/d":      "Api-Key",
		"https://openai.azure.com.example/openai/v1":        "Authorization",
		"https://api.openai.com/v1":                         "Authorization",
		"https://evilopenai.azure.com.example/openai/v1/v1": "Authorization",
	} {
		u, err := ParseURL(url)
		if err != nil {
			t.Fatal(err)
		}
		if name, _ := credential(Options{Key: NewSecret("k")}, u); name != want {
			t.Errorf("%s takes its key in %s, want %s", url, name, want)
		}
	}
}

func TestAzuresRefusals(t *testing.T) {
	tests := []struct {
		sentence, query string
		status          int
		body            string
		want            string
	}{
		{"a missing version", "", 404, `{"error":{"code":"404","message":"Resource not found"}}`, "names no api-version, which Azure wants (HTTP 404, Resource not found)"},
		{"a missing version, said clearly", "", 400, `{"error":{"message":"Missing required query parameter: api-version"}}`, "names no api-version"},
		{"a deployment that is not there", "?api-version=1", 404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}`, `has no deployment "d"`},
		{"something else that is not there", "?api-version=1", 404, `{"error":{"code":"404","message":"Resource not found"}}`, "check resource, deployment and api-version"},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/openai/deployments/d/chat/completions" {
					t.Errorf("%s: asked %s", tt.sentence, r.URL)
				}
				w.WriteHeader(tt.status)
				say(w, tt.body)
			}, func(o *Options) { o.URL = "http://192.0.2.1/openai/deployments/d" + tt.query })
			_, err := c.Preflight(context.Background(), request.Prompt)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.sentence, err, tt.want)
			}
		})
	}
}

func TestRefusalsNameTheRightPath(t *testing.T) {
	for _, tt := range []struct {
		api  bench.API
		want string
	}{
		{bench.Chat, "has /chat/completions: check the base URL, which usually ends in /v1"},
		{bench.Completions, "has /completions: check the base URL, which usually ends in /v1, or ask with --api chat"},
		{bench.Responses, "has /responses: check"},
		{bench.Anthropic, "has /messages: check"},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, http.NotFound, func(o *Options) { o.API = tt.api })
			_, err := c.Preflight(context.Background(), request.Prompt)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v: %v", tt.api, err)
			}
		})
	}
}

func TestAPastedPathOfAnotherProtocolIsTold(t *testing.T) {
	for _, tt := range []struct {
		url, want string
	}{
		{"http://192.0.2.1/v1/messages", "the URL names /messages, but requests go to /chat/completions: --api anthropic asks"},
		{"http://192.0.2.1/v1/chat/completions", ""},
		{"http://192.0.2.1/v1/models", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var saw asked
			c, _ := serve(t, saw.ServeHTTP, func(o *Options) { o.URL = tt.url })
			r, err := c.Preflight(context.Background(), request.Prompt)
			if err != nil || saw.path == "" {
				t.Fatal(err)
			}
			if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, tt.want) || (tt.want == "") != (notes == "") {
				t.Errorf("%s: notes %q, want %q", tt.url, notes, tt.want)
			}
		})
	}
}

func TestAnthropicsModelThatIsNotThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Api-Key") != testKey || r.Header.Get("Anthropic-Version") == "" {
				t.Errorf("%s without key and version", r.URL)
			}
			if r.Method == http.MethodGet {
				say(w, `{"data":[{"type":"model","id":"claude-x"}],"has_more":false}`)
				return
			}
			w.WriteHeader(404)
			say(w, `{"type":"error","error":{"type":"not_found_error","message":"model: m"}}`)
		}, func(o *Options) { o.API = bench.Anthropic })
		_, err := c.Preflight(context.Background(), request.Prompt)
		var r *Refusal
		if !errors.As(err, &r) || !strings.Contains(err.Error(), `does not have the model "m": it serves claude-x`) {
			t.Error(err)
		}
	})
}
