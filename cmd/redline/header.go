package main

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/client"
)

// header is one -H: a value, or the file that holds it. An empty value takes the header of that name away.
type header struct{ name, value, path string }

// ownHeaders are those that a request cannot have otherwise than redline makes them, with the reason.
var ownHeaders = map[string]string{
	"Content-Length": "it follows the body", "Transfer-Encoding": "it follows the body", "Connection": "it follows the transport",
	"Keep-Alive": "it follows the transport", "Upgrade": "it follows the transport", "Trailer": "it follows the transport", "Te": "it follows the transport",
	"Accept-Encoding": "compression would hold tokens back",
}

// headerFlag reads --header. Its problems name a header, never a value.
type headerFlag struct {
	to    *[]header
	found *problems
}

// String is empty: there is no default.
func (f *headerFlag) String() string { return "" }

// Type is the kind of value as help shows it.
func (f *headerFlag) Type() string { return "'NAME: VALUE'" }

// Set reads one header; it never fails (see option).
func (f *headerFlag) Set(text string) error {
	name, value, ok := strings.Cut(text, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || !headerName(name) {
		// What stands before the colon of a header that is none may be a part of the value.
		f.found.add("header", "***", "want 'NAME: VALUE' or 'NAME: @PATH', as in 'X-Team: search' (what was given is not shown: it may be a secret)")
		return nil
	}
	name = http.CanonicalHeaderKey(name)
	h := header{name: name, value: value}
	why, own := ownHeaders[name]
	path, isPath := strings.CutPrefix(value, "@")
	switch {
	case own:
		f.found.add("header", name, "want another header; redline sets this one itself: "+why)
		return nil
	case slices.ContainsFunc(*f.to, func(o header) bool { return o.name == name }):
		f.found.add("header", name, "want each header once")
		return nil
	case isPath && path == "":
		f.found.add("header", name, "want the path of a file behind @")
		return nil
	case isPath:
		h.value, h.path = "", path
	case !headerValue(value):
		f.found.add("header", name, "want a value without line ends and other control characters")
		return nil
	}
	*f.to = append(*f.to, h)
	return nil
}

// headerName tells whether a text is a token of HTTP.
func headerName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r)
	})
}

func headerValue(value string) bool {
	return !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

// readHeaders are all headers with their values, and those that came from files as secrets, whatever they are called: the client knows the others by
// their names.
func (p *protocol) readHeaders(ctx context.Context, found *problems) (http.Header, []client.Secret) {
	if len(p.headers) == 0 {
		return nil, nil
	}
	out, secrets := http.Header{}, []client.Secret(nil)
	for _, h := range p.headers {
		value := h.value
		if h.path != "" {
			text, err := readSmall(ctx, h.path, keySize)
			value = strings.TrimSpace(string(text))
			secrets = append(secrets, client.NewSecret(value))
			if _, rest, ok := strings.Cut(value, " "); ok {
				secrets = append(secrets, client.NewSecret(rest))
			}
			switch {
			case err != nil:
				found.add("header", h.name+": @"+shownPath(h.path), err.Error()+notShown(shownPath(h.path)))
				continue
			case !headerValue(value):
				found.add("header", h.name+": @"+shownPath(h.path), "want a file with one line")
				continue
			}
		}
		out.Set(h.name, value)
	}
	return out, secrets
}

// sendsKey names the header in which a protocol sends the key, if -H sets it; else it is empty.
func (p *protocol) sendsKey() string {
	for _, h := range p.headers {
		if h.name == "Authorization" || h.name == "X-Api-Key" && p.api == bench.Anthropic {
			return h.name
		}
	}
	return ""
}
