package script

import (
	"context"
	"net/http"
	"strings"
	"time"
)

const (
	// moment is between two packets that nothing else keeps apart. In virtual time it lets the reader take the first one; on a real socket
	// it becomes some ten microseconds.
	moment = time.Nanosecond
	// settle is before a reset, which would take what is still in the reader's buffer with it.
	settle = time.Millisecond
)

// play is one answer on its way.
type play struct {
	a    *Answer
	w    http.ResponseWriter
	r    *http.Request
	fill filling
	out  output
	// sent tells that the last thing done was a packet.
	sent bool
}

// run plays the answer; true if it came to its end.
func (p *play) run() bool {
	ctx := p.r.Context()
	switch p.a.accept {
	case acceptHang:
		<-ctx.Done()
		return false
	case acceptClose, acceptReset:
		drop(p.w, p.a.accept == acceptReset)
		return true
	}
	if !pause(ctx, p.a.before) {
		return false
	}
	if p.a.frame == frameNone || p.a.frame == frameOld {
		raw, err := hijack(ctx, p.w)
		if err != nil {
			return false
		}
		defer raw.shut()
		p.out, ctx = raw, raw.ctx
	} else {
		p.out = &body{w: p.w, rc: http.NewResponseController(p.w)}
	}
	if p.a.gzip != packNot {
		p.out = newPacked(p.out, p.a.gzip == packHeld)
	}
	if p.a.frame != frameNone && p.out.begin(p.a, p.headers()) != nil {
		return false
	}
	for i := range p.a.steps {
		if !p.step(ctx, &p.a.steps[i]) {
			return false
		}
	}
	return p.end(ctx)
}

func (p *play) step(ctx context.Context, s *step) bool {
	if !p.wait(ctx, s.wait) {
		return false
	}
	if s.hang {
		<-ctx.Done()
		return false
	}
	if s.text == "" {
		return true
	}
	p.fill.pad = s.pad
	for n := range max(s.times, 1) {
		if !p.wait(ctx, s.every) {
			return false
		}
		p.fill.n, p.fill.now = n+1, time.Now()
		if !p.send(ctx, p.fill.fill(s.text), s.split) {
			return false
		}
	}
	return true
}

// send sends a text as one packet, or in packets of so many bytes.
func (p *play) send(ctx context.Context, text string, split int) bool {
	if split == 0 {
		split = len(text)
	}
	for len(text) > 0 {
		if p.sent && !pause(ctx, moment) {
			return false
		}
		n := min(split, len(text))
		if p.out.packet([]byte(text[:n])) != nil {
			return false
		}
		text, p.sent = text[n:], true
	}
	return true
}

func (p *play) wait(ctx context.Context, d time.Duration) bool {
	if d > 0 {
		p.sent = false
	}
	return pause(ctx, d)
}

func (p *play) end(ctx context.Context) bool {
	switch p.a.end {
	case endReset:
		if !pause(ctx, settle) {
			return false
		}
	case endCut:
		if !pause(ctx, moment) {
			return false
		}
	}
	return p.out.end(p.a.end) == nil
}

// headers are those of the file, filled in, over our own.
func (p *play) headers() http.Header {
	p.fill.now = time.Now()
	h := http.Header{}
	h["Content-Type"] = []string{p.a.kind()}
	for name, values := range p.a.headers {
		h[name] = nil
		for _, v := range values {
			if v != "" {
				h[name] = append(h[name], p.fill.fill(v))
			}
		}
	}
	return h
}

// kind is the media type that a server would give what is sent.
func (a *Answer) kind() string {
	for _, s := range a.steps {
		switch text := strings.TrimSpace(s.text); {
		case text == "":
			continue
		case text[0] == '{', text[0] == '[':
			return "application/json"
		case text[0] == '<':
			return "text/html; charset=utf-8"
		}
		break
	}
	if a.status/100 != 2 {
		return "text/plain; charset=utf-8"
	}
	return "text/event-stream"
}

// pause waits; false when the context ended first.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
