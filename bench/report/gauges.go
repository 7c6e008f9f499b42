package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"redline/bench"
)

// gaugeName is a gauge of the server as lines and saved reports name it, with its unit and what a value is multiplied by where it is shown.
type gaugeName struct {
	gauge      bench.Gauge
	line, json string
	unit       string
	times      float64
}

// gaugeNames are all of them, in the order in which they are told.
var gaugeNames = [...]gaugeName{
	{bench.ServerRunning, "running", "running", "", 1},
	{bench.ServerWaiting, "waiting", "waiting", "", 1},
	{bench.KVUsage, "kv", "kv_cache_percent", "%", 100},
	{bench.Preemptions, "preempt/s", "preemptions_per_s", "", 1},
	{bench.PrefixHits, "hits", "prefix_hits_percent", "%", 100},
	{bench.ServerTTFT, "ttft", "ttft_ms", "ms", 1},
	{bench.ServerITL, "itl", "itl_ms", "ms", 1},
	{bench.ServerQueue, "queue", "queue_ms", "ms", 1},
	{bench.ServerE2E, "e2e", "e2e_ms", "ms", 1},
	{bench.PromptRate, "in/s", "input_tokens_per_s", "", 1},
	{bench.GenerationRate, "out/s", "output_tokens_per_s", "", 1},
	{bench.Accepted, "drafts", "drafted_tokens_kept_percent", "%", 100},
	{bench.GPUUse, "gpu", "gpu_use_percent", "%", 100},
	{bench.GPUMemory, "gpu.mem", "gpu_memory_gib", "GiB", 1. / (1 << 30)},
	{bench.GPUMemoryFree, "gpu.free", "gpu_memory_free_gib", "GiB", 1. / (1 << 30)},
	{bench.GPUPower, "gpu.power", "gpu_power_w", "W", 1},
}

// told is a value of the gauge with its unit.
func (g *gaugeName) told(v bench.Value) string {
	v.V *= g.times
	return with(number(v), g.unit)
}

