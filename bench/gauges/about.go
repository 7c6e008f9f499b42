package gauges

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"redline/bench"
)

// about is where a kind of server tells what does not change while it runs, below the root of which its metrics are, and how that is read.
type about struct {
	path string
	read func([]byte) facts
}

// facts are what does not change; what a server does not tell is absent.
type facts struct {
	version        string
	maxRunning, kv bench.Value
}

// maxAbout bounds what is read of it; it has a chat template in it.
const maxAbout = 1 << 20

// positive is a number above 0; any other is absent.
func positive(v float64) bench.Value {
	if !(v > 0) {
		return bench.Value{}
	}
	return bench.Some(v)
}

// ofVersion reads {"version": "0.11.0"}.
func ofVersion(text []byte) facts {
	var of struct{ Version string }
	_ = json.Unmarshal(text, &of) // what cannot be read tells nothing
	return facts{version: release(of.Version)}
}

// ofLlama reads the properties of llama.cpp: its slots, each with a context of its own.
func ofLlama(text []byte) facts {
	var of struct {
		Build   string  `json:"build_info"`
		Slots   float64 `json:"total_slots"`
		Default struct {
			Context float64 `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	_ = json.Unmarshal(text, &of)
	return facts{release(of.Build), positive(of.Slots), positive(of.Slots * of.Default.Context)}
}

// ofTGI reads the information of TGI: the tokens of a batch are what its cache holds.
func ofTGI(text []byte) facts {
	var of struct {
		Version string
		Tokens  float64 `json:"max_batch_total_tokens"`
	}
	_ = json.Unmarshal(text, &of)
	return facts{version: release(of.Version), kv: positive(of.Tokens)}
}

// release is a version as it may be shown: short, and of characters that versions have.
func release(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 40 || strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune(versionRunes, r) }) {
		return ""
	}
	return text
}

const versionRunes = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-_"

// learn asks the engines that a text is of what does not change. It is asked once; who does not tell is not asked again.
func (s *Scraper) learn(ctx context.Context, at *url.URL, of []*engine) (all facts) {
	root, found := strings.CutSuffix(strings.TrimRight(at.EscapedPath(), "/"), plainPath)
	if !found {
		return facts{}
	}
	root = strings.TrimSuffix(root, "/prometheus")
	for _, en := range of {
		if en.about == nil {
			continue
		}
		u := *at
		put(&u, root+en.about.path)
		f := en.about.read(s.small(ctx, &u))
		if all.version == "" {
			all.version = f.version
		}
		all.maxRunning, all.kv = or(all.maxRunning, f.maxRunning), or(all.kv, f.kv)
	}
	return all
}

// small is a short answer of JSON; nil where there is none.
func (s *Scraper) small(ctx context.Context, u *url.URL) []byte {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	h := s.header(u)
	h.Set("Accept", "application/json")
	resp, err := s.transport.RoundTrip((&http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: h}).WithContext(ctx))
	if err != nil {
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAbout))
	if err != nil {
		return nil
	}
	return text
}
