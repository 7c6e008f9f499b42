package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

func TestModelListsThatComeLate(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	half := func(w http.ResponseWriter, r *http.Request) {
		say(w, `{"data":[`)
		<-r.Context().Done()
	}
	deaf := func(o *Options) {
		o.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
	}
	for _, row := range []struct {
		sentence string
		handler  http.HandlerFunc
		limits   bench.Limits
		change   func(*Options)
		wait     time.Duration
		outcome  bench.Outcome
		want     string
	}{
		{"no limit is shorter", hang, bench.Limits{FirstToken: time.Minute, Total: time.Hour}, nil, 15 * time.Second, bench.TimeoutFirst, "/v1/models gave no list of models within 15s"},
		{"that of a first token is", hang, bench.Limits{FirstToken: 3 * time.Second}, nil, 3 * time.Second, bench.TimeoutFirst, "/v1/models gave no list of models within 3s"},
		{"that of a request is", hang, bench.Limits{FirstToken: 3 * time.Second, Total: 2 * time.Second}, nil, 2 * time.Second, bench.TimeoutFirst, "within 2s"},
		{"half a list", half, bench.Limits{FirstToken: 3 * time.Second}, nil, 3 * time.Second, bench.TimeoutFirst, "/v1/models gave no list of models within 3s"},
		{"no connection", nil, bench.Limits{FirstToken: 3 * time.Second}, deaf, 3 * time.Second, bench.TimeoutConnect, "no connection to http://192.0.2.1/v1/models within 3s"},
		{"no connection within its own limit", nil, bench.Limits{Connect: time.Second, FirstToken: 3 * time.Second}, deaf, time.Second, bench.TimeoutConnect, "no connection to http://192.0.2.1/v1/models within 1s"},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, row.handler, func(o *Options) {
				if o.Limits = row.limits; row.change != nil {
					row.change(o)
				}
			})
			began := time.Now()
			_, err := c.Models(context.Background())
			var r *Refusal
			if took := time.Since(began); !errors.As(err, &r) || r.Outcome != row.outcome || took != row.wait || !strings.Contains(fmt.Sprint(err), row.want) {
				t.Errorf("%s: %v after %v, want %q after %v", row.sentence, err, took, row.want, row.wait)
			}
			if strings.Contains(fmt.Sprint(err), "context") {
				t.Errorf("%s: %v", row.sentence, err)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, hang, nil)
		stopped := errors.New("stopped")
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(time.Second, func() { cancel(stopped) })
		if _, err := c.Models(ctx); !errors.Is(err, stopped) {
			t.Errorf("its asker gave up: %v", err)
		}
	})
}
