package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"

	"redline/bench"
	"redline/bench/stream"
)

const (
	// maxModels bounds what is read of a model list, in bytes; a gateway's can be long.
	maxModels = 8 << 20
	// modelsTime bounds the wait for a model list, if no limit is shorter: nothing has to be computed for it.
	modelsTime = 15 * time.Second
)

// Models are the names of the models that the server lists, in its order. Its error is a *Refusal, or the cause of the context's
// end.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	return c.models(ctx, c.target.Load().base)
}

// list asks for the models below a base URL.
func (c *Client) list(ctx context.Context, base *url.URL) *http.Request {
	u := endpoint(base, "/models")
	r := &http.Request{Method: http.MethodGet, URL: u, Host: c.headers.hostOf(u), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: c.headers.get}
	return r.WithContext(ctx)
}

func (c *Client) models(ctx context.Context, base *url.URL) ([]string, error) {
	if name := deployment(base); name != "" {
		return []string{name}, nil
	}
	if !c.own() {
		return nil, errClosed
	}
	defer c.owned.Done()
	life, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(c.life, func() { cancel(errClosed) })()
	late := c.lateList()
	life, done := context.WithTimeoutCause(life, late.wait, late)
	defer done()

	f := &flight{started: c.now()}
	life = httptrace.WithClientTrace(life, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		stamp(&f.connected, c.now())
		f.reused.Store(info.Reused)
	}})
	r := c.list(life, base)
	u := r.URL
	resp, err := c.roundTrip(r, f)
	for tries := 1; err != nil && closedIdle(err) && tries < staleTries; tries++ {
		resp, err = c.roundTrip(c.list(life, base), f)
	}
	if err != nil {
		if ended := c.listEnded(ctx, life, late, u, f); ended != nil {
			return nil, ended
		}
		var e bench.Ended
		e.Outcome, e.Message = c.roundTripError(life, f, err)
		f.fill(&e)
		return nil, &Refusal{e.Outcome, c.redact.clean(c.unreachable(shown(u), &e, &answer{failed: err, proxied: ofProxy(err)}))}
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		err := c.noList(life, cancel, resp, base)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxModels))
	if err != nil {
		if ended := c.listEnded(ctx, life, late, u, f); ended != nil {
			return nil, ended
		}
		return nil, &Refusal{bench.Truncated, fmt.Sprintf("the model list of %s broke off: %s", shown(u), c.redact.clean(err.Error()))}
	}
	names, ok := modelNames(body)
	if !ok {
		return nil, &Refusal{bench.ClientError, fmt.Sprintf("%s gives no list of models%s: check the base URL, which usually ends in /v1", shown(u), c.instead(body))}
	}
	return names, nil
}

// lateError is the cause with which a question for the models ends for its time.
type lateError struct{ wait time.Duration }

func (e *lateError) Error() string { return "no model list within " + e.wait.String() }

// Unwrap makes it a limit like others.
func (e *lateError) Unwrap() error { return errFirst }

// lateList is the limit of a question for the models.
func (c *Client) lateList() *lateError {
	wait := modelsTime
	for _, limit := range []time.Duration{c.opt.Limits.FirstToken, c.opt.Limits.Total} {
		if limit > 0 {
			wait = min(wait, limit)
		}
	}
	return &lateError{wait}
}

// listEnded is why a question for the models was ended on this side: by its asker, or for its time; nil if it was not.
func (c *Client) listEnded(ctx, life context.Context, late *lateError, u *url.URL, f *flight) error {
	switch at := c.redact.clean(shown(u)); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case context.Cause(life) != error(late):
		return nil
	case f.connected.Load() == 0:
		return &Refusal{bench.TimeoutConnect, fmt.Sprintf("no connection to %s within %s: check host, port and firewall", at, late.wait)}
	default:
		return &Refusal{bench.TimeoutFirst, fmt.Sprintf("%s gave no list of models within %s: wait until the server is less busy, or name the model to do without the list", at, late.wait)}
	}
}

// noList is why a server gives no list of models.
func (c *Client) noList(ctx context.Context, cancel context.CancelCauseFunc, resp *http.Response, base *url.URL) error {
	e, a, at := bench.Ended{Status: resp.StatusCode}, &answer{}, shown(endpoint(base, "/models"))
	c.refused(ctx, cancel, resp, &e, a)
	text := c.known(base, "/models", &e, a)
	switch {
	case text != "":
	case a.proxied:
		text = c.unreachable(at, &e, a)
	case e.Outcome == bench.Unauthorized:
		text = c.keySentence(at, &e, a)
	case e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed || e.Status == http.StatusNotImplemented || e.Status/100 == 3:
		text = fmt.Sprintf("%s does not list models (%s): check the base URL, which usually ends in /v1, or name the model", at, said(&e))
	case e.Outcome == bench.ClientError:
		text = fmt.Sprintf("%s refuses to list models (%s): change what it names, or name the model", at, said(&e))
	default:
		text = c.unreachable(at, &e, a)
	}
	return &Refusal{e.Outcome, c.redact.clean(text)}
}

// instead quotes what a server says in place of a list.
func (c *Client) instead(body []byte) string {
	text, ok := stream.Page(string(body))
	if ok {
		text = strings.TrimSuffix("a web page: "+text, ": ")
	} else if f, ok := stream.ReadFault(body); ok {
		text = f.Message
	}
	if text = stream.Message(text, c.redact.clean); text == "" {
		return ""
	}
	return " (" + text + ")"
}

// modelNames reads a model list; where a server's fields are not of the kinds that go-openai expects, only the names.
func modelNames(body []byte) ([]string, bool) {
	var list openai.ModelsList
	if json.Unmarshal(body, &list) != nil {
		list = openai.ModelsList{} // what came before the odd field is in it
		var loose struct {
			Data []struct{ ID string } `json:"data"`
		}
		if json.Unmarshal(body, &loose) != nil {
			return nil, false
		}
		for _, m := range loose.Data {
			list.Models = append(list.Models, openai.Model{ID: m.ID})
		}
	}
	var names []string
	for _, m := range list.Models {
		if name := stream.Printable(m.ID); name != "" && name == m.ID {
			names = append(names, m.ID)
		}
	}
	return names, list.Models != nil
}
