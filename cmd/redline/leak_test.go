package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/zstd"

	"redline/bench/record"
)

// The secrets of these tests: their characters are written differently in JSON, in URLs and in HTML.
const (
	leakKey    = `sk-Te5t+Key/9"8&7<6=54321`
	leakHeader = `team-Secret+/2"4&6<8=`
	leakField  = `body-Secret+/1"3&5<7=`
)

// echoKinds are the ways in which a server may repeat what it was sent.
var echoKinds = []string{"401", "429", "500", "html", "sse error", "named error", "not streaming", "redirect", "cut", "headers", "malformed", "huge", "behind", "models"}

// echo is a server that answers one request well, and then repeats all that it was sent.
func echo(t *testing.T, kind string) string {
	t.Helper()
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent struct {
			Hidden struct {
				Key string `json:"api_key"`
			} `json:"hidden"`
		}
		_ = json.NewDecoder(r.Body).Decode(&sent)
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		words := fmt.Sprintf("you sent %s and %s and %s", key, r.Header.Get("X-Team"), sent.Hidden.Key)
		w.Header().Set("X-Request-Id", words)
		w.Header().Set("Retry-After", "0")
		if kind == "models" || !strings.HasSuffix(r.URL.Path, "/models") && asked.Add(1) > 1 {
			repeat(w, kind, words)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/models") {
			fmt.Fprint(w, `{"object":"list","data":[{"id":"m","object":"model"}]}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n"+
			"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":1,\"total_tokens\":10}}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// repeat answers with words in one of the ways.
func repeat(w http.ResponseWriter, kind, words string) {
	object := func(of any) string {
		text, _ := json.Marshal(of)
		return string(text)
	}
	fault := object(map[string]any{"error": map[string]any{"message": words + " or " + url.QueryEscape(words) + " or " + url.PathEscape(words), "code": words, "type": words}})
	status := func(code int, kind, body string) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
	switch kind {
	case "401", "models":
		status(401, "application/json", fault)
	case "429":
		status(429, "application/json", fault)
	case "500":
		status(500, "application/json", object(map[string]any{"detail": []any{map[string]any{"msg": words, "input": words}}}))
	case "html":
		status(502, "text/html", "<html><body>"+words+"<br>"+html.EscapeString(words)+"</body></html>")
	case "sse error":
		status(200, "text/event-stream", "data: "+fault+"\n\n")
	case "named error":
		status(200, "text/event-stream", "event: error\ndata: "+object(words)+"\n\n")
	case "not streaming":
		status(200, "text/html", "<!doctype html>"+words)
	case "redirect":
		w.Header().Set("Location", "https://elsewhere.example/login?key="+url.QueryEscape(words)+"&raw="+url.PathEscape(words))
		status(307, "text/plain", "")
	case "cut":
		status(200, "text/event-stream", "data: {\"choices\":[{\"delta\":{\"content\":"+object(words)+"}}]}\n\n")
	case "headers":
		w.Header().Set("X-Ratelimit-Limit-Requests", words)
		w.Header().Set("X-Ratelimit-Reset-Requests", words)
		w.Header().Set("Content-Type", words)
		w.WriteHeader(418)
		fmt.Fprint(w, words)
	case "malformed":
		status(200, "text/event-stream", "data: {broken "+words+"\n\ndata: [DONE]\n\n")
	case "behind":
		// More comes behind the answer than it said, which net/http quotes in the standard log.
		body := "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
		nc, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(nc, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n%s%s", len(body), body, words)
		_ = nc.Close()
	case "huge":
		// The words straddle the bounds at which texts are cut.
		status(500, "text/plain", strings.Repeat("x", 490)+words+strings.Repeat(" ", 10)+words)
	}
}

// forms are all ways in which a text could be written.
func forms(text string) []string {
	quoted, _ := json.Marshal(text)
	return []string{text, strings.Trim(string(quoted), `"`), strings.ReplaceAll(text, `"`, `\"`), url.QueryEscape(text), url.PathEscape(text), html.EscapeString(text)}
}

// sealedFrom fails when a text holds a secret in any form, or the greater part of one.
func sealedFrom(t *testing.T, what, text string) {
	t.Helper()
	for _, secret := range []string{leakKey, leakHeader, leakField} {
		for _, form := range append(forms(secret), secret[:12]) {
			if i := strings.Index(text, form); i >= 0 {
				t.Errorf("%s holds %q:\n%q", what, form, text[max(i-60, 0):min(i+100, len(text))])
			}
		}
	}
}

// leakArgs are the flags that hold the secrets, by way of files and of the command line.
func leakArgs(t *testing.T, dir, kind string) []string {
	t.Helper()
	file := filepath.Join(dir, "given", "header")
	writeFile(t, file, leakHeader+"\n")
	field, _ := json.Marshal(leakField)
	return small(echo(t, kind), "-H", "X-Team: @"+file, "--body", "hidden.api_key="+string(field), "--api-key-env", "K", "--max-tokens", "4", "--requests", "3", "--record-text",
		"--duration", "2500ms", "--drain-timeout", "1s")
}

// files are all that a program has left under a directory, beside what it was given.
func files(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "given") {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && strings.HasSuffix(path, record.Extension) {
			text = unpacked(t, text)
		}
		fmt.Fprintf(&b, "%s\n%s\n", path, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// unpacked is what a run file holds, those parts of it too that no reader of ours would look at.
func unpacked(t *testing.T, data []byte) []byte {
	t.Helper()
	in, err := zstd.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil || len(text) < 1000 {
		t.Errorf("a run file of %d bytes: %v", len(text), err)
	}
	return append(text, data...)
}

// homes are the variables of a home of its own.
func homes(dir string) map[string]string {
	return map[string]string{"K": leakKey, "HOME": dir, "XDG_CONFIG_HOME": dir + "/config", "XDG_STATE_HOME": dir + "/state", "XDG_CACHE_HOME": dir + "/cache",
		"XDG_DATA_HOME": dir + "/data", "TMPDIR": dir + "/tmp"}
}

func TestNoOutputRepeatsASecret(t *testing.T) {
	for _, kind := range echoKinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "given"), 0o755); err != nil {
				t.Fatal(err)
			}
			o := start(t, homes(dir), leakArgs(t, dir, kind)...)
			code := o.run(t)
			if kind == "models" != (code == exitUsage) {
				t.Errorf("exit code %d:\n%s%s", code, o.out.String(), o.errs.String())
			}
			sealedFrom(t, "stdout", o.out.String())
			sealedFrom(t, "stderr", o.errs.String())
			left := files(t, dir)
			sealedFrom(t, "a file", left)
			if kind != "models" && !strings.Contains(left, `{"redline":"run"`) {
				t.Error("there is no run file that could have been looked through")
			}
			if kind != "cut" && kind != "malformed" && kind != "behind" && !strings.Contains(o.out.String()+o.errs.String(), "***") {
				t.Errorf("nothing was hidden, so that nothing was repeated either:\n%s%s", o.out.String(), o.errs.String())
			}
		})
	}
}
