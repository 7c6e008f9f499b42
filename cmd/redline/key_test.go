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
		if text := found.Error(); len(found) != 1 || strings.Contains(text, testKey) || !strings.Contains(text, "want a key of one line") {
			t.Errorf("%v: %q", args, text)
		}
	}
}
