package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/memnet"
)

func dialError(call string, err error) error {
	return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError(call, err)}
}

func TestDialFailures(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want bench.Outcome
	}{
		{"nobody listens", dialError("connect", syscall.ECONNREFUSED), bench.Refused},
		{"the connection is reset", dialError("connect", syscall.ECONNRESET), bench.Reset},
		{"the process has no descriptor left", dialError("socket", syscall.EMFILE), bench.NoDescriptors},
		{"the system has none left", dialError("socket", syscall.ENFILE), bench.NoDescriptors},
		{"no local port is left", dialError("connect", syscall.EADDRNOTAVAIL), bench.NoDescriptors},
		{"the name is unknown", &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}}, bench.DNS},
		{"the certificate is from nobody we know", &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, bench.TLS},
		{"the certificate is for another name", x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x"}, bench.TLS},
		{"the server does not speak TLS", tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"}, bench.TLS},
		{"the server refuses ours", &net.OpError{Op: "remote error", Err: tls.AlertError(40)}, bench.TLS},
		{"the system gave up connecting", dialError("connect", syscall.ETIMEDOUT), bench.TimeoutConnect},
		{"there is no way to the host", dialError("connect", syscall.EHOSTUNREACH), bench.Network},
		{"something else", errors.New("odd"), bench.Network},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := serve(t, threeTokens, func(o *Options) {
					o.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, tt.err }
				})
				e := c.Send(context.Background(), request, nil)
				if e.Outcome != tt.want || e.Message == "" || e.Marks.Connected.OK || !e.Marks.Ended.OK {
					t.Errorf("%v %q, want %v", e.Outcome, e.Message, tt.want)
				}
			})
		})
	}
}

func TestConnectLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, threeTokens, func(o *Options) {
			o.Limits.Connect = 3 * time.Second
			o.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
				<-ctx.Done()
				return nil, dialError("connect", ctx.Err())
			}
		})
		e := c.Send(context.Background(), request, nil)
		if took, _ := e.Marks.Ended.Since(e.Marks.Started); e.Outcome != bench.TimeoutConnect || took != 3*time.Second {
			t.Errorf("%v %q after %v", e.Outcome, e.Message, took)
		}
	})
}

func TestCloseEndsADial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, threeTokens, func(o *Options) {
			o.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
		})
		time.AfterFunc(time.Second, c.Close)
		if e := c.Send(context.Background(), request, nil); e.Outcome != bench.Cancelled {
			t.Errorf("%v %q", e.Outcome, e.Message)
		}
	})
}

// broken answers with raw bytes, then closes or resets the connection.
func broken(raw string, reset bool) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		nc, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = nc.Write([]byte(raw))
		time.Sleep(time.Second)
		if reset {
			nc.(*memnet.Conn).Abort()
		}
		_ = nc.Close()
	}
}

func TestBrokenConnections(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
	part := func(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }
	tests := []struct {
		name   string
		raw    string
		reset  bool
		want   bench.Outcome
		events int
	}{
		{"closed before an answer", "", false, bench.Reset, 0},
		{"reset before an answer", "", true, bench.Reset, 0},
		{"closed in the middle of the headers", head[:30], false, bench.Reset, 0},
		{"something that is no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", false, bench.Network, 0},
		{"closed after the headers", head, false, bench.Truncated, 0},
		{"closed after two tokens", head + part(token) + part(token), false, bench.Truncated, 2},
		{"reset after two tokens", head + part(token) + part(token), true, bench.Truncated, 2},
		{"closed after the finish reason, without the last chunk", head + part(token+stop), false, bench.OK, 1},
		{"no length and no chunks: the end of the connection is the end of the body", strings.Replace(head, "Transfer-Encoding: chunked\r\n", "", 1) + token + stop + strings.TrimSpace(doneLine), false, bench.OK, 1},
		{"an empty body", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false, bench.Truncated, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := serve(t, broken(tt.raw, tt.reset), nil)
				e := c.Send(context.Background(), request, nil)
				if e.Outcome != tt.want || e.Counts.Events != tt.events || (tt.want == bench.OK) != (e.Message == "") {
					t.Errorf("%v %q, %d events; want %v, %d", e.Outcome, e.Message, e.Counts.Events, tt.want, tt.events)
				}
			})
		})
	}
}

