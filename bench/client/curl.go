package client

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"redline/bench"
)

// longWord is how long a body may be to stand in the command itself: Linux takes no word of more than 128 KiB.
const longWord = 100 << 10

// Curl words a request as a command of curl for a POSIX shell, with the URL, the fields and the body that would be sent now. Keys, and whatever else may
// be secret in the fields and in the URL, are variables of the environment; in the body such a value is ***. Where the body is another one than was sent,
// the first lines say so.
func (c *Client) Curl(r *bench.Request) bench.Curl {
	t := c.target.Load()
	body, err := t.body(r.Prompt)
	if err != nil {
		return bench.Curl{Text: "# no command: the body cannot be written: " + c.Clean(printed(err.Error())), Differs: "there is none"}
	}
	words := [][]part{{lit("-X")}, {lit(http.MethodPost)}, c.curlURL(t.url)}
	words = append(words, c.curlWay(t.url)...)
	fields := c.curlFields(t.url)
	words = append(words, fields...)
	distinct(words)
	lines := []string{"curl -N " + joined(words[:len(words)-len(fields)])}
	for _, field := range fields {
		lines = append(lines, "-H "+quoted(field...))
	}
	clean := c.redact.clean(string(body))
	// Of what is printed only strings can hold control characters.
	text, rest := printed(clean), ""
	if len(text) <= longWord {
		lines = append(lines, "--data-raw "+quoted(lit(text)))
	} else {
		lines = append(lines, "--data-binary @- <<'END'")
		rest = "\n" + text + "\nEND"
	}
	out := bench.Curl{Text: strings.Join(lines, " \\\n  ") + rest, Variables: names(words)}
	if clean != string(body) {
		out.Differs = "*** stands for what may be secret in it"
		out.Text = "# The body is not what was sent: " + out.Differs + ".\n" + out.Text
	}
	if r.Prompt.Cut {
		out.Differs = "its prompt is not whole"
		out.Text = fmt.Sprintf("# The prompt is not whole: only its first %d bytes were kept, and nothing of what was said before.\n%s", len(r.Prompt.Text), out.Text)
	}
	return out
}

// names are the variables in words, each once.
func names(words [][]part) []string {
	var out []string
	for _, w := range words {
		for _, p := range w {
			if p.name && !slices.Contains(out, p.text) {
				out = append(out, p.text)
			}
		}
	}
	return out
}

// curlURL is where requests go, without user and password; the values of its query are variables.
func (c *Client) curlURL(u *url.URL) []part {
	bare := *u
	bare.User, bare.RawQuery = nil, ""
	word := []part{lit(c.redact.clean(bare.String()))}
	sep := "?"
	for p := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, ok := strings.Cut(p, "=")
		if p == "" {
			continue
		}
		word = append(word, lit(sep+c.redact.clean(name)))
		sep = "&"
		switch {
		case ok && name == versionParam:
			word = append(word, lit("="+value))
		case ok:
			word = append(word, lit("="), variable(name))
		}
	}
	return word
}

// curlWay are the words for the way there: the version of HTTP, what is trusted, the proxy.
func (c *Client) curlWay(u *url.URL) (words [][]part) {
	add := func(texts ...string) {
		for _, text := range texts {
			words = append(words, []part{lit(text)})
		}
	}
	switch tls := u.Scheme == "https"; {
	case c.speaks2() && tls:
		add("--http2")
	case c.speaks2():
		add("--http2-prior-knowledge")
	case tls:
		add("--http1.1")
	}
	if strings.ContainsAny(u.String(), "[]{}") {
		add("-g")
	}
	if t := c.opt.TLS; t != nil && u.Scheme == "https" {
		if t.InsecureSkipVerify {
			add("-k")
		} else if t.RootCAs != nil {
			words = append(words, []part{lit("--cacert")}, []part{variable("CA_FILE")})
		}
		if !c.anonymous() {
			words = append(words, []part{lit("--cert")}, []part{variable("CERT_FILE")}, []part{lit("--key")}, []part{variable("KEY_FILE")})
		}
	}
	switch {
	case c.opt.NoProxy:
		add("--noproxy", "*")
	case c.proxy != nil:
		add("-x", shown(c.proxy))
		if c.proxy.User != nil {
			words = append(words, []part{lit("--proxy-user")}, []part{variable("PROXY_USER")})
		}
	}
	return words
}

// curlFields are the fields of the request's head: ours and the operator's, and those of curl's own that we do not send, taken away.
func (c *Client) curlFields(u *url.URL) (fields [][]part) {
	if c.headers.host != "" {
		fields = append(fields, []part{lit("Host: " + c.redact.clean(c.headers.host))})
	}
	post := c.headers.post
	for _, name := range slices.Sorted(maps.Keys(post)) {
		for _, v := range post[name] {
			if v != "" {
				fields = append(fields, append([]part{lit(name + ": ")}, c.curlValue(name, v)...))
			}
		}
	}
	for _, name := range []string{"Accept", "Content-Type", "User-Agent"} {
		if post.Get(name) == "" {
			fields = append(fields, []part{lit(name + ":")})
		}
	}
	return fields
}

// curlValue is a field's value, with a variable for what may be secret in it.
func (c *Client) curlValue(name, v string) []part {
	own, value := credential(c.opt, c.target.Load().base)
	ours := name == own && v == value && !c.opt.Key.Empty()
	if !ours && len(ofHeader(name, v)) == 0 && c.redact.clean(v) == v {
		return []part{lit(v)}
	}
	of := variable(name)
	if ours {
		of = part{c.keyVariable(name), true}
	}
	if scheme, _, ok := strings.Cut(v, " "); ok && name == "Authorization" && !slices.ContainsFunc([]rune(scheme), func(r rune) bool { return !unicode.IsLetter(r) }) {
		return []part{lit(scheme + " "), of}
	}
	return []part{of}
}

// keyVariable is the variable of the environment in which the key lies, or by custom lies.
func (c *Client) keyVariable(field string) string {
	switch {
	case c.opt.KeyVariable != "" && named(c.opt.KeyVariable) == c.opt.KeyVariable:
		return c.opt.KeyVariable
	case field == "X-Api-Key":
		return "ANTHROPIC_API_KEY"
	case field == "Api-Key":
		return "AZURE_OPENAI_API_KEY"
	}
	return "OPENAI_API_KEY"
}

// printed is JSON, or a word, with a number for each character that a terminal may take for something else than text; in JSON these stand in strings
// only.
func printed(s string) string {
	if !strings.ContainsFunc(s, unprintable) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unprintable(r) {
			b.WriteString(inJSON(string(r), string(r), true))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unprintable(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }
