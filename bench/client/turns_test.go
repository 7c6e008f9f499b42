package client

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

// sent is the body that a server of a protocol gets for a prompt.
func sent(t *testing.T, api bench.API, p bench.Prompt, change func(*Options)) map[string]any {
	t.Helper()
	var saw asked
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, saw.ServeHTTP, func(o *Options) {
			if o.API = api; change != nil {
				change(o)
			}
		})
		if e := c.Send(context.Background(), bench.Request{Prompt: p}, nil); e.Status != 200 {
			t.Fatalf("%v %q", e.Outcome, e.Message)
		}
	})
	return saw.body
}

func saying(pairs ...string) (list []bench.Message) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, bench.Message{Role: pairs[i], Text: pairs[i+1]})
	}
	return list
}

func TestAHistoryOnTheWire(t *testing.T) {
	const talk = `[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`
	const items = `[{"type":"message","role":"user","content":"a"},{"type":"message","role":"assistant","content":"b"},{"type":"message","role":"user","content":"c"}]`
	tests := []struct {
		sentence string
		api      bench.API
		history  []bench.Message
		text     string
		want     string // what the fields of the prompt are
	}{
		{"a chat has its roles as given", bench.Chat, saying("system", "s", "user", "a", "assistant", "b"), "c",
			`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`},
		{"an empty answer stays a message with a content", bench.Chat, saying("user", "a", "assistant", ""), "c",
			`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":""},{"role":"user","content":"c"}]}`},
		{"a history without a text ends with its last turn", bench.Chat, saying("user", "a"), "", `{"messages":[{"role":"user","content":"a"}]}`},
		{"a prompt without a word is a message all the same", bench.Chat, nil, "", `{"messages":[{"role":"user","content":""}]}`},
		{"Anthropic's system stands apart", bench.Anthropic, saying("system", "s", "user", "a", "assistant", "b"), "c", `{"system":"s","messages":` + talk + `}`},
		{"so does what a system says later", bench.Anthropic, saying("system", "s", "user", "a", "assistant", "b", "system", "t"), "c",
			`{"system":"s\n\nt","messages":` + talk + `}`},
		{"neighbours of one role become one", bench.Anthropic, saying("user", "a", "user", "b"), "c", `{"messages":[{"role":"user","content":"a\n\nb\n\nc"}]}`},
		{"an answer without a word is none", bench.Anthropic, saying("user", "a", "assistant", ""), "c", `{"messages":[{"role":"user","content":"a\n\nc"}]}`},
		{"without history nothing stands apart", bench.Anthropic, nil, "c", `{"messages":[{"role":"user","content":"c"}]}`},
		{"a response has instructions and a text", bench.Responses, saying("system", "s"), "c", `{"instructions":"s","input":"c"}`},
		{"and items where there were turns", bench.Responses, saying("system", "s", "user", "a", "assistant", "b"), "c", `{"instructions":"s","input":` + items + `}`},
		{"a later system is an item", bench.Responses, saying("user", "a", "system", "s"), "c",
			`{"input":[{"type":"message","role":"user","content":"a"},{"type":"message","role":"system","content":"s"},{"type":"message","role":"user","content":"c"}]}`},
		{"a system alone is an item: an input is wanted", bench.Responses, saying("system", "s"), "", `{"input":[{"type":"message","role":"system","content":"s"}]}`},
		{"a completion is one text", bench.Completions, saying("system", "s", "user", "a", "assistant", ""), "c", `{"prompt":"s\n\na\n\nc"}`},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			body := sent(t, tt.api, bench.Prompt{History: tt.history, Text: tt.text, MaxTokens: 3}, nil)
			got := make(map[string]any)
			for _, name := range []string{"messages", "system", "input", "instructions", "prompt"} {
				if value, ok := body[name]; ok {
					got[name] = value
				}
			}
			var want map[string]any
			if err := json.Unmarshal([]byte(tt.want), &want); err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("\n got %v\nwant %v", got, want)
			}
			if len(body) < len(want)+4 {
				t.Errorf("fields are lost: %v", body)
			}
		})
	}
}

func TestTheOperatorsOwnWordsStandInsteadOfOurs(t *testing.T) {
	p := bench.Prompt{History: saying("system", "s"), Text: "a", MaxTokens: 3}
	body := sent(t, bench.Anthropic, p, func(o *Options) { o.Extra = map[string]any{"system": "mine"} })
	if body["system"] != "mine" || body["messages"] == nil {
		t.Errorf("%v", body)
	}
	body = sent(t, bench.Anthropic, p, func(o *Options) { o.Extra = map[string]any{"messages": []any{"mine"}} })
	if _, ok := body["system"]; ok || fmt.Sprint(body["messages"]) != "[mine]" {
		t.Errorf("%v", body)
	}
}

func TestALongConversationArrivesWhole(t *testing.T) {
	long := strings.Repeat("word \"<\u4f60\U0001f600> ", 100_000)
	for api := range bench.NumAPIs {
		body := sent(t, api, bench.Prompt{History: saying("system", "s", "user", long, "assistant", "b"), Text: long, MaxTokens: 3}, nil)
		if n := strings.Count(fmt.Sprint(body), strings.TrimSpace(long)); n != 2 {
			t.Errorf("%v: %d of 2 texts came", api, n)
		}
	}
}

func TestARequestKeepsTheInstantAtWhichItShouldHaveGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saw asked
		c, _ := serve(t, saw.ServeHTTP, nil)
		due := bench.MarkAt(0)
		time.Sleep(3 * time.Second)
		for _, scheduled := range []bench.Mark{due, {}} {
			late := request
			late.Scheduled = scheduled
			e := c.Send(context.Background(), late, nil)
			if lag, ok := e.Lag(); e.Marks.Scheduled != scheduled || ok != scheduled.OK || ok && lag < 3*time.Second {
				t.Errorf("scheduled %v: %+v, late by %v", scheduled, e.Marks, lag)
			}
		}
		c.Close()
		late := request
		late.Scheduled = due
		if e := c.Send(context.Background(), late, nil); e.Marks.Scheduled != due {
			t.Errorf("of a request that was not sent: %+v", e.Marks)
		}
	})
}