func TestStatuses(t *testing.T) {
	tests := []struct {
		status  int
		header  string
		body    string
		want    bench.Outcome
		message string
		wait    time.Duration
	}{
		{429, "Retry-After: 7", `{"error":{"message":"slow down","type":"requests","code":"rate_limit_exceeded"}}`, bench.RateLimited, "slow down", 7 * time.Second},
		{429, "Retry-After: 1.5", `too many`, bench.RateLimited, "too many", 1500 * ms},
		{429, "Retry-After-Ms: 250", ``, bench.RateLimited, "429 Too Many Requests", 250 * ms},
		{429, "Retry-After: Sat, 01 Jan 2000 00:02:00 GMT", `{"error":"x"}`, bench.RateLimited, "x", 2 * time.Minute},
		{429, "Retry-After: -1", `{"error":"x"}`, bench.RateLimited, "x", none},
		{429, "Retry-After: soon", `{"error":"x"}`, bench.RateLimited, "x", none},
		{429, "", `{"error":{"message":"quota","code":"insufficient_quota"}}`, bench.Unauthorized, "quota", none},
		{401, "", `{"error":{"message":"bad key"}}`, bench.Unauthorized, "bad key", none},
		{402, "", `{"error":{"message":"pay","code":402}}`, bench.Unauthorized, "pay", none},
		{403, "", `{"message":"no"}`, bench.Unauthorized, "no", none},
		{400, "", `{"object":"error","message":"bad field","code":400}`, bench.ClientError, "bad field", none},
		{404, "", `{"detail":"Not Found"}`, bench.ClientError, "Not Found", none},
		{422, "", `{"detail":[{"loc":["body","n"],"msg":"extra"}]}`, bench.ClientError, "extra", none},
		{408, "", ``, bench.ClientError, "408", none},
		{500, "", `{"error":{"code":"boom"}}`, bench.ServerError, "boom", none},
		{502, "Content-Type: text/html", "<html>\r\n<h1>Bad Gateway</h1>\x1b[31m", bench.ServerError, "Bad Gateway", none},
		{400, "", `[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]`, bench.ClientError, "API key not valid", none},
		{498, "", `{"error":{"message":"flex capacity"}}`, bench.Overloaded, "flex capacity", none},
		{503, "Retry-After: 2", `{"error":{"message":"Loading model"}}`, bench.Overloaded, "Loading model", 2 * time.Second},
		{529, "", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, bench.Overloaded, "Overloaded", none},
		{307, "Location: http://elsewhere.example/v1", ``, bench.ClientError, "redirected to http://elsewhere.example/v1", none},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.status, " ", tt.header, " ", tt.body), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, l := serve(t, func(w http.ResponseWriter, _ *http.Request) {
					if name, value, ok := strings.Cut(tt.header, ": "); ok {
						w.Header().Set(name, value)
					}
					w.WriteHeader(tt.status)
					say(w, tt.body)
				}, nil)
				for range 2 {
					e := c.Send(context.Background(), request, nil)
					if e.Outcome != tt.want || e.Status != tt.status || !strings.Contains(e.Message, tt.message) {
						t.Errorf("%v %d %q, want %v %q", e.Outcome, e.Status, e.Message, tt.want, tt.message)
					}
					if e.RetryAfter != tt.wait {
						t.Errorf("retry after %v, want %v", e.RetryAfter, tt.wait)
					}
					if e.Counts.Output != 0 {
						t.Errorf("an error counted %d tokens", e.Counts.Output)
					}
					synctest.Wait()
				}
				if n := l.Dials(); n != 1 {
					t.Errorf("%d connections: an error's body was not drained", n)
				}
			})
		})
	}
}

const none = time.Duration(0)

func TestAnswersThatAreNoStream(t *testing.T) {
	tests := []struct {
		name, body string
		want       bench.Outcome
		message    string
	}{
		{"a JSON error with 200", `{"error":{"message":"no such model"}}`, bench.StreamError, "no such model"},
		{"a full JSON answer", `{"choices":[{"message":{"content":"a"}}]}`, bench.NotStreaming, `{"choices"`},
		{"a web page", "<html><title>Hello</title>", bench.NotStreaming, "a web page: Hello"},
		{"an error inside the stream", token + `data: {"error":{"message":"out of memory"}}` + "\n\n", bench.StreamError, "out of memory"},
		{"a failing finish reason", token + strings.Replace(stop, "stop", "abort", 1) + doneLine, bench.StreamError, "abort"},
		{"nothing that can be read", "data: <p>\n\n" + doneLine, bench.Malformed, "<p>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { say(w, tt.body) }, nil)
				if e := c.Send(context.Background(), request, nil); e.Outcome != tt.want || !strings.Contains(e.Message, tt.message) || e.Status != 200 {
					t.Errorf("%v %q, want %v", e.Outcome, e.Message, tt.want)
				}
			})
		})
	}
}
