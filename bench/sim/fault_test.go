package sim

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestFaultsStrikeAsTheySay(t *testing.T) {
	q := ask{"max_tokens": 60, "ignore_eos": true}
	for name, c := range map[string]struct {
		change func(*Faults)
		check  func(*testing.T, seen)
	}{
		"an error comes before the stream": {
			func(f *Faults) { f.Error = 1 },
			func(t *testing.T, v seen) {
				if v.status != http.StatusInternalServerError || len(v.tokens) > 0 {
					t.Errorf("status %d, %d tokens", v.status, len(v.tokens))
				}
			},
		},
		"a stream error comes inside 200 and ends the stream": {
			func(f *Faults) { f.StreamError = 1 },
			func(t *testing.T, v seen) {
				if v.status != http.StatusOK || !v.failed || !v.done || v.finish != "" || len(v.tokens) == 0 || len(v.tokens) > 24 {
					t.Errorf("%+v", v)
				}
			},
		},
		"a stall pauses the stream once": {
			func(f *Faults) { f.Stall, f.StallFor = 1, 3*time.Second },
			func(t *testing.T, v seen) {
				stalls := 0
				for i, e := range v.tokens[1:] {
					if e.at.Sub(v.tokens[i].at) >= 3*time.Second {
						stalls++
					}
				}
				if stalls != 1 || !v.done || len(v.tokens) != 60 {
					t.Errorf("%d stalls, %d tokens, done %v", stalls, len(v.tokens), v.done)
				}
			},
		},
		"a cut leaves the stream without an end": {
			func(f *Faults) { f.Cut = 1 },
			func(t *testing.T, v seen) {
				if v.err == nil || v.done || v.finish != "" || len(v.tokens) == 0 || len(v.tokens) > 24 {
					t.Errorf("%d tokens, finish %q, done %v, %v", len(v.tokens), v.finish, v.done, v.err)
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(o *Options) { c.change(&o.Faults) }, func(t *testing.T, w *world) {
				c.check(t, w.read(t.Context(), chat(q)))
				synctest.Wait()
				if g := w.server.gauges(); g.Running+g.Waiting != 0 || w.server.tally.inFlight.Load() != 0 {
					t.Errorf("left behind: %+v", g)
				}
			})
		})
	}
}

func TestShortAnswersMeetTheirFateAtTheEnd(t *testing.T) {
	inBubble(t, func(o *Options) { o.Faults.StreamError = 1 }, func(t *testing.T, w *world) {
		for range 20 {
			if v := w.read(t.Context(), chat(ask{"max_tokens": 1})); !v.failed || v.finish != "" {
				t.Fatalf("finish %q, failed %v", v.finish, v.failed)
			}
		}
	})
}

func TestFaultSharesHold(t *testing.T) {
	inBubble(t, func(o *Options) { o.Faults.Error = 0.3 }, func(t *testing.T, w *world) {
		failed := 0
		for range 300 {
			if w.read(t.Context(), chat(ask{"max_tokens": 1})).status == http.StatusInternalServerError {
				failed++
			}
		}
		if failed < 65 || failed > 115 {
			t.Errorf("%d of 300 failed at a share of 0.3", failed)
		}
	})
}

func TestKeyIsAskedForAndNeverPrinted(t *testing.T) {
	inBubble(t, func(o *Options) { o.APIKey = "sk-hidden" }, func(t *testing.T, w *world) {
		for key, want := range map[string]int{"": 401, "sk-other": 401, "sk-hidden": 400} {
			res, err := w.raw(t.Context(), []byte("{"), key)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			if res.StatusCode != want {
				t.Errorf("key %q: status %d, not %d", key, res.StatusCode, want)
			}
		}
		if status, _ := w.get("/v1/models"); status != http.StatusUnauthorized {
			t.Errorf("models without a key: %d", status)
		}
		r, err := http.NewRequest(http.MethodGet, "http://sim/v1/models", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("x-api-key", "sk-hidden")
		res, err := w.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Errorf("models with Anthropic's header: %d", res.StatusCode)
		}
		if status, _ := w.get("/metrics"); status != http.StatusOK {
			t.Errorf("metrics without a key: %d", status)
		}
	})
	for _, format := range []string{"%v", "%s", "%q", "%+v", "%#v", "%x"} {
		if got := sprintf(format, Options{APIKey: "sk-hidden"}); strings.Contains(got, "hidden") || strings.Contains(got, "68696464656e") {
			t.Errorf("%s prints the key: %s", format, got)
		}
	}
}
