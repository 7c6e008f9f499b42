package client

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"redline/bench"
	"redline/bench/sim"
)

// asShell gives what a shell makes of a command: the words that curl would get. What the command reads comes last.
func asShell(t *testing.T, command string, env ...string) []string {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here")
	}
	cmd := exec.Command(sh)
	cmd.Stdin = strings.NewReader("curl() { printf '%s\\0' \"$@\"; case \"$*\" in *--data-binary*) cat;; esac; }\n" + command + "\n")
	cmd.Env = env
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil || said.Len() > 0 {
		t.Fatalf("%v %s in\n%s", err, said.String(), command)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// wordsAfter are the words that stand behind a flag.
func wordsAfter(words []string, flag string) (out []string) {
	for i := 1; i < len(words); i++ {
		if words[i-1] == flag {
			out = append(out, words[i])
		}
	}
	return out
}

// nasty is a prompt with all that a shell has a meaning for.
const nasty = "It's \"quoted\" $HOME `id` $(id) \\ \\n !! #x ~ * ? [a] {b,c} <in> >out | & ; %s \t\n\r\n'\\''\x00\x7f\u009b31m \u202e é 😀\nEND\n"

func TestACommandOfCurlSendsWhatWeSend(t *testing.T) {
	for _, tt := range []struct {
		sentence string
		opt      Options
		env      []string
		url      string
	}{
		{"chat", Options{API: bench.Chat}, []string{"OPENAI_API_KEY=" + testKey}, "http://192.0.2.1/v1/chat/completions"},
		{"completions", Options{API: bench.Completions}, []string{"OPENAI_API_KEY=" + testKey}, "http://192.0.2.1/v1/completions"},
		{"responses", Options{API: bench.Responses}, []string{"OPENAI_API_KEY=" + testKey}, "http://192.0.2.1/v1/responses"},
		{"messages", Options{API: bench.Anthropic}, []string{"ANTHROPIC_API_KEY=" + testKey}, "http://192.0.2.1/v1/messages"},
		{"a variable that was named", Options{KeyVariable: "MY_KEY"}, []string{"MY_KEY=" + testKey}, "http://192.0.2.1/v1/chat/completions"},
		{"a name that no shell takes", Options{KeyVariable: "my key"}, []string{"OPENAI_API_KEY=" + testKey}, "http://192.0.2.1/v1/chat/completions"},
		{"fields of the operator's", Options{Header: http.Header{"X-Title": {"it's $me"}, "X-Gateway-Token": {"gw-secret-1"}, "Accept": {""}, "User-Agent": {""}, "Host": {"model.example"}}},
			[]string{"OPENAI_API_KEY=" + testKey, "REDLINE_X_GATEWAY_TOKEN=gw-secret-1"}, "http://192.0.2.1/v1/chat/completions"},
		{"a credential of the operator's", Options{Header: http.Header{"Authorization": {"Token abc-secret-def"}}}, []string{"REDLINE_AUTHORIZATION=abc-secret-def"}, "http://192.0.2.1/v1/chat/completions"},
		{"a secret in the query", Options{URL: "http://192.0.2.1/v1?api-version=3&code=q-secret-9"}, []string{"OPENAI_API_KEY=" + testKey, "REDLINE_CODE=q-secret-9"},
			"http://192.0.2.1/v1/chat/completions?api-version=3&code=q-secret-9"},
		{"user and password in the URL", Options{URL: "http://me:pass-secret@192.0.2.1/v1", Key: NewSecret(" ")}, []string{"REDLINE_AUTHORIZATION=bWU6cGFzcy1zZWNyZXQ="}, "http://192.0.2.1/v1/chat/completions"},
		{"names that the shell has too, and twice the same", Options{URL: "http://192.0.2.1/v1?user=alice-tenant&path=p&sig=first-signature&SIG=second-signature&sig_2=third", Header: http.Header{"Path": {"/models/llama-3"}, "X-Token": {"first-value-1", "second-value-2"}}},
			[]string{"OPENAI_API_KEY=" + testKey, "REDLINE_USER=alice-tenant", "REDLINE_PATH=p", "REDLINE_PATH_2=/models/llama-3", "REDLINE_SIG=first-signature", "REDLINE_SIG_2=second-signature", "REDLINE_SIG_2_2=third",
				"REDLINE_X_TOKEN=first-value-1", "REDLINE_X_TOKEN_2=second-value-2"},
			"http://192.0.2.1/v1/chat/completions?user=alice-tenant&path=p&sig=first-signature&SIG=second-signature&sig_2=third"},
		{"fields of the body", Options{Extra: map[string]any{"top_k": 3, "stop": []any{"it's"}, "stream_options": map[string]any{"continuous_usage_stats": true}}}, []string{"OPENAI_API_KEY=" + testKey},
			"http://192.0.2.1/v1/chat/completions"},
	} {
		opt := tt.opt
		if opt.URL == "" {
			opt.URL = "http://192.0.2.1/v1"
		}
		if opt.Key.value == nil && tt.sentence != "user and password in the URL" {
			opt.Key = NewSecret(testKey)
		}
		opt.Model, opt.NoProxy, opt.Concurrency = "m'odel", true, 1
		c, err := New(opt)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for name, text := range map[string]string{"short": nasty, "long": strings.Repeat(nasty, 2000)} {
			r := bench.Request{Prompt: bench.Prompt{Text: text, MaxTokens: 9, History: []bench.Message{{Role: "system", Text: "be it's"}, {Role: "user", Text: "a"}, {Role: "assistant", Text: "b"}}}}
			curl := c.Curl(&r)
			command := curl.Text
			for _, secret := range []string{"0123456789", "secret", "cGFzcy1z"} {
				if strings.Contains(command, secret) {
					t.Errorf("%s: %q in %.2000s", tt.sentence, secret, command)
				}
			}
			if strings.ContainsFunc(strings.ReplaceAll(command, "\n", ""), unprintable) {
				t.Errorf("%s: what a terminal may take for a command in %.2000q", tt.sentence, command)
			}
			var needs []string
			for _, v := range tt.env {
				name, _, _ := strings.Cut(v, "=")
				needs = append(needs, name)
			}
			slices.Sort(needs)
			if slices.Sort(curl.Variables); !slices.Equal(curl.Variables, needs) || curl.Differs != "" {
				t.Errorf("%s: needs %v, want %v; differs: %q", tt.sentence, curl.Variables, needs, curl.Differs)
			}
			words := asShell(t, command, tt.env...)
			if words[0] != "-N" || words[1] != "-X" || words[2] != "POST" || words[3] != tt.url {
				t.Errorf("%s: %q", tt.sentence, words[:4])
			}
			body := wordsAfter(words, "--data-raw")
			if name == "long" {
				body = words[len(words)-1:]
			}
			want, _ := c.target.Load().body(r.Prompt)
			if len(body) != 1 || !sameJSON([]byte(body[0]), want) {
				t.Errorf("%s, %s: body\n%.3000q\nwant\n%.3000q", tt.sentence, name, body, want)
			}
			if got, want := headOf(wordsAfter(words, "-H")), headSent(c); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: head %v, want %v", tt.sentence, got, want)
			}
		}
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// headOf is what curl makes of its -H: without a value, a field of its own is left out.
func headOf(fields []string) http.Header {
	h := http.Header{"Accept": {"*/*"}, "User-Agent": {"curl"}, "Content-Type": {"application/x-www-form-urlencoded"}}
	for _, f := range fields {
		name, value, _ := strings.Cut(f, ":")
		if value = strings.TrimSpace(value); value == "" {
			h.Del(name)
		} else {
			if slices.Contains([]string{"Accept", "Content-Type", "User-Agent"}, name) {
				h.Del(name) // in place of curl's own
			}
			h.Add(name, value)
		}
	}
	return h
}

// headSent are the fields that the client sends.
func headSent(c *Client) http.Header {
	h := c.headers.post.Clone()
	if c.headers.host != "" {
		h.Set("Host", c.headers.host)
	}
	for name := range h {
		if h.Get(name) == "" {
			h.Del(name)
		}
	}
	return h
}

func TestACommandOfCurlSaysWhatItLacks(t *testing.T) {
	c, err := New(Options{URL: "https://192.0.2.1/v1", Model: "m", NoProxy: true, Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r := request
	if whole := c.Curl(&r).Text; strings.HasPrefix(whole, "#") || !strings.Contains(whole, "--http1.1") {
		t.Error(whole)
	}
	r.Prompt.Cut = true
	if cut := c.Curl(&r).Text; !strings.HasPrefix(cut, "# The prompt is not whole: only its first 7 bytes") {
		t.Error(cut)
	}
}

// A secret in the body cannot be a variable there; it must not be printed either.
func TestASecretInTheBodyIsInNoCommand(t *testing.T) {
	c, err := New(Options{URL: "http://192.0.2.1/v1", Model: "m", NoProxy: true, Concurrency: 1, Key: NewSecret(testKey), Extra: map[string]any{"api_key": "body-'secret'"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r := bench.Request{Prompt: bench.Prompt{Text: "my key is " + testKey + " and body-'secret'"}}
	curl := c.Curl(&r)
	command := curl.Text
	if strings.Contains(command, "0123456789") || strings.Contains(command, "secret'") || !strings.Contains(command, "***") {
		t.Error(command)
	}
	if want := "# The body is not what was sent: *** stands for what may be secret in it.\ncurl "; !strings.HasPrefix(command, want) || curl.Differs == "" {
		t.Errorf("differs %q:\n%s", curl.Differs, command)
	}
	asShell(t, command)
}

func TestCurlItselfGetsAnAnswer(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl here")
	}
	so := sim.Defaults()
	so.APIKey = "sim-'key\""
	server, err := sim.New(so)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(server.Handler())
	defer web.Close()
	for api := range bench.NumAPIs {
		c, err := New(Options{URL: web.URL + "/v1", API: api, Model: so.Model, NoProxy: true, Concurrency: 1, Key: NewSecret(string(so.APIKey))})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		r := bench.Request{Prompt: bench.Prompt{Text: nasty, MaxTokens: 3}}
		own := c.Send(context.Background(), r, nil)
		if own.Outcome != bench.OK {
			t.Fatalf("%v: %v %s", api, own.Outcome, own.Message)
		}
		cmd := exec.Command("sh", "-c", c.Curl(&r).Text)
		cmd.Env = []string{"OPENAI_API_KEY=" + string(so.APIKey), "ANTHROPIC_API_KEY=" + string(so.APIKey)}
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil || !bytes.Contains(out, []byte("data: ")) || bytes.Contains(out, []byte(`"error":{`)) {
			t.Errorf("%v: %v %s\n%s\n%s", api, err, said.Bytes(), out, c.Curl(&r).Text)
		}
	}
}
