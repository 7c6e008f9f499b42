package client

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

type quotaSeer struct {
	chunks
	quotas []bench.Quota
	before int // chunks that came before the quotas
}

func (s *quotaSeer) Quotas(quotas []bench.Quota) { s.quotas, s.before = quotas, len(s.all) }

func TestQuotasComeWithTheHeaders(t *testing.T) {
	for _, status := range []int{200, 429, 503} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Ratelimit-Limit-Requests", "60")
				w.Header().Set("X-Ratelimit-Remaining-Requests", "59")
				w.WriteHeader(status)
				threeTokens(w, r)
			}, nil)
			var seen quotaSeer
			c.Send(context.Background(), request, &seen)
			if len(seen.quotas) != 1 || seen.quotas[0].Limit != bench.Some(60) || seen.before != 0 || (status == 200) != (len(seen.all) == 3) {
				t.Errorf("%d: quotas %+v after %d of %d chunks", status, seen.quotas, seen.before, len(seen.all))
			}
			if r, _ := c.Preflight(context.Background(), request.Prompt); len(r.Quotas) != 1 {
				t.Errorf("%d: the report has %+v", status, r.Quotas)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, well, nil)
		seen := quotaSeer{before: -1}
		if c.Send(context.Background(), request, &seen); seen.before != -1 {
			t.Error("told of quotas that nobody stated")
		}
	})
}

func TestRefusalsKeepTheirFirstBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const page = "<html>\r\n\x1b[31m no "
		c, l := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(502)
			say(w, page, testKey)
			for range 300 {
				say(w, fmt.Sprintf("%0100d", 0))
			}
		}, nil)
		for range 2 {
			e := send(t, c, bench.ServerError)
			if len(e.Head) != bench.HeadBytes || e.Head[:len(page)+3] != page+"***" {
				t.Errorf("%d bytes: %q", len(e.Head), e.Head)
			}
			synctest.Wait()
		}
		if l.Dials() != 1 {
			t.Errorf("%d connections: the body was not read to its end", l.Dials())
		}
	})
}

func TestCompressedAnswersAreNoGarbage(t *testing.T) {
	tests := []struct {
		encoding string
		status   int
		want     bench.Outcome
		message  string
	}{
		{"gzip", 200, bench.Malformed, "the answer is compressed (gzip), which nobody asked for"},
		{"BR", 200, bench.Malformed, "the answer is compressed (br), which nobody asked for"},
		{"identity, zstd", 200, bench.Malformed, "the answer is compressed (zstd), which nobody asked for"},
		{"gzip", 400, bench.ClientError, "400 Bad Request, with a body compressed by gzip, which nobody asked for"},
		{"identity", 200, bench.OK, ""},
		{"utf-8", 200, bench.OK, ""}, // a slip of servers that mean the charset
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Encoding", tt.encoding)
				w.WriteHeader(tt.status)
				if tt.want == bench.OK {
					well(w, r)
					return
				}
				say(w, "\x1f\x8b\x08\x00garbage")
			}, nil)
			if e := send(t, c, tt.want); e.Message != tt.message || e.Status != tt.status || e.Head != "" {
				t.Errorf("%s: %d %q, head %q", tt.encoding, e.Status, e.Message, e.Head)
			}
		})
	}
}

func TestHintsAreNoHeaders(t *testing.T) {
	hint := func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusEarlyHints)
		time.Sleep(time.Second)
		w.WriteHeader(http.StatusProcessing)
		time.Sleep(time.Second)
		threeTokens(w, r)
	}
	for _, two := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var c *Client
			if two {
				c, _ = serve2(t, 100, hint, nil)
			} else {
				c, _ = serve(t, hint, nil)
			}
			e := send(t, c, bench.OK)
			if took, _ := e.Marks.Headers.Since(e.Marks.Started); took != 2*time.Second+50*ms || e.Status != 200 {
				t.Errorf("HTTP/2 %v: status %d, headers after %v", two, e.Status, took)
			}
		})
	}
	for _, tt := range []struct {
		n    int
		want bench.Outcome
	}{{maxHints, bench.OK}, {maxHints + 1, bench.Network}} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, broken(strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", tt.n)+"HTTP/1.1 200 OK\r\n\r\n"+token+stop+doneLine, false), nil)
			send(t, c, tt.want)
		})
	}
	// A connection on which a hint came was not closed before the request.
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked == 1 {
				well(w, r)
				return
			}
			nc, _, _ := w.(http.Hijacker).Hijack()
			_, _ = nc.Write([]byte("HTTP/1.1 103 Early Hints\r\n\r\n"))
			_ = nc.Close()
		}, nil)
		send(t, c, bench.OK)
		if e := send(t, c, bench.Reset); !e.Reused || e.Marks.Headers.OK {
			t.Errorf("reused %v, headers %v", e.Reused, e.Marks.Headers)
		}
	})
}
