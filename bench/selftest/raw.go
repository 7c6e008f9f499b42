package selftest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

// dials is how many connections are made at once.
const dials = 64

// raw is the least that could read the streams: a socket, a buffer, and a search for the stamp in each line.
type raw struct{}

func (raw) name() string { return "raw" }

// run reads all streams to their end.
func (raw) run(ctx context.Context, at string, p Plan, e *ear) (got int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	var wg, watch sync.WaitGroup
	defer watch.Wait()
	defer cancel(nil)
	watch.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				e.window(Window{})
			case <-ctx.Done():
				return
			}
		}
	})
	turn := make(chan struct{}, dials)
	host, path, _ := strings.Cut(at, "/")
	for range p.Streams {
		wg.Go(func() {
			turn <- struct{}{}
			c, err := dial(ctx, host)
			<-turn
			if err == nil {
				err = rawStream(ctx, c, host, "/"+path, e)
			}
			if err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return int(e.tokens.Load()), context.Cause(ctx)
}

func dial(ctx context.Context, host string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	hardEnd(c)
	return c, nil
}

// hardEnd has a connection forgotten when it is closed: ten thousand of them that linger for a minute each would leave the next ones no port.
func hardEnd(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
}

func rawStream(ctx context.Context, c net.Conn, host, path string, e *ear) error {
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	if _, err := fmt.Fprintf(c, "POST %s/v1/chat/completions HTTP/1.1\r\nHost: %s\r\nContent-Length: 0\r\n\r\n", path, host); err != nil {
		return err
	}
	lines, l := bufio.NewReader(c), e.listen()
	for {
		line, err := lines.ReadSlice('\n')
		now := time.Now()
		switch {
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return err
		case string(line) == "data: [DONE]\n":
			return nil
		}
		l.read(line, now.UnixNano())
	}
}
