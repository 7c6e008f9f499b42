package gauges

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// hangUp breaks the connection off without an answer.
func hangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// kinds are what the events of a scraper say, in order.
func kinds(events []bench.Event) (out []int) {
	for _, e := range events {
		out = append(out, e.N)
	}
	return out
}

func TestMissedAnswersArePutUpWithTwice(t *testing.T) {
	ok := says("vllm:num_requests_running 3\n")
	scraping(t, ok, nil, func(s *server, sc *Scraper) {
		time.Sleep(3500 * time.Millisecond)
		sc.Second()
		s.set(hangUp)
		time.Sleep(2 * time.Second)
		scrapes, f, events := sc.Second()
		if scrapes[0].State != bench.ScrapeOK || f.Missed != 2 || len(events) > 0 || !scrapes[0].Values[bench.ServerRunning].OK {
			t.Errorf("after two: %+v, %+v, %v", scrapes[0], f, events)
		}
		s.set(ok)
		time.Sleep(time.Second)
		s.set(hangUp)
		time.Sleep(2 * time.Second)
		if scrapes, f, _ := sc.Second(); scrapes[0].State != bench.ScrapeOK || f.Missed != 2 || f.Scrapes != 1 {
			t.Errorf("one answer between makes it two again: %+v, %+v", scrapes[0], f)
		}
		time.Sleep(time.Second)
		scrapes, f, events = sc.Second()
		if got := scrapes[0]; got.State != bench.ScrapeUnreachable || got.Why == "" || got.Values[bench.ServerRunning].OK || f.Missed != 1 || !slices.Equal(kinds(events), []int{bench.ServerWent}) {
			t.Errorf("after three: %+v, %+v, %v", got, f, events)
		}
		time.Sleep(time.Minute)
		if _, f, _ := sc.Second(); f != nil {
			t.Errorf("while it is gone: %+v", f)
		}
		s.set(ok)
		time.Sleep(31 * time.Second)
		scrapes, _, events = sc.Second()
		if scrapes[0].State != bench.ScrapeOK || scrapes[0].Why != "" || !slices.Equal(kinds(events), []int{bench.ServerCame}) {
			t.Errorf("back: %+v, %v", scrapes[0], events)
		}
	})
}

// generated is a server that has generated so many tokens by now, at a rate, from an instant on.
func generated(rate float64) http.HandlerFunc {
	began := time.Now()
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, "vllm:generation_tokens_total %v\n", 1000+rate*time.Since(began).Seconds())
	}
}

func TestRestartIsMarkedAndInNoRate(t *testing.T) {
	scraping(t, says(""), nil, func(s *server, sc *Scraper) {
		s.set(generated(100))
		time.Sleep(40 * time.Second)
		sc.Second()
		s.set(generated(300)) // its counters begin anew
		time.Sleep(10 * time.Second)
		_, f, events := sc.Second()
		if f.Restarts != 1 || !slices.Equal(kinds(events), []int{bench.ServerRestarted}) {
			t.Errorf("%d restarts, events %v", f.Restarts, events)
		}
		if a := f.Gauges[bench.GenerationRate]; !near(a.Sum/a.Weight, 300) || !near(a.Max, 300) {
			t.Errorf("rate %+v, want 300 all along", a)
		}
	})
}

func TestSumThatShrinksIsNoRestart(t *testing.T) {
	n := 0
	scraping(t, func(w http.ResponseWriter, _ *http.Request) {
		n++
		_, _ = fmt.Fprintf(w, "vllm:generation_tokens_total %d\nvllm:request_queue_time_seconds_sum %v\nvllm:request_queue_time_seconds_count %d\n", 100*n, 0.002-0.0001*float64(n), n)
	}, nil, func(_ *server, sc *Scraper) {
		time.Sleep(10 * time.Second)
		_, f, events := sc.Second()
		if f.Restarts != 0 || !slices.Equal(kinds(events), []int{bench.ServerCame}) {
			t.Errorf("%d restarts, events %v", f.Restarts, events)
		}
		if a := f.Gauges[bench.GenerationRate]; a.Weight < 9 {
			t.Errorf("rate %+v, want one of every second", a)
		}
	})
}

