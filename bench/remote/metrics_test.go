package remote

import (
	"bytes"
	"math"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"redline/bench"
)

// scraped are the metrics of a server as Prometheus reads them.
func scraped(t *testing.T, s *Server, change ...func(*http.Request)) map[string]*dto.MetricFamily {
	t.Helper()
	w := asked(t, s, "GET", "/metrics", "", change...)
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("%d %q", w.Code, w.Header().Get("Content-Type"))
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	out, err := parser.TextToMetricFamilies(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatalf("%v\n%s", err, w.Body)
	}
	return out
}

// sketched is a sketch of samples in ms.
func sketched(samples ...float64) bench.Sketch {
	h := bench.NewHistogram()
	for _, v := range samples {
		h.Add(v, 1)
	}
	return h.Sketch()
}

// busy is a run in which much has happened.
func busy(samples []float64) *run {
	r := newRun()
	r.s.Folded, r.s.InFlight, r.s.Held = 20*time.Second, 7, 1
	half := len(samples) / 2
	for i, part := range [][]float64{samples[:half], samples[half:]} {
		b := &bench.Bucket{Start: time.Duration(i) * time.Second, Span: time.Second}
		b.TTFT, b.ITL, b.TPOT, b.E2E = sketched(part...), sketched(part...), sketched(part...), sketched(part...)
		b.In, b.Out, b.OutFix = 100, 50, -10
		r.s.Buckets = append(r.s.Buckets, b)
	}
	tally := bench.Tally{Sent: 130, OK: 100, Failed: 15, Limited: 5, Cancelled: 3, Unsent: 2}
	tally.By[bench.OK], tally.By[bench.ServerError], tally.By[bench.RateLimited], tally.By[bench.Cancelled] = 100, 15, 5, 3
	r.s.Total.Tally = tally
	kept, _ := bench.ParseThreshold("ttft.p95<=2s")
	l := &bench.Level{ID: 3, State: bench.Settled, Verdicts: []bench.Verdict{{Threshold: kept, Known: true}}}
	l.Goodput, l.Counted = bench.Some(87.5), bench.Tally{OK: 90, Failed: 10}
	r.s.Levels = []*bench.Level{l}
	r.s.Spend = bench.Spend{In: 220, Out: 90, Cost: bench.Some(1.25)}
	r.s.Quotas = []bench.Quota{{Name: "requests", Per: time.Minute, Limit: bench.Some(600), Remaining: bench.Some(150)}}
	r.s.Strained = [2]int{4, 1}
	r.s.Health.TimerLag = bench.Some(12)
	return r
}

func TestMetricsAreThoseOfTheSnapshot(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	samples := []float64{0.0001, 0.02, 0.9, 0, 5e6, 1e9}
	for range 1000 {
		samples = append(samples, math.Exp(rnd.NormFloat64()*1.5+5))
	}
	r := busy(samples)
	got := scraped(t, serve(r, func(o *Options) { o.Recording = func() bool { return true } }))
	value := func(name string, labels ...string) (float64, bool) {
	series:
		for _, m := range got[name].GetMetric() {
			for i := 0; i < len(labels); i += 2 {
				found := false
				for _, l := range m.GetLabel() {
					found = found || l.GetName() == labels[i] && l.GetValue() == labels[i+1]
				}
				if !found {
					continue series
				}
			}
			return m.GetCounter().GetValue() + m.GetGauge().GetValue(), true
		}
		return 0, false
	}
	for _, row := range []struct {
		want   float64
		name   string
		labels []string
	}{
		{8, "redline_load_setpoint", []string{"loop", "closed", "target", "gpu-7:8000", "model", "qwen"}},
		{7, "redline_requests_in_flight", nil}, {1, "redline_slots_held", nil}, {1, "redline_level", nil}, {1, "redline_level_settled", nil}, {1, "redline_recording", nil},
		{1, "redline_run_state", []string{"state", "running"}}, {0, "redline_run_state", []string{"state", "paused"}},
		{130, "redline_requests_sent_total", nil}, {2, "redline_requests_unsent_total", nil},
		{100, "redline_requests_total", []string{"outcome", "ok"}}, {15, "redline_requests_total", []string{"outcome", "5xx"}}, {5, "redline_requests_total", []string{"outcome", "429"}}, {0, "redline_requests_total", []string{"outcome", "dns"}},
		{200, "redline_tokens_total", []string{"direction", "input"}}, {80, "redline_tokens_total", []string{"direction", "output"}},
		{220, "redline_spent_tokens_total", []string{"direction", "input"}}, {1.25, "redline_spent_cost", nil},
		{0.875, "redline_level_goodput_ratio", nil}, {0.1, "redline_level_error_ratio", nil}, {1, "redline_promise_kept", []string{"promise", "ttft.p95<=2s"}},
		{600, "redline_quota_limit", []string{"quota", "requests", "unit", "RPM"}}, {150, "redline_quota_remaining", nil}, {0.75, "redline_quota_used_ratio", nil},
		{4, "redline_client_strained_seconds_total", []string{"verdict", "busy"}}, {1, "redline_client_strained", []string{"verdict", "ok"}}, {0.012, "redline_client_lag_seconds", nil},
	} {
		if v, ok := value(row.name, row.labels...); !ok || math.Abs(v-row.want) > 1e-9 {
			t.Errorf("%s %v: %v (there: %v), want %v", row.name, row.labels, v, ok, row.want)
		}
	}
	for name, upper := range map[string][]float64{"redline_time_to_first_token_seconds": bounds[ttft], "redline_inter_token_latency_seconds": bounds[itl], "redline_request_duration_seconds": bounds[e2e]} {
		h := got[name].GetMetric()[0].GetHistogram()
		sum := 0.0
		for _, v := range samples {
			sum += v / 1000
		}
		if h.GetSampleCount() != uint64(len(samples)) || math.Abs(h.GetSampleSum()-sum) > 1e-6*sum {
			t.Errorf("%s: %d samples of %v s, want %d of %v", name, h.GetSampleCount(), h.GetSampleSum(), len(samples), sum)
		}
		if n := len(h.GetBucket()); n != len(upper)+1 {
			t.Fatalf("%s: %d buckets", name, n)
		}
		before := uint64(0)
		for i, b := range h.GetBucket() {
			if b.GetCumulativeCount() < before {
				t.Errorf("%s: bucket %v falls", name, b.GetUpperBound())
			}
			before = b.GetCumulativeCount()
			if i == len(upper) {
				continue
			}
			low, high := 0, 0
			for _, v := range samples {
				if v/1000 <= upper[i]*(1-2*bench.Accuracy) {
					low++
				}
				if v/1000 <= upper[i]*(1+2*bench.Accuracy) {
					high++
				}
			}
			if n := int(b.GetCumulativeCount()); n < low || n > high {
				t.Errorf("%s: %d up to %v s, want %d to %d", name, n, upper[i], low, high)
			}
		}
	}
}

