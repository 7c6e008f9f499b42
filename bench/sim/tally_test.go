package sim

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// loop runs a closed loop of clients, each with so many requests.
func (w *world) loop(clients, requests int, q ask, each func(seen)) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range clients {
		wg.Go(func() {
			for range requests {
				v := w.read(w.t.Context(), q)
				mu.Lock()
				each(v)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func TestServerNeverSeesMoreThanAClosedLoopSends(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		w.t = t
		tokens, requests := 0, 0
		w.loop(12, 4, chat(nil), func(v seen) {
			if v.err != nil || !v.done {
				t.Errorf("done %v, %v", v.done, v.err)
			}
			tokens += len(v.tokens)
			requests++
		})
		synctest.Wait()
		for name, want := range map[string]int{
			"redline_sim_in_flight ": 0, "redline_sim_in_flight_max": 12,
			"vllm:generation_tokens_total": tokens, "vllm:prompt_tokens_total": requests * (100 + templateTokens),
			"vllm:time_to_first_token_seconds_count": requests, "vllm:e2e_request_latency_seconds_count": requests,
			"vllm:inter_token_latency_seconds_count": tokens - requests, "vllm:num_requests_running": 0, "vllm:num_requests_waiting": 0,
		} {
			if got := w.metric(name); got != strconv.Itoa(want) {
				t.Errorf("%s %s, not %d", name, got, want)
			}
		}
		if n, err := strconv.Atoi(w.metric("redline_sim_connections_total")); err != nil || n < 12 || n > 14 {
			t.Errorf("%d connections for 12 clients, %v", n, err)
		}
	})
}

func TestServerMeasuresTheSameFirstTokenAsItsClient(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		v := w.read(t.Context(), chat(nil))
		sum, err := strconv.ParseFloat(w.metric("vllm:time_to_first_token_seconds_sum"), 64)
		if err != nil || time.Duration(sum*1e9)-v.tokens[0].at.Sub(v.began) > time.Microsecond {
			t.Errorf("server %g s, client %v, %v", sum, v.tokens[0].at.Sub(v.began), err)
		}
	})
}

func TestGaugesShowTheQueue(t *testing.T) {
	inBubble(t, func(o *Options) { o.Slots = 4 }, func(t *testing.T, w *world) {
		w.t = t
		var wg sync.WaitGroup
		wg.Go(func() { w.loop(10, 1, chat(ask{"ignore_eos": true}), func(seen) {}) })
		time.Sleep(time.Second)
		for name, want := range map[string]string{"vllm:num_requests_running": "4", "vllm:num_requests_waiting": "6", "redline_sim_in_flight ": "10"} {
			if got := w.metric(name); got != want {
				t.Errorf("%s %s, not %s", name, got, want)
			}
		}
		if usage, err := strconv.ParseFloat(w.metric("vllm:kv_cache_usage_perc"), 64); err != nil || usage <= 0 || usage > 0.2 {
			t.Errorf("KV usage %g, %v", usage, err)
		}
		wg.Wait()
	})
}

func TestMetricsPageIsWellFormed(t *testing.T) {
	inBubble(t, func(o *Options) { o.Model = `a "b"` }, func(t *testing.T, w *world) {
		_, page := w.get("/metrics")
		typed := map[string]bool{}
		for line := range strings.Lines(page) {
			line = strings.TrimSuffix(line, "\n")
			if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
				typed[strings.Fields(rest)[0]] = true
				continue
			}
			if strings.HasPrefix(line, "#") {
				continue
			}
			name, _, _ := strings.Cut(strings.Fields(line)[0], "{")
			base := name
			for _, suffix := range []string{"_bucket", "_sum", "_count"} {
				base = strings.TrimSuffix(base, suffix)
			}
			if !typed[name] && !typed[base] {
				t.Errorf("no type before %q", line)
			}
			var value float64
			if _, err := fmt.Sscan(line[strings.LastIndexByte(line, ' '):], &value); err != nil {
				t.Errorf("%q: %v", line, err)
			}
			if strings.HasPrefix(name, "vllm:") && !strings.Contains(line, `model_name="a \"b\""`) {
				t.Errorf("no model in %q", line)
			}
		}
	})
}
