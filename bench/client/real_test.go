package client

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"redline/bench"
)

// TestBesideTheServersOwnTimings puts our numbers beside those that a real server gives of itself (llama.cpp's timings):
//
//	REDLINE_TEST_URL=http://127.0.0.1:8080/v1 go test -run OwnTimings -v ./bench/client
//
// It asserts the token counts only: times depend on the machine. The server's prompt time lacks the network and its own queue, so that
// TTFT is a little above it; TPOT is the same time over one token less.
func TestBesideTheServersOwnTimings(t *testing.T) {
	url := os.Getenv("REDLINE_TEST_URL")
	if url == "" {
		t.Skip("needs REDLINE_TEST_URL")
	}
	c, err := New(Options{URL: url, Model: os.Getenv("REDLINE_TEST_MODEL"), Concurrency: 1, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	prompt := func(i int) bench.Prompt {
		return bench.Prompt{Text: fmt.Sprint(i, strings.Repeat(" Once there was a little bird.", 2+4*(i%4))), InputTokens: 64, MaxTokens: 48 + 16*(i%3)}
	}
	if _, err := c.Preflight(t.Context(), prompt(0)); err != nil {
		t.Fatal(err)
	}
	fmt.Println("        ours                              the server's timings")
	fmt.Println("     in  out   TTFT ms  TPOT ms         in  out  prompt ms  ms a token")
	for i := 1; i <= 12; i++ {
		e := c.Send(t.Context(), bench.Request{ID: uint64(i), Prompt: prompt(i)}, nil)
		ttft, _ := e.TTFT()
		tpot, _ := e.TPOT()
		s := e.Timings
		if e.Outcome != bench.OK || !s.OK {
			t.Fatalf("%v %s, timings %v", e.Outcome, e.Message, s.OK)
		}
		fmt.Printf("%2d %4d %4d %9.2f %8.3f       %4d %4d %10.2f %11.3f\n", i, e.Counts.Input, e.Counts.Output, bench.Millis(ttft), tpot,
			s.PromptN, s.PredictedN, s.PromptMs, s.PredictedMs/float64(max(s.PredictedN, 1)))
		if e.Counts.Output != s.PredictedN {
			t.Errorf("%d tokens out, the server says %d", e.Counts.Output, s.PredictedN)
		}
	}
}