func TestWhatIsNotKnownIsNoMetric(t *testing.T) {
	got := scraped(t, serve(newRun(), nil))
	for _, name := range []string{"redline_level_goodput_ratio", "redline_spent_cost", "redline_quota_limit", "redline_promise_kept", "redline_client_lag_seconds", "redline_client_cpu_ratio", "redline_level_error_ratio"} {
		if got[name] != nil {
			t.Errorf("%s is there", name)
		}
	}
	for _, name := range []string{"redline_requests_total", "redline_time_to_first_token_seconds", "redline_run_state"} {
		if got[name] == nil {
			t.Errorf("%s is not there from the start", name)
		}
	}
}

func TestCountersDoNotFallWhereTheRunTakesSomethingBack(t *testing.T) {
	r := busy([]float64{100, 200, 300, 400})
	s := serve(r, nil)
	first := scraped(t, s)
	r.change(func(s *bench.Snapshot) {
		s.Folded += time.Second
		s.Buckets[0] = &bench.Bucket{Span: time.Second, Facts: bench.Facts{In: 100, Out: 1}}
	})
	second := scraped(t, s)
	for _, name := range []string{"redline_time_to_first_token_seconds", "redline_tokens_total", "redline_requests_total"} {
		if a, b := first[name].String(), second[name].String(); a != b {
			t.Errorf("%s: %s, then %s", name, a, b)
		}
	}
	r.change(func(s *bench.Snapshot) {
		s.Cleared, s.Forgotten, s.Total.Tally = bench.MarkAt(s.Folded), s.Total.Tally, bench.Tally{}
		s.Buckets = nil
	})
	third := scraped(t, s)
	for _, name := range []string{"redline_time_to_first_token_seconds", "redline_tokens_total", "redline_requests_total", "redline_request_duration_seconds"} {
		if a, b := first[name].String(), third[name].String(); a != b {
			t.Errorf("behind a clear: %s: %s, then %s", name, a, b)
		}
	}
	// What comes behind it is added, to the buckets too.
	r.change(func(s *bench.Snapshot) {
		s.Folded += time.Second
		b := &bench.Bucket{Start: 30 * time.Second, Span: time.Second, Facts: bench.Facts{In: 7, Out: 3}}
		b.TTFT = sketched(20, 30)
		s.Buckets = []*bench.Bucket{b}
	})
	fourth := scraped(t, s)
	h := fourth["redline_time_to_first_token_seconds"].GetMetric()[0].GetHistogram()
	if n, under := h.GetSampleCount(), h.GetBucket()[3].GetCumulativeCount(); n != 6 || under != 2 || math.Abs(h.GetSampleSum()-1.05) > 1e-9 {
		t.Errorf("4 samples and 2 behind the clear: %d, %d of them up to 40 ms, together %v s", n, under, h.GetSampleSum())
	}
	for _, m := range fourth["redline_tokens_total"].GetMetric() {
		if v := m.GetCounter().GetValue(); v != 207 && v != 83 {
			t.Errorf("tokens: %v, want 200 + 7 and 80 + 3", v)
		}
	}
}