func TestServersThatAnswerInTurnAreNotTakenForRestarts(t *testing.T) {
	n := 0
	scraping(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" {
			http.NotFound(w, r)
			return
		}
		n++
		_, _ = fmt.Fprintf(w, "vllm:generation_tokens_total %d\n", 1000*(n%2)+n)
	}, nil, func(_ *server, sc *Scraper) {
		time.Sleep(60 * time.Second)
		scrapes, _, events := sc.Second()
		if got := scrapes[0]; got.State != bench.ScrapeOK || !strings.Contains(got.Why, "in turn") {
			t.Errorf("%+v", got)
		}
		if n := len(events); n > 1+jumps {
			t.Errorf("%d events", n)
		}
	})
}

func TestWaysToAnAnswer(t *testing.T) {
	const text = "vllm:num_requests_running 3\n"
	found := func(path string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case path:
				_, _ = io.WriteString(w, text)
			case "/metrics":
				_, _ = io.WriteString(w, `[{"iter":1}]`)
			default:
				http.NotFound(w, r)
			}
		}
	}
	for _, c := range []struct {
		name, url string
		answer    http.HandlerFunc
		shown     string
	}{
		{"no path is /metrics", "http://gpu-7:8000", says(text), "http://gpu-7:8000/metrics"},
		{"packed, as we offer", "http://gpu-7:8000", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept-Encoding") != "gzip" {
				http.Error(w, "want gzip", http.StatusNotAcceptable)
				return
			}
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, text)
			_ = z.Close()
		}, "http://gpu-7:8000/metrics"},
		{"trtllm-serve has JSON at the first path, and metrics at the second", "http://gpu-7:8000/metrics", found("/prometheus/metrics"), "http://gpu-7:8000/prometheus/metrics"},
		{"a path of one's own is used as it is", "http://gpu-7:8000/stats?x=secret", found("/stats"), "http://gpu-7:8000/stats"},
		{"a slash is added, as FastAPI does for what is mounted", "http://gpu-7:8000/metrics", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/metrics" {
				http.Redirect(w, r, "/metrics/", http.StatusTemporaryRedirect)
				return
			}
			_, _ = io.WriteString(w, text)
		}, "http://gpu-7:8000/metrics"},
		{"half a line at the end is left out", "http://gpu-7:8000", says(text + "vllm:num_requests_running{engine=\"1\"} 9"), "http://gpu-7:8000/metrics"},
	} {
		t.Run(c.name, func(t *testing.T) {
			scraping(t, c.answer, func(o *Options) { o.URLs = []*url.URL{parsed(c.url)} }, func(_ *server, sc *Scraper) {
				time.Sleep(5 * time.Second)
				scrapes, f, _ := sc.Second()
				got := scrapes[0]
				if got.State != bench.ScrapeOK || got.URL != c.shown || got.Values[bench.ServerRunning] != bench.Some(3) {
					t.Fatalf("%+v", got)
				}
				if got.Size == 0 || !got.At.OK || f.Scrapes != 6 {
					t.Errorf("%+v, %+v", got, f)
				}
			})
		})
	}
}

