package client

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

func TestPreflightSeesWhenBodiesEnd(t *testing.T) {
	ends := func(after time.Duration) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				w.WriteHeader(404)
				return
			}
			say(w, token, token, token, stop, usageEnd, doneLine)
			select {
			case <-time.After(after):
			case <-r.Context().Done():
			}
		}
	}
	raw := func(text string, linger time.Duration) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				w.WriteHeader(404)
				return
			}
			nc, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			body := token + token + token + stop + usageEnd + doneLine
			_, _ = fmt.Fprintf(nc, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n%sContent-Length: %d\r\n\r\n%s", text, len(body), body)
			time.Sleep(linger)
			_ = nc.Close()
		}
	}
	for _, row := range []struct {
		sentence string
		handler  http.HandlerFunc
		reuses   bool
		note     string
		took     time.Duration
	}{
		{"with the answer", ends(0), true, "", reuseWait},
		{"within the time for which every request waits", ends(400 * ms), true, "", 400*ms + reuseWait},
		{"later", ends(1100 * ms), false, "ends an answer's body 1.1s after its last event, and its connection is given up after 500ms: every request makes a new connection", 1100 * ms},
		{"much later", ends(time.Minute), false, "had not ended an answer's body 5s after its last event", tailTime},
		{"with the connection", raw("", 0), false, "the server closes each connection after its answer: ", reuseWait},
		{"with a connection that the server says it closes", raw("Connection: close\r\n", time.Hour), false, "the server closes each connection after its answer: ", reuseWait},
		{"with something behind it that nobody asked for", func(w http.ResponseWriter, r *http.Request) {
			raw("", time.Hour)(&behind{w, "junk"}, r)
		}, false, "no connection can be used again after an answer: ", reuseWait},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, row.handler, nil)
			began := time.Now()
			r, err := c.Preflight(context.Background(), request.Prompt)
			notes := strings.Join(r.Notes, "\n")
			if err != nil || r.Reuses != row.reuses || !strings.Contains(notes, row.note) || (row.note == "") != (notes == "") {
				t.Errorf("%s: %v, reuses %v, %q", row.sentence, err, r.Reuses, notes)
			}
			if took := time.Since(began); took != row.took {
				t.Errorf("%s: took %v, want %v", row.sentence, took, row.took)
			}
			if e := c.Send(context.Background(), request, nil); e.Reused && !row.reuses {
				t.Errorf("%s: the first request is on a connection of the preflight", row.sentence)
			}
			// A second one finds nothing new, and does not wait for it.
			began = time.Now()
			if r, err = c.Preflight(context.Background(), request.Prompt); err != nil || r.Reuses != row.reuses || len(r.Notes) > 0 {
				t.Errorf("%s: again %v, reuses %v, %q", row.sentence, err, r.Reuses, r.Notes)
			}
			if took := time.Since(began); !row.reuses && took != 0 {
				t.Errorf("%s: again took %v", row.sentence, took)
			}
		})
	}
}

// TestLumpsAreConfirmed has a server whose answers come in one piece as told, one after the other.
func TestLumpsAreConfirmed(t *testing.T) {
	for _, row := range []struct {
		sentence string
		answers  string // l: in a lump, f: flowing, r: refused
		note     bool
		asked    int
		in, out  int
	}{
		{"every answer", "ll", true, 2, 18, 24},
		{"the first alone", "lf", false, 2, 18, 24},
		{"one before the limit of a rate", "lr", false, 2, 9, 12},
		{"none", "f", false, 1, 9, 12},
	} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					return
				}
				how := row.answers[min(asked, len(row.answers)-1)]
				asked++
				time.Sleep(time.Second)
				switch how {
				case 'r':
					w.WriteHeader(429)
					return
				case 'l':
					say(w, strings.Repeat(token, 12)+stop)
				case 'f':
					for range 12 {
						say(w, token)
						time.Sleep(20 * ms)
					}
					say(w, stop)
				}
				say(w, strings.Replace(usageEnd, ":3,", ":12,", 1), doneLine)
			}, nil)
			r, err := c.Preflight(context.Background(), request.Prompt)
			notes := strings.Join(r.Notes, "\n")
			if err != nil || strings.Contains(notes, "came at once") != row.note || asked != row.asked || r.UsedIn != row.in || r.UsedOut != row.out {
				t.Errorf("%s: %v, %q after %d requests, used %d and %d", row.sentence, err, notes, asked, r.UsedIn, r.UsedOut)
			}
			if e := r.Ended; e.Outcome != bench.OK {
				t.Errorf("%s: %v %q", row.sentence, e.Outcome, e.Message)
			}
			if !row.note {
				return
			}
			if r, err = c.Preflight(context.Background(), request.Prompt); err != nil || asked != row.asked+1 || !strings.Contains(strings.Join(r.Notes, "\n"), "came at once") {
				t.Errorf("%s: another preflight: %v, %q after %d requests", row.sentence, err, r.Notes, asked)
			}
		})
	}
}

// behind is a server's end of a connection that writes something behind what is written.
type behind struct {
	http.ResponseWriter
	text string
}

func (b *behind) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	nc, rw, err := b.ResponseWriter.(http.Hijacker).Hijack()
	return &trailing{nc, b.text}, rw, err
}

type trailing struct {
	net.Conn
	text string
}

func (c *trailing) Write(b []byte) (int, error) {
	if _, err := c.Conn.Write([]byte(string(b) + c.text)); err != nil {
		return 0, err
	}
	return len(b), nil
}
