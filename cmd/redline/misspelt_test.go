package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestMisspeltNamesAreToldWithWhatMayBeMeant(t *testing.T) {
	env := own(t, "[workloads.short]\nin = 9\n[workloads.long]\nin = 900\n")
	for _, row := range []struct {
		sentence string
		args     []string
		want     string
	}{
		{"a flag", []string{"--concurency", "3"}, "unknown flag: --concurency; --concurrency may be meant\n"},
		{"a flag of a verb", []string{"config", "--wokload", "a"}, "unknown flag: --wokload; --workload may be meant\n"},
		{"a flag like none", []string{"--gizmo"}, "unknown flag: --gizmo\n"},
		{"a flag that may be a secret", []string{"--sk-Abc0123456789"}, "unknown flag (it is not shown: it may be a secret)\n"},
		{"a verb", []string{"confg"}, "redline: there is no confg; config may be meant\n"},
		{"a verb like none", []string{"gizmo"}, `unknown command "gizmo" for "redline"` + "\n"},
		{"a workload", []string{"--workload", "shrt"},
			"--workload shrt: there is no such file, nor such a table; want one of the file's workloads: short, long; short may be meant\n"},
		{"a workload like none", []string{"config", "--workload", "mail"}, "want one of the file's workloads: short, long\n"},
		{"a workload that says what it is", []string{"--workload", "./mail.csv"}, "--workload ./mail.csv: ./mail.csv: there is no such file; a workload is synthetic"},
	} {
		m := start(t, env, row.args...)
		m.Folder = t.TempDir()
		if code := m.run(t); code != exitUsage || !strings.Contains(m.errs.String(), row.want) {
			t.Errorf("%s: exit code %d, %s, want %s", row.sentence, code, m.errs.String(), row.want)
		}
	}
}

func TestVariablesThatSetNothingAreTold(t *testing.T) {
	m := start(t, map[string]string{"REDLINE_RATE": ""}, "config", "--config", "none")
	m.Environ = func() []string {
		return []string{"HOME=/home/x", "REDLINE_RAET=2", "REDLINE_CONFIG=", "REDLINE_RATE=2", "REDLINE_GIZMO=" + testKey, "REDLINE_EMTPY=", "REDLINE_sk-Abc=1"}
	}
	if code := m.run(t); code != exitOK {
		t.Fatal(m.errs.String())
	}
	clean(t, m)
	text := m.out.String()
	for _, want := range []string{"\n! REDLINE_RAET is set, but there is no such setting; REDLINE_RATE may be meant\n", "\n! REDLINE_GIZMO is set, but there is no such setting\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	for _, bad := range []string{"! REDLINE_RATE is", "REDLINE_CONFIG is", "EMTPY", "sk-Abc"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in:\n%s", bad, text)
		}
	}
}

