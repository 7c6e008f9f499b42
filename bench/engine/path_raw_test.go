package engine_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// rawReader is the least that a client can do: net/http, a line reader, and a search for the token.
type rawReader struct {
	tokens atomic.Int64
	lags   *lags
	wg     sync.WaitGroup
	cancel context.CancelFunc
}

func startRaw(tb testing.TB, url string, streams int, lags *lags) *rawReader {
	ctx, cancel := context.WithCancel(context.Background())
	r := &rawReader{lags: lags, cancel: cancel}
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: streams}}
	for range streams {
		r.wg.Go(func() {
			if err := r.stream(ctx, client, url); err != nil && ctx.Err() == nil {
				tb.Error(err)
			}
		})
	}
	tb.Cleanup(client.CloseIdleConnections)
	return r
}

func (r *rawReader) stream(ctx context.Context, client *http.Client, url string) error {
	body := `{"model":"redline-sim-7b","stream":true,"max_tokens":4000,"messages":[{"role":"user","content":"go"}]}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/chat/completions", bytes.NewReader([]byte(body)))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %s", resp.Status)
	}
	lines := bufio.NewReader(resp.Body)
	for {
		line, err := lines.ReadSlice('\n')
		now := time.Now()
		if err != nil {
			return nil
		}
		if bytes.Contains(line, []byte(`"content":"`)) && !bytes.Contains(line, []byte(`"content":""`)) {
			r.tokens.Add(1)
			if r.lags != nil {
				r.lags.add(line, now)
			}
		}
	}
}

func (r *rawReader) seen() int64 { return r.tokens.Load() }

func (r *rawReader) stop() {
	r.cancel()
	r.wg.Wait()
}
