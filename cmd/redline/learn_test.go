package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// wordy is a server whose tokenizer makes four tokens a word, with a small context; it keeps the lengths of the prompts that it was asked.
type wordy struct {
	mu      sync.Mutex
	prompts []int
	// refused is the number of the request that is answered with status; 0: none.
	refused, status int
}

func (s *wordy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Messages []struct{ Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.Messages) != 1 {
		w.WriteHeader(http.StatusNotFound) // a look at the connection
		return
	}
	n := 4*len(strings.Fields(body.Messages[0].Content)) + 7
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.prompts = append(s.prompts, n); {
	case n > 2048:
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error":{"message":"maximum context length is 2048 tokens, you requested %d"}}`, n)
	case len(s.prompts) == s.refused:
		w.WriteHeader(s.status)
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n"+
			"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":1,\"total_tokens\":%d}}\n\ndata: [DONE]\n\n", n, n+1)
	}
}

// asked are the lengths so far. A handler may still be on its way out when its answer has been read.
func (s *wordy) asked() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.prompts)
}

func TestPromptsHaveTheirLengthFromTheFirstOn(t *testing.T) {
	server := &wordy{}
	s := httptest.NewServer(server)
	defer s.Close()
	o := start(t, nil, "--url", s.URL, "--model", "m", "--input-tokens", "1024", "--requests", "5", "--seed", "1")
	if code := o.run(t); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, o.errs.String())
	}
	if len(server.asked()) != 8 || server.asked()[0] > 4*shortPrompt+7 {
		t.Fatalf("prompts of %v tokens, want two short ones, one of the full length, and 5", server.asked())
	}
	sum := 0
	for i, n := range server.asked() {
		if sum += n; i >= 2 && (n < 970 || n > 1080) {
			t.Errorf("prompt %d has %d tokens, want about 1024", i, n)
		}
	}
	for _, want := range []string{
		fmt.Sprintf("tokens    %d %03d in, 8 out", sum/1000, sum%1000),
		fmt.Sprintf("prompts: the server counted %d tokens for one of ", server.asked()[2]),
	} {
		if !strings.Contains(o.out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, o.out.String())
		}
	}
}

func TestShortPromptsAreAskedOnce(t *testing.T) {
	server := &wordy{}
	s := httptest.NewServer(server)
	defer s.Close()
	o := start(t, nil, "--url", s.URL, "--model", "m", "--input-tokens", "32", "--requests", "1")
	if code := o.run(t); code != exitOK || len(server.asked()) != 2 {
		t.Errorf("exit code %d, prompts %v\n%s", code, server.asked(), o.errs.String())
	}
}

func TestATargetThatHasAnsweredAndWantsASlowerPaceIsDriven(t *testing.T) {
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		server := &wordy{refused: 2, status: status}
		s := httptest.NewServer(server)
		defer s.Close()
		o := start(t, nil, "--url", s.URL, "--model", "m", "--input-tokens", "512", "--requests", "1")
		if code := o.run(t); code != exitOK || len(server.asked()) != 3 {
			t.Errorf("%d: exit code %d, prompts %v\n%s", status, code, server.asked(), o.errs.String())
		}
	}
}

func TestATargetThatCannotBeUsedIsNotDriven(t *testing.T) {
	for _, row := range []struct{ number, status int }{{1, http.StatusServiceUnavailable}, {1, http.StatusTooManyRequests}, {2, http.StatusForbidden}} {
		server := &wordy{refused: row.number, status: row.status}
		s := httptest.NewServer(server)
		defer s.Close()
		o := start(t, nil, "--url", s.URL, "--model", "m", "--input-tokens", "512", "--requests", "1")
		if code := o.run(t); code != exitUsage || len(server.asked()) != row.number {
			t.Errorf("%+v: exit code %d, prompts %v\n%s", row, code, server.asked(), o.errs.String())
		}
	}
}
