package sim

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestStreamIsOpenAIShaped(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		v := w.read(t.Context(), chat(nil))
		if v.err != nil || v.status != http.StatusOK || !v.done {
			t.Fatalf("status %d, done %v, %v", v.status, v.done, v.err)
		}
		if got := v.header.Get("Content-Type"); !strings.HasPrefix(got, "text/event-stream") {
			t.Errorf("content type %q", got)
		}
		first, last := v.events[0], v.events[len(v.events)-1]
		if d := first.Choices[0].Delta; d.Role == nil || d.Content == nil || *d.Content != "" {
			t.Error("the first event is not the role alone")
		}
		if len(last.Choices) != 0 || last.Usage == nil {
			t.Error("the last event is not the usage alone")
		}
		if v.usage.Completion != len(v.tokens) || v.usage.Prompt != 100+templateTokens || v.usage.Total != v.usage.Prompt+v.usage.Completion {
			t.Errorf("usage %+v for %d token events", *v.usage, len(v.tokens))
		}
		if v.finish != "stop" || len(strings.Fields(v.text)) != len(v.tokens) {
			t.Errorf("finish %q, %d words in %d tokens", v.finish, len(strings.Fields(v.text)), len(v.tokens))
		}
		if len(v.events) != len(v.tokens)+3 {
			t.Errorf("%d events for %d tokens: role, finish and usage more", len(v.events), len(v.tokens))
		}
		e2e := v.tokens[len(v.tokens)-1].at.Sub(v.began)
		if e2e < 500*time.Millisecond || e2e > 15*time.Second {
			t.Errorf("the answer took %v", e2e)
		}
	})
}

func TestEachEventCarriesItsSendTime(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		for _, e := range w.read(t.Context(), chat(nil)).events {
			if e.Sent != e.at.UnixNano() {
				t.Fatalf("sent at %d, read at %d", e.Sent, e.at.UnixNano())
			}
		}
	})
}

func TestContinuousUsageCountsAlong(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		v := w.read(t.Context(), chat(ask{"stream_options": ask{"include_usage": true, "continuous_usage_stats": true}}))
		if v.events[0].Usage == nil || v.events[0].Usage.Completion != 0 {
			t.Error("the role event does not begin at 0")
		}
		for i, e := range v.tokens {
			if e.Usage == nil || e.Usage.Completion != i+1 {
				t.Fatalf("token %d says %+v", i+1, e.Usage)
			}
		}
	})
}

func TestUsageComesOnlyWhenAsked(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		if v := w.read(t.Context(), chat(ask{"stream_options": nil})); v.usage != nil || !v.done {
			t.Errorf("usage %+v, done %v", v.usage, v.done)
		}
	})
}

func TestMaxTokensCutsAndIgnoreEOSFills(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		for _, q := range []ask{{"max_tokens": 10}, {"max_tokens": 400, "ignore_eos": true}, {"max_tokens": nil, "max_completion_tokens": 5}} {
			v := w.read(t.Context(), chat(q))
			want, _ := q["max_tokens"].(int)
			if want == 0 {
				want = 5
			}
			if v.finish != "length" || len(v.tokens) != want {
				t.Errorf("%v: %d tokens, finish %q", q, len(v.tokens), v.finish)
			}
		}
	})
}

func TestReasoningComesFirst(t *testing.T) {
	inBubble(t, func(o *Options) { o.ReasoningShare = 0.25 }, func(t *testing.T, w *world) {
		v := w.read(t.Context(), chat(ask{"max_tokens": 40, "ignore_eos": true}))
		if n := len(strings.Fields(v.thought)); n != 10 || v.usage.Details.Reasoning != 10 {
			t.Errorf("%d words of reasoning, usage %+v", n, v.usage)
		}
		if v.tokens[9].Choices[0].Delta.ReasoningContent == nil || v.tokens[10].Choices[0].Delta.Content == nil {
			t.Error("the channels do not change after a quarter")
		}
	})
}

func TestClientThatLeavesFreesItsPlace(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		ctx, leave := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer leave()
		if v := w.read(ctx, chat(ask{"ignore_eos": true})); v.err == nil || v.done {
			t.Fatalf("read to the end, %v", v.err)
		}
		time.Sleep(100 * time.Millisecond)
		for name, want := range map[string]string{
			"vllm:num_requests_running": "0", "vllm:kv_cache_usage_perc": "0", "redline_sim_in_flight{": "", "redline_sim_in_flight ": "0",
		} {
			if got := w.metric(name); got != want {
				t.Errorf("%s %q, not %q", name, got, want)
			}
		}
		if got := w.server.gauges().Cancelled; got != 1 {
			t.Errorf("%d cancelled", got)
		}
	})
}
