package sim

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestRequestsThatTheirClientAbandonsLeaveTheQueue(t *testing.T) {
	for _, path := range []string{"/v1/chat/completions", "/v1/responses"} {
		inBubble(t, func(o *Options) { o.Slots = 1 }, func(t *testing.T, w *world) {
			ctx, cancel := context.WithCancel(context.Background())
			var all sync.WaitGroup
			ask := func(ctx context.Context, i int) {
				all.Go(func() {
					body := fmt.Sprintf(`{"model":"redline-sim-7b","messages":[{"role":"user","content":"hi %d"}],"input":"hi %d","stream":true}`, i, i)
					r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://sim.invalid"+path, strings.NewReader(body))
					if err != nil {
						t.Error(err)
						return
					}
					if resp, err := w.client.Do(r); err == nil {
						_, _ = io.Copy(io.Discard, resp.Body) // it breaks off where the request is abandoned
						_ = resp.Body.Close()
					}
				})
			}
			ask(context.Background(), 0)
			time.Sleep(100 * time.Millisecond)
			for i := range 40 {
				ask(ctx, i+1)
			}
			time.Sleep(100 * time.Millisecond)
			if g := w.server.gauges(); g.Waiting != 40 || g.Running != 1 {
				t.Fatalf("%s: %+v", path, g)
			}
			cancel()
			synctest.Wait()
			if g := w.server.gauges(); g.Waiting != 0 || g.Cancelled != 40 || g.Running != 1 {
				t.Errorf("%s: after they left: %+v", path, g)
			}
			all.Wait()
		})
	}
}
