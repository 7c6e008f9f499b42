package script

import (
	"fmt"
	"net/http"
	"strings"
)

// script checks a file and gives it its form.
func (c *checker) script(f *file) *Script {
	s := &Script{
		Title: f.Title, Why: f.Why, Seed: f.Seed, Healthy: f.Healthy,
		Order: Order(c.word("order", f.Order, "turn", "once", "random")),
	}
	c.need(strings.TrimSpace(f.Title) != "" && !strings.Contains(f.Title, "\n"), "title %q: a few words", f.Title)
	c.need(strings.TrimSpace(f.Why) != "", "why %q: a sentence", f.Why)
	c.need(f.Healthy >= 0, "healthy %d: 0 or more", f.Healthy)
	c.need(len(f.Answers) > 0, "answer: one or more [[answer]]")
	all := c.expect("expect: ", f.Expect)
	for i := range f.Answers {
		where := fmt.Sprintf("answer %d: ", i+1)
		a := c.answer(where, &f.Answers[i])
		if a.Expect = c.expect(where+"expect: ", f.Answers[i].Expect); a.Expect == nil {
			a.Expect = all
		}
		s.Answers = append(s.Answers, a)
	}
	s.Client = c.client(&f.Client, s.Answers)
	return s
}

func (c *checker) client(f *fileClient, answers []Answer) Client {
	const where = "client: "
	c.word(where+"api", f.API, "chat", "completions", "responses", "anthropic")
	c.need(f.Requests >= 0, "%srequests %d: 1 or more", where, f.Requests)
	k := Client{
		API: f.API, Requests: f.Requests, Preflight: f.Preflight,
		FirstToken: c.span(where+"first_token", f.FirstToken), Idle: c.span(where+"idle", f.Idle), Total: c.span(where+"total", f.Total),
		Pause: c.span(where+"pause", f.Pause), Cancel: c.span(where+"cancel", f.Cancel),
	}
	if k.API == "" {
		k.API = "chat"
	}
	if k.Requests == 0 {
		for i := range answers {
			if !answers[i].Models() {
				k.Requests++
			}
		}
	}
	return k
}

func (c *checker) answer(where string, f *fileAnswer) Answer {
	a := Answer{
		path: f.Path, method: f.Method, status: f.Status, when: condition(f.When), unless: condition(f.Unless),
		accept: accept(c.word(where+"accept", f.Accept, "", "hang", "close", "reset")),
		before: c.span(where+"before", f.Before), keep: c.span(where+"keep", f.Keep),
		frame: frame(c.word(where+"frame", f.Frame, "chunked", "close", "1.0", "none")),
		gzip:  packing(c.word(where+"gzip", f.Gzip, "", "held", "flushed")),
		end:   end(c.word(where+"end", f.End, "close", "cut", "reset")),
	}
	if a.method == "" {
		a.method = http.MethodPost
		if strings.HasSuffix(a.path, "/models") {
			a.method = http.MethodGet
		}
	}
	if a.status == 0 {
		a.status = http.StatusOK
	}
	c.need(a.path == "" || a.path[0] == '/', "%spath %q: one that begins with /", where, a.path)
	c.need(a.status >= 200 && a.status <= 999, "%sstatus %d: 200 to 999", where, a.status)
	a.headers = c.headers(where, f.Headers)
	a.steps = c.steps(where, f)
	bodiless := a.status == http.StatusNoContent || a.status == http.StatusNotModified
	c.need(!bodiless || len(a.steps) == 0 || a.frame == frameNone, "%sstatus %d: no steps or body beside it", where, a.status)
	c.need(a.accept == acceptAnswer || len(a.steps)+len(f.Headers)+f.Status == 0, "%saccept %q: no steps, body, headers or status beside it", where, f.Accept)
	c.need(a.frame != frameNone || len(f.Headers)+f.Status+int(a.gzip) == 0, "%sframe %q: no headers, status or gzip beside it", where, f.Frame)
	c.need(a.frame != frameNone || len(a.steps) > 0, "%sframe %q: steps or a body, which say everything", where, f.Frame)
	return a
}

