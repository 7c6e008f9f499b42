package sim

import (
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"redline/bench/sim/model"
)

// Server is one simulated server. It is made by New, and used either through Serve or through Handler.
type Server struct {
	opts      Options
	around    surroundings
	engine    *engine
	pacer     *pacer
	prose     *prose
	quota     *quota
	latencies *latencies
	created   time.Time

	tally       tally
	pacedTotals pacedTotals
	// turns counts accepted requests.
	turns atomic.Uint64

	// wg counts handlers and the goroutines that they started.
	wg sync.WaitGroup
	// mu guards closing: past it no handler is counted in any more.
	mu      sync.Mutex
	closing bool
}

// New makes a server; the error names every option that is out of range. Nothing runs until a request comes.
func New(opts Options) (*Server, error) {
	if err := opts.Validate(); err != nil {
		return nil, fmt.Errorf("simulated server: %w", err)
	}
	around := surround(opts.Preset)
	if opts.RPM != 0 {
		around.rpm = opts.RPM
	}
	if opts.TPM != 0 {
		around.tpm = opts.TPM
	}
	s := &Server{
		opts: opts, around: around, prose: newProse(opts.Seed), latencies: newLatencies(), created: time.Now(),
		tally: tally{refused: make(map[int]uint64)},
	}
	s.quota = newQuota(around.rpm, around.tpm, s.created)
	if opts.Pace.On && opts.Pace.Rate > 0 {
		s.pacer = newPacer(opts.Pace.Rate, &s.wg)
	}
	var err error
	if s.engine, err = newEngine(opts.params(), opts.Speed, s.latencies, &s.wg); err != nil {
		return nil, fmt.Errorf("simulated server: %w", err)
	}
	s.engine.maxWaiting = opts.MaxWaiting
	return s, nil
}

// Handler is the server's HTTP face, for a listener or a server of the caller's own. redline_sim_connections_total
// counts only what came through Serve.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, d := range routes {
		mux.Handle(pattern, s.counted(d, s.authorised(d, func(w http.ResponseWriter, r *http.Request) { s.complete(d, w, r) })))
	}
	common := openAIChat{}
	mux.Handle("GET /v1/models", s.counted(common, s.authorised(listing{}, s.models)))
	mux.Handle("GET /metrics", s.counted(common, s.metrics))
	mux.Handle("GET /health", s.counted(common, func(http.ResponseWriter, *http.Request) {}))
	return mux
}

// listing is how the list of models is asked for: with OpenAI's key or Anthropic's.
type listing struct{ openAIChat }

func (listing) key(h http.Header) string { return anthropicMessages{}.key(h) }

// counted keeps Serve from returning while a handler runs.
func (s *Server) counted(d dialect, next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		closing := s.closing
		if !closing {
			s.wg.Add(1)
		}
		s.mu.Unlock()
		if closing {
			s.refuse(w, d, &refusal{status: http.StatusServiceUnavailable, kind: "ServiceUnavailableError", message: "the server is shutting down"})
			return
		}
		defer s.wg.Done()
		next(w, r)
	})
}

// authorised asks for the key, if there is one.
func (s *Server) authorised(d dialect, next http.HandlerFunc) http.HandlerFunc {
	want := []byte(s.opts.APIKey)
	return func(w http.ResponseWriter, r *http.Request) {
		if s.opts.APIKey != "" && subtle.ConstantTimeCompare([]byte(d.key(r.Header)), want) != 1 {
			s.refuse(w, d, &refusal{status: http.StatusUnauthorized, kind: "AuthenticationError", code: "invalid_api_key", message: "Incorrect API key provided."})
			return
		}
		next(w, r)
	}
}

// refuse answers with an error and counts it.
func (s *Server) refuse(w http.ResponseWriter, d dialect, no *refusal) {
	status, body := d.word(no)
	s.tally.refuse(status)
	no.write(w, status, body)
}

// models answers GET /v1/models.
func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{ // nobody is left to tell
		"object": "list",
		"data": []any{map[string]any{
			"id": s.opts.Model, "object": "model", "created": s.created.Unix(), "owned_by": "redline",
			"max_model_len": s.engine.model.Params().ContextLength,
		}},
	})
}

func (s *Server) gauges() model.Gauges {
	g := s.engine.gauges()
	s.pacedTotals.add(&g)
	return g
}
