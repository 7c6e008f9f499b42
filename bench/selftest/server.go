package selftest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// Server streams stamped tokens. Its zero value is ready.
type Server struct {
	mu    sync.Mutex
	runs  map[int]*run
	conns map[net.Conn]struct{}
	over  bool
	wg    sync.WaitGroup
}

// Sent is what a server has sent on a plan, as its answer to GET /ID/sent.
type Sent struct {
	// Tokens is how many were sent; Broken how many streams could not be written to.
	Tokens, Broken int
	// Behind is how late the server itself was, by its 99th percentile in ms: more than a period of the plan, and it could not keep up.
	Behind float64
}

// Serve answers on a listener until ctx ends; then every connection is closed, and every goroutine gone.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	stop := context.AfterFunc(ctx, func() { s.close(ln) })
	defer s.wg.Wait()
	defer stop()
	for {
		c, err := ln.Accept()
		if ctx.Err() != nil {
			if err == nil {
				_ = c.Close()
			}
			return nil
		}
		if err != nil {
			s.close(ln)
			return fmt.Errorf("self-test server: %w", err)
		}
		if s.enter(c) {
			s.wg.Go(func() { defer s.leave(c); s.serve(ctx, c) })
		}
	}
}

func (s *Server) enter(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		_ = c.Close()
		return false
	}
	if s.conns == nil {
		s.conns = make(map[net.Conn]struct{})
	}
	s.conns[c] = struct{}{}
	return true
}

func (s *Server) leave(c net.Conn) {
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	_ = c.Close()
}

func (s *Server) close(ln net.Listener) {
	_ = ln.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	for c := range s.conns {
		_ = c.Close()
	}
}

// serve answers one connection's requests, one after the other.
func (s *Server) serve(ctx context.Context, c net.Conn) {
	in := bufio.NewReaderSize(c, 1<<10)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		if id, ok := strings.CutSuffix(r.URL.Path, "/sent"); ok {
			err = s.tell(c, id)
		} else {
			err = s.stream(ctx, c, r.URL.Path)
		}
		if err != nil {
			return
		}
	}
}

// tell answers what was sent on a plan.
func (s *Server) tell(c net.Conn, id string) error {
	s.mu.Lock()
	var sent Sent
	for i, r := range s.runs {
		if fmt.Sprintf("/%d", i) == id {
			sent = r.sum()
		}
	}
	s.mu.Unlock()
	body, err := json.Marshal(sent)
	if err != nil {
		return err
	}
	return answer(c, "200 OK", string(body))
}

func answer(w io.Writer, status, body string) error {
	_, err := fmt.Fprintf(w, "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", status, len(body), body)
	return err
}

var errGone = errors.New("the stream broke off")

// stream gives a connection its stream, and returns when that has ended.
func (s *Server) stream(ctx context.Context, c net.Conn, path string) error {
	id, plan, err := parsePath(path)
	if err != nil {
		return answer(c, "404 Not Found", `{"error":{"message":"no such plan"}}`)
	}
	if _, err := io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"); err != nil {
		return err
	}
	st := &stream{conn: c, done: make(chan struct{})}
	s.mu.Lock()
	r := s.runs[id]
	if r == nil {
		r = &run{plan: plan}
		if s.runs == nil {
			s.runs = make(map[int]*run)
		}
		s.runs[id] = r
	}
	if full := r.join(st); full {
		s.wg.Go(func() { r.play(ctx) })
	}
	s.mu.Unlock()
	select {
	case <-st.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if st.broken {
		return errGone
	}
	return nil
}