// headers reads a table whose values are texts or lists of them.
func (c *checker) headers(where string, table map[string]any) http.Header {
	h := http.Header{}
	for name, value := range table {
		values, ok := value.([]any)
		if !ok {
			values = []any{value}
		}
		c.need(isToken(name), "%sheaders: %q: a name of letters, digits and dashes", where, name)
		name = http.CanonicalHeaderKey(name)
		for _, v := range values {
			text, ok := v.(string)
			c.need(ok && !strings.ContainsAny(text, "\r\n"), "%sheaders: %s %v: text of one line in quotes, or a list of such", where, name, v)
			c.text(where+"headers: "+name, text, false)
			h[name] = append(h[name], text)
		}
	}
	return h
}

// isToken tells whether a text can be the name of a header (RFC 9110, token).
func isToken(s string) bool {
	return s != "" && strings.Trim(s, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func (c *checker) steps(where string, f *fileAnswer) (out []step) {
	every := c.span(where+"every", f.Every)
	c.need(f.Body == "" || len(f.Steps) == 0, "%sbody and %d steps: one of them", where, len(f.Steps))
	c.need(f.Body != "" || f.Every == "", "%severy %q: only beside a body", where, f.Every)
	if f.Body != "" {
		c.text(where+"body", f.Body, false)
		if f.Every == "" {
			return []step{{text: f.Body}}
		}
		for _, e := range events(f.Body) {
			out = append(out, step{wait: every, text: e})
		}
		return out
	}
	for i := range f.Steps {
		out = append(out, c.step(fmt.Sprintf("%sstep %d: ", where, i+1), &f.Steps[i]))
	}
	return out
}

func (c *checker) step(where string, f *fileStep) step {
	s := step{
		wait: c.span(where+"wait", f.Wait), every: c.span(where+"every", f.Every),
		text: f.Send, times: f.Repeat, split: f.Split, pad: f.Pad, hang: f.Hang,
	}
	sends := f.Send != "" || f.Event != ""
	if f.Event != "" {
		s.text = "data: " + f.Event + "\n\n"
	}
	if !sends && f.Pad > 0 {
		s.text, sends = ": {{pad}}\n", true
		s.pad = max(f.Pad-len(": \n"), 0)
	}
	c.text(where+"text", s.text, f.Repeat > 0)
	c.need(f.Send == "" || f.Event == "", "%ssend and event: one of them", where)
	c.need(f.Repeat >= 0 && f.Repeat <= 1e6, "%srepeat %d: 1 to 1000000", where, f.Repeat)
	c.need(f.Split >= 0, "%ssplit %d: 1 byte or more", where, f.Split)
	c.need(f.Pad >= 0 && f.Pad <= 64<<20, "%spad %d: 1 to %d bytes", where, f.Pad, 64<<20)
	c.need(f.Every == "" || f.Repeat > 0, "%severy %q: only beside repeat", where, f.Every)
	c.need(sends || f.Repeat+f.Split == 0, "%srepeat or split: only beside send, event or pad", where)
	c.need(!f.Hang || !sends, "%shang: nothing to send beside it", where)
	c.need(sends || f.Hang || f.Wait != "", "%sempty: one of wait, send, event, pad, hang", where)
	return s
}

// events cuts a recorded answer behind each blank line; one without any is cut at its line ends.
func events(body string) (out []string) {
	blank := "\n\n"
	if strings.Contains(body, "\r\n\r\n") {
		blank = "\r\n\r\n"
	} else if !strings.Contains(body, blank) {
		blank = "\n"
	}
	for part := range strings.SplitAfterSeq(body, blank) {
		if part != "" {
			out = append(out, part)
		}
	}
	return out
}
