package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"redline/bench"
)

// Engine is the run that is told of and driven; it is what a screen drives.
type Engine interface {
	Snapshot() *bench.Snapshot
	Post(bench.Command)
	Done() <-chan struct{}
}

// Options of a server. Engine, Token, Report, Second and News are required.
type Options struct {
	Engine Engine
	// Token is what each request has to show.
	Token string
	// OpenMetrics lets /metrics be read without the token.
	OpenMetrics bool
	// Names are host names by which it may be asked, beside addresses, localhost and this machine's name.
	Names []string
	// Clean takes secrets out of a snapshot's words; nil where there are none.
	Clean func(*bench.Snapshot) *bench.Snapshot
	// Report is the report of a run in JSON, Second its last second in one line of JSON. News are the objects of the stream, each one line of JSON with its type in it,
	// for what is new since the last call: one of type second each second. Start is the object by which a stream begins, nil for none; what News has of type start is left
	// out. They are given snapshots from which what is private is gone.
	Report func(s *bench.Snapshot, private bool) ([]byte, error)
	Second func(*bench.Snapshot) ([]byte, error)
	News   func(*bench.Snapshot) [][]byte
	Start  func(s *bench.Snapshot, private bool) []byte
	// Locked tells whether a screen is locked, Private whether what is private is to be hidden, Recording whether the run is being kept; nil for no.
	Locked, Private, Recording func() bool
}

const (
	// mostBody bounds the body of a request, in bytes.
	mostBody = 16 << 10
	// readWait bounds how long a request may be in coming, writeWait how long a reader may take nothing, idleWait how long a connection may lie idle.
	readWait, writeWait, idleWait = 10 * time.Second, 5 * time.Second, time.Minute
	// parting is how long requests may take to end when the server closes.
	parting = time.Second
	// mostCrowd bounds connections, mostStreams those that are streams.
	mostCrowd, mostStreams = 64, 16
)

// Server serves one run. Its methods are safe for concurrent use.
type Server struct {
	o     Options
	http  *http.Server
	feed  *feed
	books books
	// hand is held by the command that is being done: one at a time, so that each is told of its own.
	hand chan struct{}
	// marks bounds how often levels are begun from here.
	marks *rate.Limiter

	mu     sync.Mutex
	veil   bench.Veil
	report kept
	// halted: what paused the run last was a command from here.
	halted bool
}

// kept is a document with the snapshot that it was made of.
type kept struct {
	of      time.Duration
	private bool
	text    []byte
}

// New is a server that does not serve yet.
func New(o Options) *Server {
	s := &Server{o: o, hand: make(chan struct{}, 1), marks: rate.NewLimiter(rate.Every(marksRest), marksAtOnce)}
	s.feed = newFeed(s)
	s.http = &http.Server{
		Handler: s.gate(s.routes()), ConnContext: withGuest, ReadHeaderTimeout: readWait, ReadTimeout: readWait, IdleTimeout: idleWait, MaxHeaderBytes: 16 << 10,
		// Its complaints are about whoever asks; the screen is not theirs.
		ErrorLog: silent(),
	}
	return s
}

// Serve serves until ctx ends; then what is being answered may end, and nothing of it is left when it returns. It closes the listener.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	streams, end := context.WithCancel(context.Background())
	defer end()
	s.http.BaseContext = func(net.Listener) context.Context { return streams }
	served := make(chan error, 1)
	go func() { served <- s.http.Serve(newCrowd(ln, mostCrowd)) }()
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		s.feed.run(ctx)
	}()
	var err error
	select {
	case err = <-served:
	case <-ctx.Done():
		// The streams end by themselves behind the last object.
		leave, done := context.WithTimeout(context.Background(), parting)
		if s.http.Shutdown(leave) != nil {
			end()
			_ = s.http.Close()
		}
		done()
		err = <-served
	}
	s.feed.close()
	<-fed
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Halted tells whether the run pauses because it was asked to from here, so that somebody may be there who lets it go on.
func (s *Server) Halted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.halted
}

