package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

// begun is a server that begins an answer and never ends it.
func begun(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(status)
		say(w, text)
		<-r.Context().Done()
	}
}

// cutShort sends a request that is ended after a second, with a cause, or by a limit where that is nil.
func cutShort(t *testing.T, c *Client, cause error) bench.Ended {
	t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	if cause != nil {
		defer time.AfterFunc(time.Second, func() { cancel(cause) }).Stop()
	}
	return c.Send(ctx, request, nil)
}

func TestWhatIsCutOnThisSideIsNotTheServersFault(t *testing.T) {
	operator := errors.New("stopped by the operator")
	for _, tt := range []struct {
		sentence, begin string
		stands          bool
		want            bench.Outcome
	}{
		{"an object that may be an answer in one piece", `{"id":"x","choices":[`, false, 0},
		{"a list", `[{"choices":`, false, 0},
		{"a page", "<html><title>Welcome</title>", false, 0},
		{"lines of JSON", `{"a":1}` + "\n" + `{"a":2}` + "\n", false, 0},
		{"comments", ": ping\n\n", false, 0},
		{"what is no event", "garbage\n", false, 0},
		{"nothing", "", false, 0},
		{"an error in the server's words, with no end", `{"error":{"message":"out of memory"}}`, true, bench.StreamError},
		{"an answer that is complete", token + stop, true, bench.OK},
	} {
		for _, end := range []struct {
			cause error
			want  bench.Outcome
		}{{operator, bench.Cancelled}, {ErrInterrupted, bench.Interrupted}, {nil, bench.TimeoutTotal}} {
			synctest.Test(t, func(t *testing.T) {
				c, _ := serve(t, begun(200, tt.begin), func(o *Options) { o.Limits.Total = 5 * time.Second })
				want := end.want
				if tt.stands {
					want = tt.want
				}
				if e := cutShort(t, c, end.cause); e.Outcome != want {
					t.Errorf("%s, ended by %v: %v %q, want %v", tt.sentence, end.cause, e.Outcome, e.Message, want)
				}
			})
		}
	}
}

func TestAnErrorsBodyIsNotWaitedForLong(t *testing.T) {
	operator := errors.New("stopped by the operator")
	for _, tt := range []struct {
		sentence string
		cause    error
		limits   bench.Limits
		want     bench.Outcome
		after    time.Duration
	}{
		{"by itself", nil, bench.Limits{FirstToken: 2 * time.Minute, Idle: 10 * time.Second}, bench.RateLimited, errorBodyTime},
		{"without any limit", nil, bench.Limits{}, bench.RateLimited, errorBodyTime},
		{"by a limit, which is no news beside the status", nil, bench.Limits{FirstToken: time.Second}, bench.RateLimited, time.Second},
		{"by the operator", operator, bench.Limits{}, bench.Cancelled, time.Second},
		{"by a gap in time", fmt.Errorf("slept: %w", ErrInterrupted), bench.Limits{}, bench.Interrupted, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, begun(429, `{"error":{"message":"slow down"`), func(o *Options) { o.Limits = tt.limits })
			e := cutShort(t, c, tt.cause)
			took, _ := e.Marks.Ended.Since(e.Marks.Started)
			if e.Outcome != tt.want || e.Status != 429 || e.RetryAfter != 7*time.Second || took < tt.after || took > tt.after+2*sweep || !strings.Contains(e.Head, "slow down") {
				t.Errorf("%s: %v %d %q after %v", tt.sentence, e.Outcome, e.Status, e.Message, took)
			}
		})
	}
}

func TestAListThatIsRefusedWithoutEnd(t *testing.T) {
	for _, limit := range []time.Duration{0, time.Second} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, begun(500, `{"error":{"message":"broken"`), func(o *Options) { o.Limits.FirstToken = limit })
			began := time.Now()
			_, err := c.Models(context.Background())
			if r := (*Refusal)(nil); !errors.As(err, &r) || r.Outcome != bench.ServerError || time.Since(began) > errorBodyTime {
				t.Errorf("%v after %v", err, time.Since(began))
			}
			ctx, cancel := context.WithCancelCause(context.Background())
			enough := errors.New("enough")
			time.AfterFunc(500*ms, func() { cancel(enough) })
			if _, err := c.Models(ctx); !errors.Is(err, enough) {
				t.Errorf("%v, want the cause of the end", err)
			}
		})
	}
}