// TestWhatIsClearedIsInTheBooksUnscraped: the first scrape comes behind a clear, and has what was before.
func TestWhatIsClearedIsInTheBooksUnscraped(t *testing.T) {
	r := busy([]float64{100, 200, 300, 400})
	s := serve(r, nil)
	s.book()
	r.change(func(s *bench.Snapshot) { s.Cleared, s.Buckets = bench.MarkAt(s.Folded), nil })
	if n := scraped(t, s)["redline_time_to_first_token_seconds"].GetMetric()[0].GetHistogram().GetSampleCount(); n != 4 {
		t.Errorf("%d samples, want 4", n)
	}
}

// TestAScrapeAddsUp: what was sent has ended, or is in flight, though the screen is further by a part of a second.
func TestAScrapeAddsUp(t *testing.T) {
	r := busy([]float64{100, 200})
	r.change(func(s *bench.Snapshot) { s.InFlight = 0 })
	got := scraped(t, serve(r, nil))
	ended := 0.0
	for _, m := range got["redline_requests_total"].GetMetric() {
		ended += m.GetCounter().GetValue()
	}
	sent, flying := got["redline_requests_sent_total"].GetMetric()[0].GetCounter().GetValue(), got["redline_requests_in_flight"].GetMetric()[0].GetGauge().GetValue()
	if sent != ended+flying || flying == 0 {
		t.Errorf("sent %v, ended %v, in flight %v", sent, ended, flying)
	}
}

// BenchmarkBooks is what a second costs: a run of an hour, with samples of all kinds in each bucket.
func BenchmarkBooks(b *testing.B) {
	r := busy([]float64{100, 200})
	var samples []float64
	for i := range 200 {
		samples = append(samples, 20*math.Exp(float64(i)/60))
	}
	one := sketched(samples...)
	for i := range 1000 {
		k := &bench.Bucket{Start: time.Duration(i) * time.Second, Span: time.Second}
		k.TTFT, k.ITL, k.TPOT, k.E2E = one, one, one, one
		r.s.Buckets = append(r.s.Buckets, k)
	}
	s := serve(r, nil)
	for b.Loop() {
		r.change(func(s *bench.Snapshot) { s.Folded += time.Second })
		s.book()
	}
}

// What promtool checks of names.
var (
	metricName = regexp.MustCompile(`^redline_[a-z]+(_[a-z]+)*$`)
	badUnit    = regexp.MustCompile(`_(ms|milliseconds|minutes?|hours?|percent|kb|mb|counter|gauge|histogram|count|sum|bucket)(_|$)`)
)

func TestMetricsAreNamedAsPrometheusWantsThem(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range table {
		counter := f.kind == dto.MetricType_COUNTER
		switch {
		case !metricName.MatchString(f.name) || badUnit.MatchString(f.name) || seen[f.name]:
			t.Errorf("%s is no good name", f.name)
		case counter != strings.HasSuffix(f.name, "_total"):
			t.Errorf("%s: a counter ends with _total, and nothing else does", f.name)
		case f.kind == dto.MetricType_HISTOGRAM && !strings.HasSuffix(f.name, "_seconds"):
			t.Errorf("%s: want its unit", f.name)
		case f.help == "" || strings.Contains(f.help, "\n"):
			t.Errorf("%s: want one line of help", f.name)
		}
		seen[f.name] = true
	}
	for _, f := range scraped(t, serve(busy([]float64{1, 2}), nil)) {
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				if !regexp.MustCompile(`^[a-z]+$`).MatchString(l.GetName()) || l.GetName() == "le" || l.GetName() == "quantile" {
					t.Errorf("%s: label %q", f.GetName(), l.GetName())
				}
			}
		}
	}
}

func TestTargetsHaveSeriesOfTheirOwnAndInPrivateNoNames(t *testing.T) {
	a, b := busy([]float64{100, 200}), busy([]float64{300})
	first, second := a.Snapshot(), b.Snapshot()
	a.change(func(s *bench.Snapshot) {
		s.Rivals = &bench.Rivals{Names: []string{"staging", "prod"}, Of: []*bench.Snapshot{first, second}}
	})
	private := false
	s := serve(a, func(o *Options) { o.Private = func() bool { return private } })
	targets := func() string {
		var out []string
		for _, m := range scraped(t, s)["redline_target_driven"].GetMetric() {
			for _, l := range m.GetLabel() {
				if l.GetName() == "target" {
					out = append(out, l.GetValue())
				}
			}
		}
		return strings.Join(out, " ")
	}
	if got := targets(); got != "staging prod" {
		t.Errorf("targets %s", got)
	}
	private = true
	if got := targets(); got != "A B" {
		t.Errorf("in private %s", got)
	}
	if text := asked(t, s, "GET", "/metrics", "").Body.String(); strings.Contains(text, "gpu-7") || strings.Contains(text, "staging") {
		t.Errorf("in private:\n%s", text)
	}
}
