package report

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// quotaRun is a run at two loads: a request takes 0.05 + 0.001 × load minutes and 300 tokens, so that 316 a minute are carried at 24.
func quotaRun(promises ...string) *bench.Snapshot {
	s := &bench.Snapshot{Run: &bench.Run{}, Gauges: bench.Gauges{At: time.Minute}}
	for _, text := range promises {
		t, err := bench.ParseThreshold(text)
		if err != nil {
			panic(err)
		}
		s.Run.Thresholds = append(s.Run.Thresholds, t)
	}
	for i, n := range []float64{16, 32} {
		l := &bench.Level{ID: i, Load: bench.Setpoint{N: n}, State: bench.Settled, Reached: bench.MarkAt(time.Second)}
		l.Span = 20 * time.Second
		l.Tally.OK, l.PromptTokens, l.AnswerTokens = 200, bench.Some(200), bench.Some(100)
		l.Stats[bench.RPM] = bench.Stat{N: 200, Readiness: bench.Ready, Mean: bench.Some(n / (0.05 + 0.001*n))}
		s.Levels = append(s.Levels, l)
	}
	return s
}

func TestPlainLinesAndTheSummaryTellWhichQuotaBindsFirst(t *testing.T) {
	day := bench.Quota{Name: "day", Kind: bench.QuotaRequests, Per: bench.Day, Limit: bench.Some(10_000), Remaining: bench.Some(1951), Reset: bench.MarkAt(time.Hour), At: time.Minute}
	for _, c := range []struct {
		sentence string
		run      *bench.Snapshot
		quotas   []bench.Quota
		field    string
		words    string
	}{
		{"none is set or stated", quotaRun("ttft.p95<=1s"), nil, "-", ""},
		{"between two loads", quotaRun("rpm<=316"), nil, "RPM:24", "own RPM 316, 390 a minute at the last load, binds at about concurrency 24"},
		{"the one that is scarcer", quotaRun("rpm<=390", "tpm<=94800"), nil, "TPM:24", "own TPM 94 800, 117.1k a minute at the last load, binds at about concurrency 24"},
		{"roughly, beyond what was measured", quotaRun("rpm<=500"), nil, "RPM:~50", "binds at about concurrency ~50"},
		{"a bound alone", quotaRun("rpm<=900"), nil, "RPM:>74", "does not bind below concurrency 74"},
		{"a quota of a day that soon runs out", quotaRun("rpm<=900"), []bench.Quota{day}, "RPD:5m", "RPD 80.5% of 10 000 used, 1 951 left, whole in 1h, as the server said last, used up in 5m at the last load"},
	} {
		c.run.Quotas = c.quotas
		if got := bindsField(c.run); got != c.field {
			t.Errorf("%s: %s, want %s", c.sentence, got, c.field)
		}
		var b strings.Builder
		writeWire(&b, c.run, boundless)
		if !strings.Contains(b.String(), c.words) || c.words == "" && strings.Contains(b.String(), "quotas") {
			t.Errorf("%s: %q is not in\n%s", c.sentence, c.words, b.String())
		}
	}
}

func TestGaugesAreToldWhereTheServerTellsThem(t *testing.T) {
	s := quotaRun()
	if got := serverLine(s); got != "" {
		t.Errorf("a server that tells nothing: %q", got)
	}
	facts := &bench.ServerFacts{Scrapes: 9, Missed: 1}
	set := func(g bench.Gauge, sum, weight, most float64) {
		facts.Gauges[g] = bench.Amount{Sum: sum, Weight: weight, Max: most}
	}
	set(bench.ServerRunning, 84, 2, 42)
	set(bench.KVUsage, 0.5, 1, 0.91)
	set(bench.Preemptions, 4, 10, 1)
	set(bench.ServerTTFT, 3560, 10, 356)
	set(bench.GenerationRate, 1706, 1, 1706)
	set(bench.GPUMemory, 71<<30, 1, 71<<30)
	second := *facts
	second.Gauges[bench.ServerTTFT] = bench.Amount{}
	s.Folded, s.Buckets = time.Minute, []*bench.Bucket{{Span: time.Second, Facts: bench.Facts{Out: 1702, Server: &second}}}
	s.Total.Server, s.Levels[0].Server = facts, facts
	s.Server = []bench.Scrape{{URL: "http://gpu-7:8000/metrics", Engine: "vLLM", Version: "0.9.2", State: bench.ScrapeOK}}
	if got, want := serverLine(s), "00:01:00 server running=42.0 kv=50.0% preempt/s=0.40 ttft=- out/s=1706 gpu.mem=71.0GiB\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var b strings.Builder
	writeServer(&b, s, boundless)
	for _, want := range []string{"server    vLLM 0.9.2 at http://gpu-7:8000/metrics\n", "running 42.0 (most 42.0), kv 50.0% (most 91.0%), 4 preemptions, gpu.mem 71.0GiB (most 71.0GiB)\n",
		"TTFT 356 ms (ours -), 1706 tokens generated, 1702 came\n", "1 of 10 readings failed"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
	data, err := reportOf(s, Options{}).json()
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Total struct {
			Server map[string]reportGauge `json:"server"`
		} `json:"total"`
		Levels []struct {
			Numbers struct {
				Server map[string]reportGauge `json:"server"`
			} `json:"numbers"`
		} `json:"levels"`
		Metrics []reportScrape `json:"server_metrics"`
	}
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if g := back.Total.Server["kv_cache_percent"]; g.Mean == nil || *g.Mean != 50 || *g.Max != 91 {
		t.Errorf("%+v", back.Total.Server)
	}
	if len(back.Levels) != 2 || len(back.Levels[0].Numbers.Server) != 6 || back.Levels[1].Numbers.Server != nil || len(back.Metrics) != 1 || !back.Metrics[0].Read {
		t.Errorf("%+v", back)
	}
}
