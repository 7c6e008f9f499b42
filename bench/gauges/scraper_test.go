package gauges

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/memnet"
)

// server answers scrapes in a bubble.
type server struct {
	*memnet.Listener
	mu sync.Mutex
	// answer is asked for each request; asked are their paths, headers the last one's.
	answer  http.HandlerFunc
	asked   []string
	headers http.Header
	now     int
	most    int
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked, s.headers = append(s.asked, r.URL.RequestURI()), r.Header.Clone()
	s.now++
	s.most = max(s.most, s.now)
	answer := s.answer
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.now--
		s.mu.Unlock()
	}()
	answer(w, r)
}

// set puts another answer in force.
func (s *server) set(answer http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

func (s *server) paths() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

// scraping runs a test in a bubble with a scraper of a server that gives an answer.
func scraping(t *testing.T, answer http.HandlerFunc, change func(*Options), test func(s *server, sc *Scraper)) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{Listener: memnet.Listen(), answer: answer}
		h := &http.Server{Handler: s}
		var serving sync.WaitGroup
		serving.Go(func() { _ = h.Serve(s.Listener) })
		o := Options{URLs: []*url.URL{parsed("http://gpu-7:8000")}, Version: "1", Dial: s.Dial}
		if change != nil {
			change(&o)
		}
		sc := New(o, bench.NewClock(time.Now()))
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { sc.Run(ctx) })
		synctest.Wait()
		test(s, sc)
		cancel()
		running.Wait()
		_ = h.Close()
		serving.Wait()
		if s.most > len(o.URLs) {
			t.Errorf("%d scrapes at once", s.most)
		}
	})
}

func parsed(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil {
		panic(err)
	}
	return u
}

// says answers with a text.
func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

// counting is a vLLM that generates so many tokens a second from the bubble's beginning.
func counting(rate float64) http.HandlerFunc {
	began := time.Now()
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, "vllm:num_requests_running 3\nvllm:generation_tokens_total %v\n", rate*time.Since(began).Seconds())
	}
}

func TestGaugesAreReadOnceASecond(t *testing.T) {
	scraping(t, says("vllm:num_requests_running 3\n"), nil, func(s *server, sc *Scraper) {
		var sum, weight float64
		for range 10 {
			time.Sleep(time.Second)
			_, f, _ := sc.Second()
			if f == nil || f.Missed > 0 {
				t.Fatalf("facts %+v", f)
			}
			sum, weight = sum+f.Gauges[bench.ServerRunning].Sum, weight+f.Gauges[bench.ServerRunning].Weight
		}
		if sum != 33 || weight != 11 { // one at once, then one a second
			t.Errorf("sum %v of %v readings", sum, weight)
		}
		if n := s.Dials(); n != 1 {
			t.Errorf("%d connections", n)
		}
	})
}

func TestRatesGoByOurOwnClock(t *testing.T) {
	synctest.Test(t, func(*testing.T) {})
	var answer http.HandlerFunc
	scraping(t, func(w http.ResponseWriter, r *http.Request) {
		if answer == nil {
			answer = counting(700)
		}
		answer(w, r)
	}, nil, func(s *server, sc *Scraper) {
		time.Sleep(10 * time.Second)
		scrapes, f, _ := sc.Second()
		if v := f.Mean(bench.GenerationRate); !near(v.V, 700) {
			t.Errorf("%v tokens a second", v)
		}
		if a := f.Gauges[bench.GenerationRate]; !near(a.Weight, 9.7) {
			t.Errorf("over %v s", a.Weight)
		}
		if v := scrapes[0].Values[bench.GenerationRate]; !near(v.V, 700) {
			t.Errorf("shown %v tokens a second", v)
		}
		_, _, again := sc.Second()
		if len(again) > 0 {
			t.Errorf("events told twice: %v", again)
		}
	})
}

func TestWhatIsNoMetricsIsNamed(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", code) }
	}
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		state  bench.Scraping
		why    string
		// again is how many requests there are in the first 35 s.
		again int
	}{
		{"404: both paths, and again after half a minute", status(404), bench.ScrapeAbsent, "no metrics there", 4},
		{"405", status(405), bench.ScrapeAbsent, "Method Not Allowed", 4},
		{"501, as llama.cpp has it without --metrics", status(501), bench.ScrapeAbsent, "--metrics", 4},
		{"401 is no reason to try another path", status(401), bench.ScrapeDenied, "want a key", 2},
		{"403", status(403), bench.ScrapeDenied, "Forbidden", 2},
		{"JSON, as trtllm-serve has it", says(`[{"iter": 1}]`), bench.ScrapeForeign, "JSON", 4},
		{"a JSON object", says(` {"detail": "x"}`), bench.ScrapeForeign, "JSON", 4},
		{"a web page", says("<!doctype html><html>"), bench.ScrapeForeign, "web page", 4},
		{"nothing at all", says(" \n"), bench.ScrapeForeign, "empty", 4},
		{"metrics of something else", says("go_goroutines 12\n"), bench.ScrapeForeign, "no server that is known", 4},
		{"prose", says("# hello\n"), bench.ScrapeForeign, "no metrics", 4},
		{"two engines", says("vllm:num_requests_running 1\nllamacpp:requests_processing 2\n"), bench.ScrapeForeign, "vLLM and llama.cpp come from one address", 4},
		{"more than is read", says(strings.Repeat("vllm:x 1\n", maxBody/9+1)), bench.ScrapeTooLarge, "8 MB", 4},
		{"an error of the server: soon again, then more and more rarely", status(503), bench.ScrapeUnreachable, "Service Unavailable", 6},
		{"slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, bench.ScrapeUnreachable, "within 1 s", 5},
		{"broken off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "vllm:num_requests_running 1\n")
		}, bench.ScrapeUnreachable, "broke off", 6},
		{"a redirect to another host", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://gpu-8:8000/metrics", http.StatusFound)
		}, bench.ScrapeAbsent, "another host", 4},
		{"a redirect in a circle", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}, bench.ScrapeAbsent, "circle", 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			scraping(t, c.answer, nil, func(s *server, sc *Scraper) {
				time.Sleep(35 * time.Second)
				scrapes, f, events := sc.Second()
				got := scrapes[0]
				if got.State != c.state || !strings.Contains(got.Why, c.why) {
					t.Errorf("state %d, %q", got.State, got.Why)
				}
				if f != nil || got.At.OK || got.Values != [bench.NumGauges]bench.Value{} {
					t.Errorf("facts %+v, scrape %+v", f, got)
				}
				if len(events) != 1 || events[0].Kind != bench.EventServer || events[0].N != bench.ServerWent {
					t.Errorf("events %+v, want one", events)
				}
				if n := len(s.paths()); n != c.again {
					t.Errorf("%d requests: %v, want %d", n, s.paths(), c.again)
				}
			})
		})
	}
}
