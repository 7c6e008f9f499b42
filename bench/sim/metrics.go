package sim

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// latencies are the server's own view of its answers, from the request's acceptance; in real time.
type latencies struct {
	mu                    sync.Mutex
	ttft, gap, queue, e2e histogram
}

func newLatencies() *latencies {
	return &latencies{
		ttft: newHistogram("vllm:time_to_first_token_seconds", "Time to first token.",
			0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80),
		gap: newHistogram("vllm:inter_token_latency_seconds", "Time between two tokens of an answer.",
			0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80),
		queue: newHistogram("vllm:request_queue_time_seconds", "Time in the waiting queue.",
			0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240),
		e2e: newHistogram("vllm:e2e_request_latency_seconds", "Time to the last token.",
			0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240),
	}
}

// token notes one token of an answer: the previous one's instant is zero for the first.
func (l *latencies) token(accepted, previous, at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if previous.IsZero() {
		l.ttft.observe(at.Sub(accepted))
		return
	}
	l.gap.observe(at.Sub(previous))
}

func (l *latencies) queued(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue.observe(d)
}

func (l *latencies) ended(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.e2e.observe(d)
}

func (l *latencies) write(w io.Writer, labels string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, h := range []*histogram{&l.ttft, &l.gap, &l.queue, &l.e2e} {
		h.write(w, labels)
	}
}

// metrics answers GET /metrics.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	var b strings.Builder
	labels := fmt.Sprintf("model_name=%q,engine=\"0\"", s.opts.Model)
	g := s.gauges()
	one := func(name, kind, help, labels string, value any) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n%s%s %v\n", name, help, name, kind, name, labels, value)
	}
	in := "{" + labels + "}"
	one("vllm:num_requests_running", "gauge", "Requests in the batch.", in, g.Running)
	one("vllm:num_requests_waiting", "gauge", "Requests waiting for the batch.", in, g.Waiting)
	one("vllm:kv_cache_usage_perc", "gauge", "Used part of the KV cache, 0 to 1.", in, g.KVUsage())
	one("vllm:num_preemptions_total", "counter", "Requests thrown out of the batch.", in, g.Preemptions)
	one("vllm:prompt_tokens_total", "counter", "Prompt tokens processed.", in, g.PromptTokens)
	one("vllm:prefix_cache_queries_total", "counter", "Prompt tokens looked up in the prefix cache.", in, g.QueriedTokens)
	one("vllm:prefix_cache_hits_total", "counter", "Prompt tokens found there.", in, g.CachedTokens)
	one("vllm:generation_tokens_total", "counter", "Tokens generated.", in, g.GenerationTokens)
	fmt.Fprintf(&b, "# HELP vllm:request_success_total Requests ended, by reason.\n# TYPE vllm:request_success_total counter\n")
	for _, r := range []struct {
		reason string
		n      uint64
	}{{"stop", g.Stopped}, {"length", g.CutShort}, {"abort", g.Cancelled}} {
		fmt.Fprintf(&b, "vllm:request_success_total{%s,finished_reason=%q} %d\n", labels, r.reason, r.n)
	}
	p := s.engine.model.Params()
	one("vllm:cache_config_info", "gauge", "The KV cache's size.",
		fmt.Sprintf("{%s,block_size=\"%d\",num_gpu_blocks=\"%d\"}", labels, p.BlockSize, p.Blocks), 1)
	s.latencies.write(&b, labels)
	t := &s.tally
	one("redline_sim_requests_total", "counter", "Requests accepted.", "", t.requests.Load())
	one("redline_sim_in_flight", "gauge", "Requests accepted and not answered in full.", "", t.inFlight.Load())
	one("redline_sim_in_flight_max", "gauge", "The most requests ever in flight.", "", t.inFlightMax.Load())
	one("redline_sim_connections_total", "counter", "Connections accepted.", "", t.connections.Load())
	t.writeRefused(&b)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = io.WriteString(w, b.String()) // a scraper that left needs no answer
}

// writeRefused prints the refusals by status, in order.
func (t *tally) writeRefused(w io.Writer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintf(w, "# HELP redline_sim_refused_total Requests answered with an error.\n# TYPE redline_sim_refused_total counter\n")
	codes := make([]int, 0, len(t.refused))
	for code := range t.refused {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	for _, code := range codes {
		fmt.Fprintf(w, "redline_sim_refused_total{code=\"%d\"} %d\n", code, t.refused[code])
	}
}
