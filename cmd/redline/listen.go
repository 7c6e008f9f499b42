package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"redline/bench"
	"redline/bench/remote"
	"redline/bench/report"
	"redline/bench/workload"
)

// listening is what was asked for of the remote control.
type listening struct {
	address   string
	tokenFile string
	// openMetrics lets /metrics be read without the token.
	openMetrics bool
}

func (l *listening) define(f flags) {
	define(f, &l.address, "listen", "", "ADDR", "let redline ctl, scripts and Prometheus ask this run, and drive it: HOST:PORT, :PORT on this machine alone (:0 takes a free one), or the path of a socket; they need the token of the run", func(text string) (string, error) {
		_, err := remote.ParseAddress(text)
		return text, err
	})
	f.StringVar(&l.tokenFile, "listen-token-file", "", "take that token from the file `PATH`, or from the variable "+tokenVariable+"; without them each run makes its own")
	f.BoolVar(&l.openMetrics, "listen-metrics-open", false, "let /metrics be read without the token")
}

// tokenVariable is the variable that a token may stand in. It is no setting: a token stands in no file of settings, and in no list of arguments.
const tokenVariable = "REDLINE_LISTEN_TOKEN"

// door is where a run listens. Its methods may be called on nil, where it does not.
type door struct {
	address remote.Address
	ln      net.Listener
	notice  remote.Notice
	token   string
	names   []string
	open    bool
	server  *remote.Server

	// locked and private are how the screen stands, as it told last.
	locked, private atomic.Bool
	// remove takes away what says where it listens, shut ends the serving. unfound is why redline ctl does not find the run by itself.
	remove, shut func()
	unfound      string
}

// openDoor takes the address that the run listens at, before anything is started; nil where it does not listen.
func (m *Main) openDoor(ctx context.Context, l listening) (*door, error) {
	if l.address == "" {
		if l.tokenFile != "" || l.openMetrics {
			return nil, errors.New("--listen-token-file, --listen-metrics-open: want --listen with them")
		}
		return nil, nil
	}
	a, err := remote.ParseAddress(l.address)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: %w", report.Printable(l.address), err)
	}
	d := &door{address: a, open: l.openMetrics, shut: func() {}, remove: func() {}}
	if err := m.tokenOf(ctx, l, d); err != nil {
		return nil, err
	}
	if d.ln, err = a.Listen(); err != nil {
		return nil, fmt.Errorf("--listen %s: %w", report.Printable(l.address), err)
	}
	d.address = a.Of(d.ln)
	d.names = []string{a.Host}
	d.notice.PID, d.notice.Began, d.notice.Address = os.Getpid(), time.Now(), d.address.String()
	if d.address.Network == "unix" {
		if path, err := filepath.Abs(d.address.Path); err == nil {
			d.notice.Address = "unix:" + path
		}
	}
	return d, nil
}

// tokenOf is the token of the run: one of the operator's, or one that is made.
func (m *Main) tokenOf(ctx context.Context, l listening, d *door) error {
	if l.tokenFile != "" {
		token, err := readToken(ctx, l.tokenFile)
		if err != nil {
			return fmt.Errorf("--listen-token-file %s: %w", shownPath(l.tokenFile), err)
		}
		d.token = token
		if path, err := filepath.Abs(l.tokenFile); err == nil {
			d.notice.TokenFile = path
		}
		return nil
	}
	if text := strings.TrimSpace(m.text(tokenVariable)); text != "" {
		if err := remote.CheckToken(text); err != nil {
			return fmt.Errorf("%s: %w (it is not shown)", tokenVariable, err)
		}
		d.token = text
		return nil
	}
	d.token = remote.NewToken()
	d.notice.Token = d.token
	return nil
}

// readToken reads a token's file.
func readToken(ctx context.Context, path string) (string, error) {
	text, err := readKey(ctx, path)
	if err != nil {
		return "", err
	}
	text = strings.TrimSpace(text)
	return text, remote.CheckToken(text)
}

// noticeFolder is where runs that listen say so: in the folder of the session where the system has one, which is gone with it, else beside the runs that are kept.
func (m *Main) noticeFolder() string {
	if base := m.text("XDG_RUNTIME_DIR"); filepath.IsAbs(base) {
		return filepath.Join(base, "redline")
	}
	if runs := m.runsFolder(); runs != "" {
		return filepath.Join(filepath.Dir(runs), "listening")
	}
	return ""
}

