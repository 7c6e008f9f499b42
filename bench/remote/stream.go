package remote

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// keepAlive is after how long without an object a comment is sent, so that whoever stands between does not take the stream for dead.
const keepAlive = 10 * time.Second

// stream sends each object as a server-sent event until the run ends, or its reader: one who takes nothing for a while is dropped.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	if !s.feed.join() {
		refuse(w, http.StatusServiceUnavailable, fmt.Sprintf("there are %d streams already", mostStreams))
		return
	}
	defer s.feed.leave()
	last := r.Header.Get("Last-Event-ID")
	at, err := s.feed.from(last)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(w)
	// The time in which a request has to come is not how long its reader may stay.
	_ = out.SetReadDeadline(time.Time{})
	send := func(text string) bool {
		within(w)
		_, err := w.Write([]byte(text))
		return err == nil && out.Flush() == nil
	}
	var start []byte
	if last == "" && s.o.Start != nil {
		start = s.o.Start(s.shown())
	}
	if !send("retry: 1000\n\n") || start != nil && !send(fmt.Sprintf("event: start\ndata: %s\n\n", start)) {
		return
	}
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	for {
		objects, over, fresh := s.feed.after(at)
		for _, o := range objects {
			at = o.id
			if !o.private && s.private() {
				continue
			}
			if !send(fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", o.id, o.event, o.text)) {
				return
			}
		}
		if over {
			send("event: end\ndata: {}\n\n")
			return
		}
		select {
		case <-fresh:
		case <-alive.C:
			if !send(": alive\n\n") {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

// from is the object behind which a reader goes on: the one that it names, or the one before what came last.
func (f *feed) from(id string) (at int64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if id == "" {
		return f.before, nil
	}
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n < 0 {
		return 0, errors.New("Last-Event-ID: want the id of an event, a whole number")
	}
	if n > f.last {
		n = f.last // of another run
	}
	return n, nil
}
