package gauges

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"testing"
	"time"

	"redline/bench"
)

// TestRealServer reads the metrics of a server that is given, and says what it tells:
//
//	REDLINE_TEST_URL=http://127.0.0.1:8080/v1 go test -run RealServer -v ./bench/gauges
func TestRealServer(t *testing.T) {
	base := os.Getenv("REDLINE_TEST_URL")
	if base == "" {
		t.Skip("no REDLINE_TEST_URL")
	}
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{URLs: []*url.URL{Beside(u)}, Version: "test", Proxy: http.ProxyFromEnvironment}, bench.NewClock(time.Now()))
	ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
	defer cancel()
	s.Run(ctx)
	scrapes, f, events := s.Second()
	if len(scrapes) != 1 || scrapes[0].State != bench.ScrapeOK {
		t.Fatalf("%+v", scrapes)
	}
	sc := scrapes[0]
	t.Logf("%s %s at %s in %v, %d bytes; %v requests, %v tokens; events %v", sc.Engine, sc.Version, sc.URL, sc.Took, sc.Size, sc.MaxRunning, sc.KVTokens, events)
	for g := range bench.NumGauges {
		t.Logf("gauge %d: mean %v, most %v, now %v", g, f.Mean(g), f.Max(g), sc.Values[g])
	}
	t.Logf("TTFT p50 %v of %d, ITL p50 %v of %d", f.TTFT.Quantile(0.5), f.TTFT.N, f.ITL.Quantile(0.5), f.ITL.N)
}
