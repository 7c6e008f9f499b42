package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	// dialWait bounds how long a connection may take, askWait an answer.
	dialWait = 2 * time.Second
	askWait  = 15 * time.Second
	// mostAnswer bounds an answer, in bytes: the report of a long run.
	mostAnswer = 64 << 20
)

// Client asks a run that listens.
type Client struct {
	http  *http.Client
	base  string
	token string
}

// NewClient is a client of a run at an address, which shows a token.
func NewClient(a Address, token string) *Client {
	a = a.Reach()
	base := "http://" + a.String()
	if a.Network == "unix" {
		base = "http://localhost"
	}
	// No proxy: the token is for nobody else.
	t := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		d := net.Dialer{Timeout: dialWait}
		if a.Network == "unix" {
			return d.DialContext(ctx, "unix", a.Path)
		}
		return d.DialContext(ctx, "tcp", net.JoinHostPort(a.Host, a.Port))
	}, DisableCompression: true}
	return &Client{base: base, token: token, http: &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

func (a Address) dial(wait time.Duration) (net.Conn, error) {
	if a.Network == "unix" {
		return net.DialTimeout("unix", a.Path, wait)
	}
	return net.DialTimeout("tcp", net.JoinHostPort(a.Host, a.Port), wait)
}

// Get is the document at a path.
func (c *Client) Get(ctx context.Context, path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	status, text, err := c.ask(ctx, http.MethodGet, path, nil)
	if err == nil && status != http.StatusOK {
		err = refusal(status, text)
	}
	return text, err
}

// Do does a verb with a body. What is refused is an error of type *Refused.
func (c *Client) Do(ctx context.Context, verb string, body map[string]any) (*Done, error) {
	ctx, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	sent, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	status, text, err := c.ask(ctx, http.MethodPost, "/v1/"+verb, sent)
	switch {
	case err != nil:
		return nil, err
	case status != http.StatusOK && status != http.StatusAccepted:
		return nil, refusal(status, text)
	}
	var done Done
	if err := json.Unmarshal(text, &done); err != nil || done.Now == nil {
		return nil, errors.New("the answer is not that of a run of redline")
	}
	if status == http.StatusAccepted {
		done.Did += " (handed over, not seen to be done yet)"
	}
	return &done, nil
}

func (c *Client) request(ctx context.Context, method, path string, body []byte, last string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, fmt.Errorf("no answer (%w)", innermost(err))
	}
	return answer, nil
}

func (c *Client) ask(ctx context.Context, method, path string, body []byte) (int, []byte, error) {
	answer, err := c.request(ctx, method, path, body, "")
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer))
	if err != nil {
		return 0, nil, fmt.Errorf("the answer broke off (%w)", innermost(err))
	}
	return answer.StatusCode, text, nil
}

// Refused is what a run does not do, with its reason.
type Refused struct {
	Status int
	Refusal
}

func (r *Refused) Error() string {
	if q := r.Question; q != nil {
		return fmt.Sprintf("question %d is open: %s", q.ID, q.Text)
	}
	return r.Refusal.Error
}

// refusal is the error of an answer that is none.
func refusal(status int, text []byte) error {
	out := &Refused{Status: status}
	if json.Unmarshal(text, &out.Refusal) != nil || out.Refusal.Error == "" {
		out.Refusal.Error = fmt.Sprintf("the answer is %d, not that of a run of redline", status)
	}
	return out
}

// longestLine bounds a line of the stream, in bytes.
const longestLine = 4 << 20

// Watch gives each object of the stream, with its type, until the run ends, ctx does, or take says that it is enough. Where the stream breaks off it goes on behind what it had.
func (c *Client) Watch(ctx context.Context, take func(event string, text []byte) bool) error {
	last := ""
	for failures := 0; ; {
		had := last
		ended, err := c.watch(ctx, &last, take)
		if last != had {
			failures = 0
		}
		var refused *Refused
		if ctx.Err() != nil {
			return nil
		}
		if ended || errors.As(err, &refused) {
			return err
		}
		if failures++; failures > 3 {
			return errors.Join(errors.New("the stream broke off"), err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
	}
}

// watch reads one stream; ended says that there is no more.
func (c *Client) watch(ctx context.Context, last *string, take func(string, []byte) bool) (ended bool, err error) {
	answer, err := c.request(ctx, http.MethodGet, "/v1/stream", nil, *last)
	if err != nil {
		return ctx.Err() != nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, noticeSize))
		return true, refusal(answer.StatusCode, text)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(make([]byte, 64<<10), longestLine)
	var id, event, data string
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			id = value
		case "event":
			event = value
		case "data":
			data = value
		case "":
			if event == "end" || data != "" && !take(event, []byte(data)) {
				return true, nil
			}
			if id != "" {
				*last = id
			}
			id, event, data = "", "", ""
		}
	}
	if ctx.Err() != nil {
		return true, nil
	}
	return false, lines.Err()
}
