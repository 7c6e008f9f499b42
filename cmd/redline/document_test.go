package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// reviewed are the problems of a file that is the operator's own.
func reviewed(text string) []string {
	found := problems{from: origins{}}
	readDocument([]byte(text), &document{path: "redline.toml", folder: "."}, &found).check(&found)
	return found.list
}

func TestEachProblemOfAFileHasItsPlace(t *testing.T) {
	for _, row := range []struct {
		sentence, file string
		want           []string
	}{
		{"nothing", "", nil},
		{"all is well", "concurrency = 8\nrate = 2.5\nslo = [\"ttft.p95<=1s\"]\nplain = true\nbudget = 5\nbudget-tokens = 1_000_000\nquota-reserve = \"30%\"\n", nil},
		{"no TOML", "a = \n", []string{"redline.toml:1: column 5: want TOML: "}},
		{"a line that is none", "concurrency = 8\nsk-0123456789 abc\n", []string{"redline.toml:2: column"}},
		{"a key twice", "step = 1\nstep = 2\n", []string{"redline.toml:2: column 1: want TOML: "}},
		{"an unknown key, and what is meant", "# a comment\nconcurency = 8\n", []string{"redline.toml:2: concurency: there is no such key here; concurrency may be meant"}},
		{"an unknown key like no other", "sk-0123456789abcdef = 8\n", []string{"redline.toml:1: ***: there is no such key here; the names of flags are keys"}},
		{"a number in quotes", "concurrency = \"8\"\n", []string{"redline.toml:1: concurrency = \"8\": want a whole number, without quotes"}},
		{"a fraction", "concurrency = 8.5\n", []string{"redline.toml:1: concurrency = 8.5: want a whole number from 0 to 20000"}},
		{"a time without unit", "duration = 30\n", []string{"redline.toml:1: duration = 30: want a time in quotes, as in \"90s\" or \"5m\""}},
		{"a switch that is none", "plain = \"yes\"\n", []string{"redline.toml:1: plain = \"yes\": want true or false, without quotes"}},
		{"a value out of bounds", "\n\nmax = 0\n", []string{"redline.toml:3: max = 0: want a whole number from 1 to 20000"}},
		{"a word that is none", "on-429 = \"panic\"\n", []string{"redline.toml:1: on-429 = panic: want one of hold, pause"}},
		{"a list where there is one", "model = [\"a\", \"b\"]\n", []string{"redline.toml:1: model: want a text in quotes"}},
		{"a list of other things", "slo = [1]\n", []string{"redline.toml:1: slo: want a list of texts in quotes"}},
		{"all at once", "step = 0\nfps = 99\nxyz = 1\n", []string{"redline.toml:1: step = 0", "redline.toml:2: fps = 99", "redline.toml:3: xyz"}},
		{"a key in clear", "api-key = \"sk-0123456789\"\n", []string{"redline.toml:1: api-key: want no key in a file; api-key-env = \"NAME\""}},
		{"a key in a header", "header = { Authorization = \"Bearer sk-0123456789\" }\n", []string{"redline.toml:1: header: want no secret in a file"}},
		{"a key in a list of headers", "header = [\"X-Api-Key: sk-0123456789\"]\n", []string{"redline.toml:1: header: want no secret in a file"}},
		{"a key in the body", "body = { a = { api_key = \"sk-0123456789\" } }\n", []string{"redline.toml:1: body: want no secret in a file"}},
		{"a number whose name has a token in it is none", "body = { min_tokens = 5 }\n", nil},
		{"a key in the URL", "[targets.a]\nurl = \"http://10.0.0.1\"\ntoken = \"sk-0123456789\"\n", []string{"redline.toml:3: targets.a.token: want no key in a file"}},
		{"a URL that cannot be used, in a target that nobody chose", "[targets.a]\nurl = \"http://me:sk-0123456789@10.0.0.1/v1\"\n[targets.b]\nurl = \"gpu-7\"\n",
			[]string{"redline.toml:2: targets.a.url = http://***@10.0.0.1/v1: ", "redline.toml:4: targets.b.url = gpu-7: want http:// or https://"}},
		{"a table for one that is chosen", "[target.a]\nurl = \"http://10.0.0.1\"\n", []string{"redline.toml:1: target: want [targets.NAME] for a table; target = \"NAME\" chooses one"}},
		{"no table", "targets = 5\n", []string{"redline.toml:1: targets: want tables, as in [targets.NAME]"}},
		{"a table without a name", "[targets]\nurl = \"http://10.0.0.1\"\n", []string{"redline.toml:2: targets.url: want it in a table of a name"}},
		{"a name that is none", "[targets.\"a b\"]\nurl = \"http://10.0.0.1\"\n", []string{"redline.toml:1: targets.***: want a name of letters"}},
		{"a screen in a target", "[targets.a]\ntheme = \"mono\"\n", []string{"redline.toml:2: targets.a.theme: there is no such key here"}},
		{"a file in a file", "config = \"x\"\n", []string{"redline.toml:1: config: there is no such key here"}},
		{"a workload's key", "[workloads.w]\ncolour = 1\n", []string{"redline.toml:2: workloads.w.colour: "}},
		{"a workload that does not go together", "[workloads.w]\nonce = true\n", []string{"redline.toml:1: workloads.w: "}},
		{"a scenario's key", "[scenarios.s]\nmax = 1\naim = \"fame\"\nslo = \"x\"\n", []string{"redline.toml:2: scenarios.s.max: there is no such key here; there are input-tokens", "redline.toml:3: scenarios.s.aim = \"fame\": want one of goodput, rpm, tpm", "redline.toml:4: scenarios.s.slo = x: "}},
		{"a scenario that is built in", "[scenarios.chat]\nmax-tokens = 9\n", []string{"redline.toml:1: scenarios.chat: want another name; this one is built in"}},
		{"a profile without stages", "[profiles.p]\n", []string{"redline.toml:1: profiles.p.stages: want the stages"}},
		{"a profile that cannot be read", "[profiles.p]\nstages = [\"4:1m\", \"5\"]\n", []string{"redline.toml:2: profiles.p.stages: ", "LOAD:SPAN"}},
	} {
		found := reviewed(row.file)
		text := strings.Join(found, "\n")
		if (row.want == nil) != (len(found) == 0) || strings.Contains(text, "sk-01") {
			t.Errorf("%s:\n%s", row.sentence, text)
		}
		for _, want := range row.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s:\n%s\nmisses %q", row.sentence, text, want)
			}
		}
	}
}

