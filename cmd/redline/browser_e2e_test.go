//go:build e2e && unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// browser is a page of a headless browser, spoken to in Chrome's protocol over two pipes.
type browser struct {
	t       *testing.T
	out     io.Writer
	in      chan said
	session string
	last    int
	// asked are the addresses that the page asked for, complaints what the browser said of it.
	asked, complaints []string
	loaded            bool
}

// said is a message of the browser: an answer, or an event.
type said struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// browse opens an empty page in a browser that has no network.
func browse(t *testing.T) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("want chromium for this test: %v", err)
	}
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = theirIn.Close(), theirOut.Close()
	b := &browser{t: t, out: ourOut, in: make(chan said, 1024)}
	t.Cleanup(func() {
		b.send("", "Browser.close", nil)
		_ = ourOut.Close()
		late := time.AfterFunc(patient, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		late.Stop()
		_ = ourIn.Close()
	})
	go b.listen(ourIn)
	var made struct {
		TargetID  string `json:"targetId"`
		SessionID string `json:"sessionId"`
	}
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	b.call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made)
	b.session = made.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	b.call("Network.emulateNetworkConditions", map[string]any{"offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}, nil)
	return b
}

// listen takes messages, each of which ends with a zero.
func (b *browser) listen(from io.Reader) {
	defer close(b.in)
	r := bufio.NewReader(from)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m said
		if json.Unmarshal(text[:len(text)-1], &m) == nil {
			b.in <- m
		}
	}
}

func (b *browser) send(session, method string, params any) {
	b.last++
	if params == nil {
		params = map[string]any{}
	}
	m := map[string]any{"id": b.last, "method": method, "params": params}
	if session != "" {
		m["sessionId"] = session
	}
	text, err := json.Marshal(m)
	if err == nil {
		_, err = b.out.Write(append(text, 0))
	}
	if err != nil {
		b.t.Logf("%s: %v", method, err)
	}
}

// call does something and waits until it is done.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.send(b.session, method, params)
	id := b.last
	b.await(method, func(m *said) bool {
		if m.ID != id {
			return false
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatalf("%s: %v", method, err)
			}
		}
		return true
	})
}

// await takes messages until one is what is waited for.
func (b *browser) await(what string, is func(*said) bool) {
	b.t.Helper()
	late := time.After(patient)
	for {
		select {
		case m, ok := <-b.in:
			if !ok {
				b.t.Fatalf("%s: the browser has gone", what)
			}
			b.note(&m)
			if is(&m) {
				return
			}
		case <-late:
			b.t.Fatalf("%s: the browser does not answer", what)
		}
	}
}

// note keeps what the page asked for and what is said of it.
func (b *browser) note(m *said) {
	var p struct {
		Request struct{ URL string }
		Entry   struct{ Level, Text string }
		Type    string
		Details json.RawMessage `json:"exceptionDetails"`
	}
	_ = json.Unmarshal(m.Params, &p)
	switch m.Method {
	case "Network.requestWillBeSent":
		b.asked = append(b.asked, p.Request.URL)
	case "Log.entryAdded":
		b.complaints = append(b.complaints, p.Entry.Level+": "+p.Entry.Text)
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown":
		b.complaints = append(b.complaints, m.Method+": "+p.Type+string(p.Details))
	case "Page.loadEventFired":
		b.loaded = true
	}
}

// visit shows a page of a width, light or dark.
func (b *browser) visit(url string, width int, scheme string) {
	b.t.Helper()
	b.asked, b.complaints, b.loaded = nil, nil, false
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]string{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.call("Page.navigate", map[string]any{"url": url}, nil)
	if !b.loaded {
		b.await("to load "+url, func(*said) bool { return b.loaded })
	}
}

// ask evaluates an expression in the page.
func (b *browser) ask(expression string, result any) {
	b.t.Helper()
	var got struct {
		Result struct{ Value json.RawMessage }
		Failed json.RawMessage `json:"exceptionDetails"`
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &got)
	if got.Failed != nil {
		b.t.Fatalf("%s: %s", expression, got.Failed)
	}
	if err := json.Unmarshal(got.Result.Value, result); err != nil {
		b.t.Fatal(fmt.Errorf("%s: %w", expression, err))
	}
}