// serverLine is what the server told of itself in the last full second, as a line of plain output; empty where it told nothing. What it does not tell at all is
// left out, so that a server's line always has the same names.
func serverLine(s *bench.Snapshot) string {
	if len(s.Buckets) == 0 || s.Total.Server == nil {
		return ""
	}
	now := s.Buckets[len(s.Buckets)-1].Server
	if now == nil {
		return ""
	}
	var b strings.Builder
	for i := range gaugeNames {
		if g := &gaugeNames[i]; s.Total.Server.Mean(g.gauge).OK {
			fmt.Fprintf(&b, " %s=%s", g.line, g.told(now.Mean(g.gauge)))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return stamp(s.Folded) + " server" + b.String() + "\n"
}

// writeServer is what the server told of itself over the run, beside what was measured here; or why nothing was read where something should have been.
func writeServer(b *strings.Builder, s *bench.Snapshot, width int) {
	f := s.Total.Server
	label := "server"
	for i := range s.Server {
		c := &s.Server[i]
		words := strings.TrimSpace(Printable(c.Engine)+" "+Printable(c.Version)) + " at " + metricsURL(c)
		if c.State != bench.ScrapeOK {
			// An address that was only tried is no news of a server that has no metrics.
			if c.State == bench.ScrapeUnknown || f == nil && c.State == bench.ScrapeAbsent {
				continue
			}
			words = "its metrics are not read"
			if c.Why != "" {
				words += ": " + Printable(c.Why)
			}
		}
		entry(b, label, words, width)
		label = ""
	}
	if f == nil {
		return
	}
	for _, words := range gaugeWords(s) {
		if len(words) > 0 {
			entry(b, label, strings.Join(words, ", "), width)
			label = ""
		}
	}
	if f.Missed+f.Restarts > 0 {
		entry(b, label, missedWords(s), width)
	}
}

// gaugeWords are the server's gauges over the run: those of its load, and those of its clock.
func gaugeWords(s *bench.Snapshot) [2][]string {
	f := s.Total.Server
	var loads, times []string
	for i := range gaugeNames {
		g := &gaugeNames[i]
		mean := f.Mean(g.gauge)
		if !mean.OK {
			continue
		}
		switch g.gauge {
		case bench.ServerTTFT, bench.ServerITL, bench.ServerE2E:
			m := map[bench.Gauge]bench.Metric{bench.ServerTTFT: bench.TTFT, bench.ServerITL: bench.ITL, bench.ServerE2E: bench.E2E}[g.gauge]
			times = append(times, fmt.Sprintf("%s %s ms (ours %s)", m, number(mean), number(s.Total.Stats[m].Mean)))
		case bench.ServerQueue:
			times = append(times, "queue "+number(mean)+" ms")
		case bench.GenerationRate:
			times = append(times, tokensBeside(s))
		case bench.PromptRate, bench.GPUMemoryFree:
		case bench.Preemptions:
			loads = append(loads, fmt.Sprintf("%.0f preemptions", f.Gauges[g.gauge].Sum))
		default:
			loads = append(loads, fmt.Sprintf("%s %s (most %s)", g.line, g.told(mean), g.told(f.Max(g.gauge))))
		}
	}
	return [2][]string{loads, times}
}

// missedWords tell of readings that failed, and of counters that began anew.
func missedWords(s *bench.Snapshot) string {
	f := s.Total.Server
	text := fmt.Sprintf("%d of %d readings failed", f.Missed, f.Scrapes+f.Missed)
	if gap := unreadSpan(s); gap > unread {
		// It is read less often while there is no answer.
		text += fmt.Sprintf(", nothing was read in %.0f s", gap.Seconds())
	}
	if f.Restarts > 0 {
		text += fmt.Sprintf("; its counters began anew %d times", f.Restarts)
	}
	return text
}

// unread is how long readings may have been missing before a comparison with them has to say so: the first comes late in its second, the last before the end.
const unread = 3 * time.Second

// tokensBeside are the tokens that the server says that it generated, and those that came here in the same seconds.
func tokensBeside(s *bench.Snapshot) string {
	generated, came, read := bench.Beside(s.Buckets)
	text := fmt.Sprintf("%s tokens generated", short(generated))
	if slices.ContainsFunc(s.Server, func(c bench.Scrape) bool { return c.Late }) {
		text += " (counted as requests end)"
	}
	text += fmt.Sprintf(", %s came", short(came))
	span := time.Duration(0)
	for _, b := range s.Buckets {
		span += b.Span
	}
	if span-read > unread {
		text += fmt.Sprintf(" in the %.0f s that were read", read.Seconds())
	}
	return text
}

// unreadSpan are the spans in which not one reading came.
func unreadSpan(s *bench.Snapshot) time.Duration {
	gap := time.Duration(0)
	for _, b := range s.Buckets {
		if b.Server == nil || b.Server.Scrapes == 0 {
			gap += b.Span
		}
	}
	return gap
}

// reportGauge is one gauge of the server over a level, or the run.
type reportGauge struct {
	Mean *float64 `json:"mean"`
	Max  *float64 `json:"max"`
}

// reportScrape is an address of metrics as it was read last.
type reportScrape struct {
	URL     string   `json:"url"`
	Engine  string   `json:"engine"`
	Version string   `json:"version"`
	Read    bool     `json:"read"`
	Why     string   `json:"why"`
	AtS     *float64 `json:"read_at_s"`
	Batch   *float64 `json:"max_running"`
	Cache   *float64 `json:"kv_cache_tokens"`
}

// gaugesOf are the gauges that a server told, by name; nil where it told none.
func gaugesOf(f *bench.ServerFacts) map[string]reportGauge {
	var out map[string]reportGauge
	for i := range gaugeNames {
		g := &gaugeNames[i]
		mean, most := f.Mean(g.gauge), f.Max(g.gauge)
		if !mean.OK {
			continue
		}
		if out == nil {
			out = map[string]reportGauge{}
		}
		mean.V, most.V = mean.V*g.times, most.V*g.times
		out[g.json] = reportGauge{known(mean), known(most)}
	}
	return out
}

// metricsURL is an address of metrics as it may be shown.
func metricsURL(c *bench.Scrape) string {
	if c.URL == bench.Hidden {
		return c.URL
	}
	return Printable(ShownURL(c.URL))
}

// scrapesOf are the addresses of metrics.
func scrapesOf(s *bench.Snapshot) []reportScrape {
	out := []reportScrape{}
	for i := range s.Server {
		c := &s.Server[i]
		out = append(out, reportScrape{metricsURL(c), Printable(c.Engine), Printable(c.Version), c.State == bench.ScrapeOK, Printable(c.Why), markSeconds(c.At), known(c.MaxRunning), known(c.KVTokens)})
	}
	return out
}