func TestWhatSeveralServersTellIsAddedUp(t *testing.T) {
	scraping(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Host {
		case "a:8000":
			_, _ = io.WriteString(w, "vllm:num_requests_running 3\nvllm:kv_cache_usage_perc 0.2\n")
		case "b:8000":
			_, _ = io.WriteString(w, "vllm:num_requests_running 5\nvllm:kv_cache_usage_perc 0.6\n")
		default:
			_, _ = io.WriteString(w, "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 80\n")
		}
	}, func(o *Options) {
		o.URLs = []*url.URL{parsed("http://a:8000"), parsed("http://b:8000"), parsed("http://c:9400")}
	}, func(s *server, sc *Scraper) {
		time.Sleep(10 * time.Second)
		scrapes, f, events := sc.Second()
		if f.Mean(bench.ServerRunning) != bench.Some(8) || f.Max(bench.ServerRunning) != bench.Some(8) {
			t.Errorf("%v run, at most %v", f.Mean(bench.ServerRunning), f.Max(bench.ServerRunning))
		}
		if v := f.Mean(bench.KVUsage); !near(v.V, 0.4) || f.Max(bench.KVUsage) != bench.Some(0.6) {
			t.Errorf("cache used %v, at most %v", v, f.Max(bench.KVUsage))
		}
		if v := f.Mean(bench.GPUUse); !near(v.V, 0.8) || len(scrapes) != 3 || scrapes[2].Engine != "DCGM" {
			t.Errorf("GPU used %v; %+v", v, scrapes[2])
		}
		if len(events) != 3 || !strings.HasSuffix(events[0].Text, bench.ServerAt+"a:8000") {
			t.Errorf("events %+v", events)
		}
		// One second without an answer of b is no dip.
		s.set(func(w http.ResponseWriter, r *http.Request) {
			if r.Host == "b:8000" {
				hangUp(w, r)
			}
			_, _ = io.WriteString(w, "vllm:num_requests_running 4\n")
		})
		time.Sleep(time.Second)
		if _, f, _ := sc.Second(); f.Mean(bench.ServerRunning) != bench.Some(4+5+4) || f.Missed != 1 {
			t.Errorf("%v run, %d missed", f.Mean(bench.ServerRunning), f.Missed)
		}
	})
}

func TestKeyGoesOnlyWhereItMay(t *testing.T) {
	seen := map[string]string{}
	answer := func(w http.ResponseWriter, r *http.Request) {
		seen[r.Host+r.URL.Path] = r.Header.Get("Authorization")
		if r.URL.Path == "/moved/metrics" {
			http.Redirect(w, r, "/metrics", http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "vllm:num_requests_running 3\n")
	}
	scraping(t, answer, func(o *Options) {
		o.URLs = []*url.URL{parsed("http://gpu-7:8000/moved/metrics"), parsed("http://gpu-7:9400"), parsed("http://gpu-8:8000")}
		o.Origin, o.Authorize = Origin(parsed("http://gpu-7:8000/v1")), func(h http.Header) { h.Set("Authorization", "Bearer k") }
	}, func(_ *server, sc *Scraper) {
		time.Sleep(2 * time.Second)
		sc.Second()
	})
	for at, want := range map[string]string{
		"gpu-7:8000/moved/metrics": "Bearer k", "gpu-7:8000/metrics": "Bearer k", "gpu-7:9400/metrics": "", "gpu-8:8000/metrics": "", "gpu-8:8000/version": "",
	} {
		if got, asked := seen[at]; !asked || got != want {
			t.Errorf("%s was asked (%v) with %q, want %q", at, asked, got, want)
		}
	}
}

func TestGuessedAddressWithoutMetricsIsNoEvent(t *testing.T) {
	scraping(t, http.NotFound, func(o *Options) { o.Guessed = true }, func(s *server, sc *Scraper) {
		time.Sleep(10 * time.Second)
		scrapes, f, events := sc.Second()
		if scrapes[0].State != bench.ScrapeAbsent || f != nil || len(events) > 0 {
			t.Errorf("%+v, %+v, %v", scrapes[0], f, events)
		}
		if got := s.paths(); !slices.Equal(got, []string{"/metrics", "/prometheus/metrics"}) {
			t.Errorf("asked for %v", got)
		}
	})
}

func TestNothingWaitsForASlowServer(t *testing.T) {
	scraping(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, nil, func(_ *server, sc *Scraper) {
		time.Sleep(500 * time.Millisecond) // its first scrape is under way
		before := time.Now()
		scrapes, _, _ := sc.Second()
		if time.Since(before) > 0 || scrapes[0].State != bench.ScrapeUnknown {
			t.Errorf("%v, state %d", time.Since(before), scrapes[0].State)
		}
	})
}

func TestWhatDoesNotChangeIsAskedForOnce(t *testing.T) {
	scraping(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/metrics":
			_, _ = io.WriteString(w, "llamacpp:requests_processing 2\n")
		case "/props":
			_, _ = io.WriteString(w, `{"total_slots": 4, "build_info": "b6123-abc", "default_generation_settings": {"n_ctx": 2048}}`)
		}
	}, nil, func(s *server, sc *Scraper) {
		time.Sleep(10 * time.Second)
		scrapes, _, _ := sc.Second()
		if got := scrapes[0]; got.Version != "b6123-abc" || got.MaxRunning != bench.Some(4) || got.KVTokens != bench.Some(8192) {
			t.Errorf("%+v", got)
		}
		asked := 0
		for _, p := range s.paths() {
			if p == "/props" {
				asked++
			}
		}
		if asked != 1 {
			t.Errorf("asked %d times", asked)
		}
	})
}

