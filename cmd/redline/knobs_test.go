package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/report"
	"redline/bench/report/reporttest"
)

func TestARefusalForItsLengthNamesWhatTheWorkloadHas(t *testing.T) {
	const both, prompts = "the context of x is too small (y): lower --input-tokens or --max-tokens", "x takes no request as large as this (y): lower --input-tokens"
	for _, row := range []struct{ sentence, work, err, want string }{
		{"synthetic prompts of the flags", "", both, both},
		{"a data set", "chats.json", both, "the context of x is too small (y): give the workload max-input=, which leaves out what is longer, or lower its max="},
		{"a data set that is too large for a proxy", "a=chats.json,max=9", prompts, "x takes no request as large as this (y): give the workload max-input=, which leaves out what is longer"},
		{"a synthetic workload", "a=synthetic,in=9000", both, "the context of x is too small (y): lower in= of the workload, or lower its max="},
		{"another refusal", "chats.json", "x is not there: lower your hopes", "x is not there: lower your hopes"},
	} {
		var args []string
		if row.work != "" {
			args = []string{"--workload", row.work}
		}
		s, _, found := checked(t, nil, args...)
		if len(found) > 0 {
			t.Fatal(found)
		}
		cause := errors.New(row.err)
		if got := s.withKnobs(cause); got.Error() != row.want || !errors.Is(got, cause) {
			t.Errorf("%s: %v, want %s", row.sentence, got, row.want)
		}
	}
	s, _, _ := checked(t, nil, "--workload", "chats.json")
	refusal := &client.Refusal{Outcome: bench.ClientError}
	var same *client.Refusal
	if err := s.withKnobs(&reworded{both, refusal}); !errors.As(err, &same) || same != refusal {
		t.Errorf("%v is no refusal any more", err)
	}
}

func TestATargetThatIsTooSmallForADataSetSaysMaxInput(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"message":"This model's maximum context length is 2048 tokens. However, you requested 2113 tokens.","type":"invalid_request_error","code":"context_length_exceeded"}}`)
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "questions.jsonl")
	writeFile(t, file, "{\"prompt\":\"one\"}\n")
	for args, want := range map[[2]string]string{
		{"--workload", file}:     "): give the workload max-input=, which leaves out what is longer, or lower its max=\n",
		{"--input-tokens", "64"}: "): lower --input-tokens or --max-tokens\n",
	} {
		m := start(t, nil, "--url", server.URL+"/v1", "--model", "m", args[0], args[1])
		if code := m.run(t); code != exitUsage || !strings.HasSuffix(m.errs.String(), want) {
			t.Errorf("%v: exit code %d, %s, want %s", args, code, m.errs.String(), want)
		}
	}
}

func TestRequestsThatAreTooLongForTheModelSayWhatToTurn(t *testing.T) {
	s := reporttest.Story()
	s.Total.Tally.By[bench.ClientError] = 7
	failed := bench.Ended{Outcome: bench.ClientError, Status: 400, Message: "This model's maximum context length is 2048 tokens"}
	for _, row := range []struct {
		sentence, message, want string
	}{
		{"too long", "This model's maximum context length is 2048 tokens", " ×7: HTTP 400, This model's maximum context length is 2048 tokens; lower --input-tokens or --max-tokens\n"},
		{"another fault", "temperature must be below 2", " ×7: HTTP 400, temperature must be below 2\n"},
	} {
		failed.Message = row.message
		s.Failures = []bench.Ended{failed}
		var b strings.Builder
		if err := report.Of(s, (&settings{}).wording()).Text(&b, 0); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), row.want) {
			t.Errorf("%s: %q is missing in:\n%s", row.sentence, row.want, b.String())
		}
	}
}