func TestWhatIsNotInForceIsTold(t *testing.T) {
	for _, row := range []struct {
		sentence string
		args     []string
		want     string
	}{
		{"a load beside a profile", []string{"-c", "3", "--profile", "4:2s"}, "--concurrency 3 is not used: the profile says how many are in flight"},
		{"a load from which the profile goes on", []string{"-c", "3", "--profile", "ramp ..9 in 2s"}, ""},
		{"a load to which the profile goes back", []string{"-c", "3", "--profile", "spike 9 for 2s"}, ""},
		{"a profile alone", []string{"--profile", "4:2s"}, ""},
		{"arrivals without a rate", []string{"--arrivals", "constant", "-c", "3"}, "--arrivals constant applies when the loop is opened (m): this run begins with requests in flight, which have no arrivals"},
		{"arrivals at a rate", []string{"--arrivals", "constant", "--rate", "3"}, ""},
		{"arrivals of a profile of rates", []string{"--arrivals", "constant", "--profile", "3/s:2s"}, ""},
		{"arrivals of a profile of loads", []string{"--arrivals", "constant", "--profile", "3:2s"}, "--arrivals constant applies"},
		{"arrivals of a file that may be a trace", []string{"--arrivals", "constant", "--workload", "day.csv"}, ""},
		{"arrivals of the lengths of a trace", []string{"--arrivals", "constant", "--workload", "day.csv,replay=lengths"}, "--arrivals constant applies"},
	} {
		s, r, found := resolved(t, t.TempDir(), nil, row.args...)
		if got := strings.Join(s.unused(r.found.from), "\n"); len(found) > 0 || !strings.HasPrefix(got, row.want) || (row.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q; %v", row.sentence, got, row.want, found)
		}
	}
	m := start(t, nil, "config", "--config", "none", "-c", "3", "--profile", "4:2s")
	if code := m.run(t); code != exitOK || !strings.Contains(m.out.String(), "\n! --concurrency 3 is not used") {
		t.Errorf("exit code %d\n%s", code, m.out.String())
	}
	day := filepath.Join(t.TempDir(), "questions.jsonl")
	writeFile(t, day, "{\"prompt\":\"one\"}\n")
	s, r, _ := resolved(t, t.TempDir(), nil, "--arrivals", "constant", "--workload", day)
	s.open(t.Context(), r.found)
	if got := s.unused(r.found.from); len(got) != 1 {
		t.Errorf("a file that is no trace: %q", got)
	}
}

func TestALengthOfAnswersBoundsThem(t *testing.T) {
	const voice = "[scenarios.voice]\noutput-tokens = 80\n[scenarios.bound]\noutput-tokens = 80\nmax-tokens = 99\n[scenarios.plain]\ninput-tokens = 80\n"
	for _, row := range []struct {
		sentence, file string
		env            map[string]string
		args           []string
		want           int
	}{
		{"a flag", "", nil, []string{"--output-tokens", "32"}, 32},
		{"a variable", "", map[string]string{"REDLINE_OUTPUT_TOKENS": "32"}, nil, 32},
		{"a file", "output-tokens = 32\n", nil, nil, 32},
		{"the largest of a spread", "", nil, []string{"--output-tokens", "32..64"}, 64},
		{"beside a bound", "", nil, []string{"--output-tokens", "32", "--max-tokens", "100"}, 100},
		{"beside a bound of a lesser source", "max-tokens = 100\n", nil, []string{"--output-tokens", "32"}, 100},
		{"a scenario that says both", "", nil, []string{"--scenario", "chat"}, 512},
		{"a scenario of the file", voice, nil, []string{"--scenario", "voice"}, 80},
		{"a scenario of the file with a bound", voice, nil, []string{"--scenario", "bound"}, 99},
		{"a scenario of the file that says neither", voice, nil, []string{"--scenario", "plain"}, 512},
		{"as the key of a workload", "", nil, []string{"--workload", "in=512,out=32"}, 32},
		{"as the key of a workload, a spread", "", nil, []string{"--workload", "in=512,out=32..64"}, 64},
	} {
		env := own(t, row.file)
		for k, v := range row.env {
			env[k] = v
		}
		s, r, found := resolved(t, t.TempDir(), env, row.args...)
		s.open(t.Context(), r.found)
		if len(found) > 0 || len(s.sources) != 1 {
			t.Fatalf("%s: %v", row.sentence, found)
		}
		if got := s.sources[0].Words().MaxTokens; got != row.want {
			t.Errorf("%s: at most %d, want %d", row.sentence, got, row.want)
		}
		for range 50 {
			if p, _ := s.sources[0].Next(0); p.MaxTokens > row.want {
				t.Fatalf("%s: a prompt asks for %d", row.sentence, p.MaxTokens)
			}
		}
	}
	m := start(t, nil, "config", "--config", "none", "--output-tokens", "32", "--slo", "ttft<=400ms")
	if code := m.run(t); code != exitOK || !strings.Contains(m.out.String(), "  as output-tokens ") || !strings.Contains(m.out.String(), "ttft.p95<=400ms") {
		t.Errorf("exit code %d\n%s", code, m.out.String())
	}
}