// notes are what the operator should know of the door.
func (d *door) notes() []string {
	if d == nil {
		return nil
	}
	out := []string{"remote control at " + d.address.String() + ": redline ctl"}
	if d.unfound != "" {
		out[0] = "remote control at " + d.address.String() + ", which redline ctl does not find by itself: " + d.unfound
	}
	if d.address.Wide {
		out = append(out, "--listen "+d.address.String()+" can be reached from other machines, in the clear: whoever reads along has the token")
	}
	return out
}

// answer serves the run from now on, and says where.
func (r *session) answer(ctx context.Context) {
	d := r.door
	if d == nil {
		return
	}
	d.private.Store(r.private)
	clean := func(s *bench.Snapshot) *bench.Snapshot { return report.Cleaned(s, r.clean) }
	d.server = remote.New(remote.Options{
		Engine: &afar{r.engine, r.end}, Token: d.token, OpenMetrics: d.open, Names: d.names, Clean: clean, Locked: d.locked.Load, Private: d.private.Load,
		Recording: r.recording.keeps,
		Report: func(s *bench.Snapshot, private bool) ([]byte, error) {
			end := r.set.wording()
			end.Why, end.Private, end.Saved, end.Kept = s.Why, private, time.Now(), r.recording.kept(private)
			return report.Of(s, end).JSON()
		},
		Second: func(s *bench.Snapshot) ([]byte, error) {
			return json.Marshal(report.SecondOf(s, max(s.Folded-time.Second, 0)))
		},
		News: report.NewStream(r.private).News,
		// The stream of a reader who is told nothing yet begins with it.
		Start: func(s *bench.Snapshot, private bool) []byte { return report.NewStream(private).News(s)[0] },
	})
	ctx, cancel := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() {
		defer r.crash.catch(func() { r.end.stopAll("internal error") })
		served <- d.server.Serve(ctx, d.ln)
	}()
	d.shut = sync.OnceFunc(func() {
		cancel()
		select {
		case <-served:
		case <-time.After(2 * parting):
		}
	})
	if r.set.screen.plain {
		for _, note := range d.notes() {
			fmt.Fprintf(r.Stderr, "redline: %s\n", report.Printable(note))
		}
	}
}

// announce says where the run listens, for redline ctl. Where that cannot be said the run goes on: who knows the address and the token can ask all the same.
func (r *session) announce(conn *connection) {
	d := r.door
	if d == nil {
		return
	}
	d.notice.Target, d.notice.Model = hostOf(conn.report.URL), conn.report.Model
	if r.private {
		d.notice.Target = bench.Hidden
	}
	dir := r.noticeFolder()
	if dir == "" {
		d.unfound = "there is no folder to say so in"
		return
	}
	remove, err := d.notice.Publish(dir)
	if err != nil {
		d.unfound = err.Error()
		return
	}
	d.remove = remove
}

// close ends the listening.
func (d *door) close() {
	if d == nil {
		return
	}
	d.remove()
	d.shut()
	_ = d.ln.Close()
}

// stands keeps how the screen stands.
func (d *door) stands(locked, private bool) {
	if d != nil {
		d.locked.Store(locked)
		d.private.Store(private)
	}
}

// halted tells whether the run pauses because it was asked to from afar: then somebody may let it go on.
func (d *door) halted() bool { return d != nil && d.server != nil && d.server.Halted() }

// afar is the engine as it is driven from elsewhere: what is cut there is cut like by a key.
type afar struct {
	driven
	end *endgame
}

// Post hands a command over.
func (a *afar) Post(c bench.Command) {
	if r, ok := c.(bench.Remote); ok {
		if _, cuts := r.Command.(bench.Kill); cuts {
			a.end.noteCut()
		}
	}
	a.driven.Post(c)
}

// noteCut keeps that what was in flight is not waited for.
func (e *endgame) noteCut() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.killed = true
}

// manned tells whether somebody may go on with a run that has nothing of its own left to do: it listens, and what it began with is no plan with an end.
func (r *session) manned() bool {
	s := r.set
	once := slices.ContainsFunc(s.specs, func(w workload.Spec) bool { return w.Once })
	return r.door != nil && s.plan == nil && s.seek.ramp == nil && !once
}