// private tells whether what is private is hidden.
func (s *Server) private() bool { return s.o.Private != nil && s.o.Private() }

// shown is the run now, as it may be told, and whether what is private is hidden in it.
func (s *Server) shown() (*bench.Snapshot, bool) { return s.told(s.o.Engine.Snapshot()) }

// told is a snapshot as it may be told.
func (s *Server) told(snap *bench.Snapshot) (*bench.Snapshot, bool) {
	if s.o.Clean != nil {
		snap = s.o.Clean(snap)
	}
	if !s.private() {
		return snap, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.veil.Snapshot(snap), true
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	only := func(method, path string, h http.HandlerFunc) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if r.Method != method && !(method == http.MethodGet && r.Method == http.MethodHead) {
				w.Header().Set("Allow", method)
				refuse(w, http.StatusMethodNotAllowed, "this path takes "+method, method)
				return
			}
			h(w, r)
		})
	}
	only(http.MethodGet, "/v1", s.index)
	only(http.MethodGet, "/v1/{$}", s.index)
	only(http.MethodGet, "/v1/status", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, s.standing(s.o.Engine.Snapshot()))
	})
	only(http.MethodGet, "/v1/snapshot", s.snapshot)
	only(http.MethodGet, "/v1/stream", s.stream)
	only(http.MethodGet, "/metrics", s.metrics)
	for _, v := range Verbs {
		only(http.MethodPost, "/v1/"+v.Name, func(w http.ResponseWriter, r *http.Request) { s.command(w, r, v) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "there is no such path", paths()...)
	})
	return mux
}

// paths are all that can be asked for.
func paths() []string {
	out := []string{"GET /v1", "GET /v1/status", "GET /v1/snapshot", "GET /v1/stream", "GET /metrics"}
	for _, v := range Verbs {
		out = append(out, "POST /v1/"+v.Name)
	}
	return out
}

func (s *Server) index(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{"paths": paths(), "verbs": Verbs})
}

// forms are those of a snapshot.
var forms = []string{"report", "second"}

func (s *Server) snapshot(w http.ResponseWriter, r *http.Request) {
	snap, private := s.shown()
	switch form := r.URL.Query().Get("form"); form {
	case "", forms[0]:
		text, err := s.reported(snap, private)
		write(w, text, err)
	case forms[1]:
		text, err := s.o.Second(snap)
		write(w, text, err)
	default:
		refuse(w, http.StatusBadRequest, "there is no such form of a snapshot", forms...)
	}
}

// reported is the report of a snapshot. Whoever asks often gets the same one within a second: it is dear.
func (s *Server) reported(snap *bench.Snapshot, private bool) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := snap.At - s.report.of; s.report.text != nil && at >= 0 && at < time.Second && private == s.report.private && snap.State != bench.Done {
		return s.report.text, nil
	}
	text, err := s.o.Report(snap, private)
	if err == nil {
		s.report = kept{snap.At, private, text}
	}
	return text, err
}

// write writes a document that is JSON already.
func write(w http.ResponseWriter, text []byte, err error) {
	if err != nil {
		refuse(w, http.StatusInternalServerError, "the document could not be made")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	within(w)
	_, _ = w.Write(text)
}

// answer writes a document.
func answer(w http.ResponseWriter, status int, document any) {
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false)
	_ = out.Encode(document) // its types are all JSON's
	w.Header().Set("Content-Type", "application/json")
	within(w)
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes())
}

// Refusal is the document of an error.
type Refusal struct {
	Error string `json:"error"`
	// Allowed is what may be asked instead.
	Allowed []string `json:"allowed,omitempty"`
	// Question is the open one, where that is the reason.
	Question *Question `json:"question,omitempty"`
	Now      *Standing `json:"now,omitempty"`
}

func refuse(w http.ResponseWriter, status int, text string, allowed ...string) {
	answer(w, status, Refusal{Error: text, Allowed: allowed})
}

// within gives whoever is written to a while to take it.
func within(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeWait))
}