// FuzzDocument: any text is settings or has problems on one line each, and no value of a key is shown.
func FuzzDocument(f *testing.F) {
	for _, seed := range []string{
		"", "concurrency = 8", "[targets.a]\nurl = 'http://10.0.0.1'\nheader = { X-A = 'b' }", "[workloads.w]\nin = '1..2'\nfile = 'x'", "[scenarios.s]\nslo = ['ttft<=1s']",
		"[profiles.p]\nstages = '1:1s'", "a.b.c = 1", "[[targets]]\nx = 1", "slo = [[1]]", "api-key = 'sk-secret'", "\x00", "x = '\x1b[31m'", "\"\\u001b\" = 1", "[targets]\n[targets.a.b.c]",
		"d = 1979-05-27", "rate = inf", "max = nan", "header = [{}]", "body = { a = 2020-01-01T00:00:00Z }", "duration = '1m'\nslo = ['rpm<=60']\npaused = true", "a.b.c.d.e.f.g.h.i = 1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, stranger := range []bool{false, true} {
			found := problems{from: origins{}}
			d := readDocument([]byte(text), &document{path: "redline.toml", folder: ".", stranger: stranger}, &found)
			if d != nil && stranger {
				d.own = readDocument([]byte(text), &document{path: "redline.toml", folder: "."}, &found)
			}
			d.check(&found)
			for _, p := range found.list {
				if strings.ContainsAny(p, "\n\r\x1b") || !strings.HasPrefix(p, "redline.toml:") {
					t.Errorf("%q: %q", text, p)
				}
			}
		}
	})
}

// TestAFileOfSettingsIsReadInNoTime: anybody may have left it in the current folder. Of what is too much only its first place is told.
func TestAFileOfSettingsIsReadInNoTime(t *testing.T) {
	lines := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format+"\n", i)
		}
		return b.String()
	}
	for _, row := range []struct{ sentence, file, want string }{
		{"a key of many parts", strings.Repeat("a.", 130_000) + "a = 1\n", "redline.toml:1: no settings: want keys of at most 8 parts"},
		{"a table of many parts", "\n[" + strings.Repeat("a.", 130_000) + "a]\n", "redline.toml:2: no settings: want keys of at most 8 parts"},
		{"a key of many parts in a value", "body = { x = [{ " + strings.Repeat("a.", 130_000) + "a = 1 }] }\n", "redline.toml:1: no settings: want keys of at most 8 parts"},
		{"lists in lists", "a = " + strings.Repeat("[", 250_000), "redline.toml:1: column "},
		{"many keys", lines(25_000, "k%d = 1"), "want at most 5000 keys"},
		{"many tables", lines(22_000, "a%d.b = 1"), "want at most 5000 keys"},
		{"many keys in a value", "body = { " + strings.ReplaceAll(strings.TrimSpace(lines(25_000, "k%d = 1")), "\n", ", ") + " }", "want at most 5000 keys"},
		{"as many keys as can be", lines(5_000, "k%d = 1"), "redline.toml:1: k0"},
	} {
		begun := time.Now()
		found := reviewed(row.file)
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("%s: %v", row.sentence, took)
		}
		if len(found) == 0 || !strings.Contains(found[0], row.want) {
			t.Errorf("%s: %.200q", row.sentence, found)
		}
	}
}

func TestOfManyProblemsTheFirstAreTold(t *testing.T) {
	found := problems{from: origins{}}
	for i := range 33 {
		found.addAt(origin{source: fromFile, name: "f", line: i + 1}, "a", "want b")
		found.addAt(origin{source: fromFile, name: "f", line: i + 1}, "a", "want b")
	}
	text := found.Error()
	if n := strings.Count(text, "\n"); n != 21 || !strings.HasPrefix(text, "33 problems with the settings") || !strings.HasSuffix(text, "f:20: a: want b\n  and 13 more") {
		t.Errorf("%d lines: %s", n, text)
	}
}
