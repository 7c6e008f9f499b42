package client

import (
	"bytes"
	"io"
	"net/http"
	"sync"
	"testing"

	"redline/bench/memnet"
)

// serve is a client of a handler over in-memory connections; both end with the test. In a bubble everything is made inside it.
func serve(t testing.TB, handler http.HandlerFunc, change func(*Options)) (*Client, *memnet.Listener) {
	t.Helper()
	l := memnet.Listen()
	var served sync.WaitGroup
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1) // never from zero: Serve still runs
		defer served.Done()
		// Only once the body is read does the server notice that the client has gone.
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler(w, r)
	})}
	served.Go(func() { _ = server.Serve(l) })
	opt := Options{URL: "http://192.0.2.1/v1", Model: "m", Key: NewSecret(testKey), Concurrency: 4, Version: "test", NoProxy: true, Dial: l.Dial}
	if change != nil {
		change(&opt)
	}
	c, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		_ = server.Close()
		served.Wait()
	})
	return c, l
}

const testKey = `sk-"te&st"/0123456789`