// TestCounterThatWasMissingGrewInTheWholeTime: what it has grown by is not taken for that of the one second in which it was back.
func TestCounterThatWasMissingGrewInTheWholeTime(t *testing.T) {
	var began time.Time
	scraping(t, func(w http.ResponseWriter, _ *http.Request) {
		if began.IsZero() {
			began = time.Now()
		}
		n := time.Since(began).Seconds()
		_, _ = fmt.Fprintf(w, "vllm:num_requests_running 3\nvllm:prefix_cache_queries_total %v\n", 50*n)
		if n < 10 || n >= 14 && n < 30 || n > 40 {
			_, _ = fmt.Fprintf(w, "vllm:generation_tokens_total %v\nvllm:prefix_cache_hits_total %v\n", 100*n, 10*n)
		}
	}, nil, func(_ *server, sc *Scraper) {
		time.Sleep(25 * time.Second)
		_, f, _ := sc.Second()
		if a := f.Gauges[bench.GenerationRate]; !near(a.Max, 100) || !near(a.Sum/a.Weight, 100) || a.Sum < 2300 {
			t.Errorf("missing for 4 s: %+v, want 100 a second and nothing lost", a)
		}
		if a := f.Gauges[bench.PrefixHits]; !near(a.Max, 0.2) || !near(a.Sum/a.Weight, 0.2) {
			t.Errorf("missing for 4 s: hits %+v, want 20 %%", a)
		}
		time.Sleep(25 * time.Second)
		if _, f, _ := sc.Second(); !near(f.Gauges[bench.GenerationRate].Max, 100) || !near(f.Gauges[bench.PrefixHits].Max, 0.2) {
			t.Errorf("missing for too long: %+v, %+v, want 100 a second, 20 %%", f.Gauges[bench.GenerationRate], f.Gauges[bench.PrefixHits])
		}
	})
}

// TestHitsWaitForThePromptsTheyAreOf where the two counters move at different instants.
func TestHitsWaitForThePromptsTheyAreOf(t *testing.T) {
	n := 0
	scraping(t, func(w http.ResponseWriter, _ *http.Request) {
		n++
		// Every third second the cache gives 60 tokens; the other 40 of the prompt are counted a second later.
		_, _ = fmt.Fprintf(w, "llamacpp:requests_processing 1\nllamacpp:prompt_tokens_total %d\nllamacpp:prompt_tokens_cached_total %d\n", 40*((n-1)/3), 60*(n/3))
	}, nil, func(_ *server, sc *Scraper) {
		time.Sleep(31 * time.Second)
		_, f, _ := sc.Second()
		if a := f.Gauges[bench.PrefixHits]; !near(a.Max, 0.6) || !near(a.Sum/a.Weight, 0.6) || a.Weight < 900 {
			t.Errorf("%+v, want 60 %% in every second that has any", a)
		}
	})
}
