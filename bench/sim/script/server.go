package script

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// Server plays a script. It is made by New, and used either through Serve or as a handler; answers with keep need Serve.
type Server struct {
	script *Script

	// wg counts handlers.
	wg sync.WaitGroup
	mu sync.Mutex
	// closing: no handler is counted in any more.
	closing  bool
	rand     *rand.Rand
	requests int
	// begun and whole count, for each answer, how often it was begun and how often it was sent to its end.
	begun, whole []int
}

// New is a server of a script.
func New(s *Script) *Server {
	return &Server{
		script: s, rand: rand.New(rand.NewPCG(s.Seed, 1)),
		begun: make([]int, len(s.Answers)), whole: make([]int, len(s.Answers)),
	}
}

// Requests is how many requests have come so far, those for the list of models left out.
func (s *Server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Played is how often answer i (from 0) was begun, and how often it was sent to its end.
func (s *Server) Played(i int) (begun, whole int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun[i], s.whole[i]
}

// maxRequest bounds a request's body.
const maxRequest = 64 << 20

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		http.Error(w, `{"error":{"message":"the server is shutting down"}}`, http.StatusServiceUnavailable)
		return
	}
	defer s.wg.Done()
	l := linkOf(r)
	l.begin()
	// Only once the body is read does net/http notice that the client has gone.
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxRequest)) // what came is what can be asked of it
	q := &request{method: r.Method, path: r.URL.Path, header: r.Header, body: body}
	i := s.pick(q)
	a := &healthy
	switch {
	case i >= 0:
		a = &s.script.Answers[i]
	case i == none && q.models():
		writeJSON(w, http.StatusOK, `{"object":"list","data":[{"id":"scripted","object":"model","created":0,"owned_by":"redline"}]}`)
		return
	case i == none:
		writeJSON(w, http.StatusNotFound, fmt.Sprintf(`{"error":{"message":"no answer of the script is for %s of this kind"}}`, r.Method))
		return
	}
	p := &play{a: a, w: w, r: r, fill: filling{r: q}}
	if p.run() && i >= 0 {
		s.mu.Lock()
		s.whole[i]++
		s.mu.Unlock()
	}
	l.closeAfter(a.keep)
}

// enter counts a handler in, so that Serve does not return while it runs.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	s.wg.Add(1)
	return true
}

func (r *request) models() bool {
	const end = "/models"
	return r.method == http.MethodGet && len(r.path) >= len(end) && r.path[len(r.path)-len(end):] == end
}

func writeJSON(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body) // nobody is left to tell
}

const (
	// none: no answer is for the request. first: the request is one of the healthy ones before the script.
	none  = -1
	first = -2
)

// pick chooses the answer for a request, and counts it.
func (s *Server) pick(q *request) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q.method == http.MethodPost {
		s.requests++
		q.number = s.requests
		if s.requests <= s.script.Healthy {
			return first
		}
	}
	var fit []int
	for i := range s.script.Answers {
		if s.script.Answers[i].fits(q) {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 {
		return none
	}
	i := fit[0]
	switch s.script.Order {
	case InTurn: // the one that had the fewest turns
		for _, j := range fit {
			if s.begun[j] < s.begun[i] {
				i = j
			}
		}
	case Once:
		for _, j := range fit {
			if i = j; s.begun[j] == 0 {
				break
			}
		}
	case AtRandom:
		i = fit[s.rand.IntN(len(fit))]
	}
	s.begun[i]++
	return i
}

// healthyGap is the wait before each token of a healthy answer.
const healthyGap = 20 * time.Millisecond

// healthy is a plain good answer. It counts the words of a prompt as its tokens, so that a client learns no nonsense from it.
var healthy = Answer{
	status:  http.StatusOK,
	headers: http.Header{},
	steps: []step{
		{text: "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n"},
		{times: 4, every: healthyGap, text: "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" fine\"}}]}\n\n"},
		{text: "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"},
		{text: "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":{{words}},\"completion_tokens\":4,\"total_tokens\":{{words+4}}}}\n\ndata: [DONE]\n\n"},
	},
}
