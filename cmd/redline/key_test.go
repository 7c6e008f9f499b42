package main

import (
	"path/filepath"
	"strings"
	"testing"
)

const testKey = "sk-test-hunter2-hunter2"

func TestKeysGoOnlyWhereTheyBelong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	writeFile(t, file, testKey+"\n")
	openai := map[string]string{"OPENAI_API_KEY": testKey}
	with := func(base string) map[string]string {
		return map[string]string{"OPENAI_API_KEY": testKey, "OPENAI_BASE_URL": base}
	}
	for _, row := range []struct {
		sentence string
		env      map[string]string
		args     []string
		sent     bool
		noted    bool
	}{
		{"no key at all", nil, []string{"--url", "http://127.0.0.1:1"}, false, false},
		{"OpenAI's own host gets its key", openai, []string{"--url", "https://api.openai.com/v1"}, true, false},
		{"but not in the clear", openai, []string{"--url", "http://api.openai.com/v1"}, false, true},
		{"nor at another port", openai, []string{"--url", "https://api.openai.com:8443/v1"}, false, true},
		{"the default port may be written out", openai, []string{"--url", "https://API.openai.com:443/v1"}, true, false},
		{"a look-alike gets nothing", openai, []string{"--url", "https://api.openai.com.example.net/v1"}, false, true},
		{"this machine gets nothing", openai, []string{"--url", "http://127.0.0.1:8000/v1"}, false, true},
		{"the host of OPENAI_BASE_URL gets it", with("http://gpu-7:8000/v1"), []string{"--url", "http://gpu-7:8000"}, true, false},
		{"whatever the path", with("http://gpu-7:8000/openai/v1"), []string{"--url", "http://gpu-7:8000/v1"}, true, false},
		{"another port is another host", with("http://gpu-7:8000/v1"), []string{"--url", "http://gpu-7:9000/v1"}, false, true},
		{"a key for https stays there", with("https://api.example.com/v1"), []string{"--url", "http://api.example.com/v1"}, false, true},
		{"with OPENAI_BASE_URL the key is not OpenAI's", with("http://gpu-7:8000/v1"), []string{"--url", "https://api.openai.com/v1"}, false, true},
		{"a broken OPENAI_BASE_URL owns nothing", with("::"), []string{"--url", "https://api.openai.com/v1"}, false, true},
		{"a named variable goes where it is told", map[string]string{"MY_KEY": testKey}, []string{"--url", "http://gpu-7:8000", "--api-key-env", "MY_KEY"}, true, false},
		{"so does OPENAI_API_KEY, when named", openai, []string{"--url", "http://gpu-7:8000", "--api-key-env", "OPENAI_API_KEY"}, true, false},
		{"and a file", nil, []string{"--url", "http://gpu-7:8000", "--api-key-file", file}, true, false},
		{"without --url the environment is not even read", openai, nil, false, false},
	} {
		_, target, found := checked(t, row.env, row.args...)
		if len(found) > 0 {
			t.Errorf("%s: %v", row.sentence, found)
		}
		if sent := !target.key.Empty(); sent != row.sent {
			t.Errorf("%s: sent %v, want %v", row.sentence, sent, row.sent)
		}
		if noted := target.keyNote != ""; noted != row.noted {
			t.Errorf("%s: note %q, want one: %v", row.sentence, target.keyNote, row.noted)
		}
		if strings.Contains(target.keyNote, testKey) {
			t.Errorf("%s: the note repeats the key: %q", row.sentence, target.keyNote)
		}
	}
}

func TestABrokenKeyIsNotRepeated(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	writeFile(t, file, testKey+"\nsecond line\n")
	for _, args := range [][]string{
		{"--url", "http://gpu-7:8000", "--api-key-file", file},
		{"--url", "http://gpu-7:8000", "--api-key-env", "BROKEN"},
	} {
		_, _, found := checked(t, map[string]string{"BROKEN": testKey + " x"}, args...)
		if text := strings.Join(found, "\n"); len(found) != 1 || strings.Contains(text, testKey) || !strings.Contains(text, "want a key of one line") {
			t.Errorf("%v: %q", args, text)
		}
	}
}

func TestAKeyInTheWrongPlaceIsNotRepeated(t *testing.T) {
	dir := t.TempDir()
	const url = "http://127.0.0.1:1/v1"
	for _, key := range []string{
		"sk-right-hunter2", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "gsk_YyZ0aB1cD2eF3gH4", "hf_AbCdEfGhIjKlMnOp", "AKIAIOSFODNN7EXAMPLE", "d0b5c1e3f4a697880d3c",
		"abcdefdeadbeef0123456789abcdef01", "JBSWY3DPEHPK3PXPJBSWY3DP", "/9jK4+x8Zq/aa+bb==", "x/y+z3Rt6==", "eyJhbGciOi.eyJzdWIi.SflKxwRJS", "s3cr3t", "ABCDEFGHIJKLMNOPQRSTUVWX",
	} {
		for _, args := range [][]string{
			{"--url", url, "--api-key-env", key}, {"--url", url, "--api-key-file", key}, {"--api-key-env", key}, {"--api-key-file", key},
			{"--url", url, "--api-key-env", "HOME", "--api-key-file", key}, {"--url", url, "--api-key-env", key, "--api-key-file", dir},
			{"--url", url, "-H", "Authorization: @" + key}, {"--url", url, "-H", "Authorization: Bearer x", "--api-key-env", key},
			{key}, {"--url", url, key}, {"sim", key}, {"version", key}, {"-" + key}, {"--" + key}, {"--api-key", key}, {"--api-key=" + key}, {"--api-key-env" + key},
			{"sim", "-" + key}, {"sim", "--addr", "127.0.0.1:0", key},
		} {
			o := start(t, nil, args...)
			code := o.run(t)
			if text := o.errs.String() + o.out.String(); code != exitUsage || strings.Contains(text, key) {
				t.Errorf("%v: exit code %d, and it says\n%s", args, code, text)
			}
		}
	}
}

func TestWhatIsGivenIsRepeatedUnlessItMayBeAKey(t *testing.T) {
	dir := t.TempDir()
	const url = "http://127.0.0.1:1/v1"
	for want, args := range map[string][]string{
		"--api-key-env AZURE_OPENAI_KEY_2: want the name of a variable that is set and not empty": {"--url", url, "--api-key-env", "AZURE_OPENAI_KEY_2"},
		"--api-key-env GPT4_KEY: want the name":                                                   {"--url", url, "--api-key-env", "GPT4_KEY"},
		"--api-key-env ***: want the name":                                                        {"--url", url, "--api-key-env", "sk-oops"},
		"--api-key-file " + filepath.Join(dir, "none") + ": want":                                 {"--url", url, "--api-key-file", filepath.Join(dir, "none")},
		`unknown command "simulate"`:                                                              {"simulate"},
		"unknown flag: --api-key":                                                                 {"--api-key", "x"},
		"unknown shorthand flag: 's'":                                                             {"-sk-oops"},
	} {
		o := start(t, nil, args...)
		if code := o.run(t); code != exitUsage || !strings.Contains(o.errs.String(), want) {
			t.Errorf("%v: exit code %d, want %q in\n%s", args, code, want, o.errs.String())
		}
	}
}
