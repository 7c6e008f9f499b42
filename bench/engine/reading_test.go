package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/engine"
	"redline/bench/memnet"
)

const echoed = "sk-proj-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0"

// dictated runs a test over one stream, of which each event holds what is said.
func dictated(t *testing.T, test func(e *engine.Engine, say func(text string))) {
	synctest.Test(t, func(t *testing.T) {
		said := make(chan string)
		net := memnet.Listen()
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for s := range said {
				data, _ := json.Marshal(s)
				fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", data)
				w.(http.Flusher).Flush()
			}
		})}
		go func() { _ = server.Serve(net) }()
		clock := bench.NewClock(time.Now())
		c, err := client.New(client.Options{URL: "http://192.0.2.1/v1", Model: "m", Key: client.NewSecret(echoed), Concurrency: 1, NoProxy: true, Clock: clock, Dial: net.Dial})
		if err != nil {
			t.Fatal(err)
		}
		e := engine.New(engine.Options{Load: bench.InFlight(1), Run: bench.Run{Max: 1}, Clean: c.CleanPart, DrainTimeout: time.Millisecond}, clock, c, equalPrompts(16, 4000), nil)
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = e.Run(context.Background())
		}()
		test(e, func(text string) {
			said <- text
			synctest.Wait()
		})
		e.Post(bench.Kill{})
		<-done
		close(said)
		c.Close()
		_ = server.Close()
	})
}

// A stream that is followed from its middle begins with whatever comes next: the rest of a key that the server is just echoing.
func TestWhoComesInTheMiddleOfASecretSeesNothingOfIt(t *testing.T) {
	for _, step := range []int{1, 4, 30, len(echoed)} {
		for from := 1; from < len(echoed); from += 6 {
			dictated(t, func(e *engine.Engine, say func(string)) {
				say(strings.Repeat("word ", 600))
				e.Journal(true)
				time.Sleep(patience)
				say("my key is " + echoed[:from])
				e.Journal(true) // from here on it is followed
				text := ""
				for i := from; i < len(echoed); i += step {
					say(echoed[i:min(i+step, len(echoed))])
					if text = e.Journal(true).Reading.Text; text != "" {
						t.Errorf("from %d by %d: %q", from, step, text)
					}
				}
				say(", and so on: " + echoed + ".")
				if text = e.Journal(true).Reading.Text; text != ", and so on: ***." {
					t.Errorf("from %d by %d: %q", from, step, text)
				}
			})
		}
	}
}

// patience is how long the beginning of a stream is waited for.
const patience = 1100 * time.Millisecond

// A stream that has only begun is there from its beginning, in whatever script; one that is past that is not taken for such.
func TestAYoungStreamIsThereFromItsBeginningInWhateverScript(t *testing.T) {
	for _, letter := range []string{"a", "é", "字", "😀"} {
		for _, n := range []int{10, 498, 700} {
			dictated(t, func(e *engine.Engine, say func(string)) {
				say("开头" + strings.Repeat(letter, n))
				e.Journal(true)
				say("结尾")
				rd := e.Journal(true).Reading
				if young := n < 500; (rd.ID != 0) != young || young && (!strings.HasPrefix(rd.Text, "开头") || !strings.HasSuffix(rd.Text, "结尾")) {
					t.Errorf("%d times %s: %d is followed, %.20q", n, letter, rd.ID, rd.Text)
				}
			})
		}
	}
}
