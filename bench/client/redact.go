package client

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
)

const (
	// shortestSecret is the length from which a value is looked for in texts; a shorter one would blacken half of them.
	shortestSecret = 4
	// shortestUnknown is the same for values of which only the place says that they may be secret.
	shortestUnknown = 8
)

// secretMarks are the parts of names that say that a value is secret.
var secretMarks = []string{"auth", "key", "token", "secret", "cookie", "password", "passwd", "credential", "signature", "session"}

// harmless are the headers that hold no secret, and whose values are words that messages need.
var harmless = map[string]bool{
	"accept": true, "accept-charset": true, "accept-encoding": true, "accept-language": true, "anthropic-beta": true, "anthropic-version": true,
	"cache-control": true, "connection": true, "content-encoding": true, "content-length": true, "content-type": true, "date": true,
	"expect": true, "host": true, "openai-beta": true, "origin": true, "pragma": true, "te": true, "user-agent": true, "x-title": true,
}

func marked(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(secretMarks, func(mark string) bool { return strings.Contains(name, mark) })
}

// secretsOf are all values that must not be shown.
func secretsOf(opt Options, base, proxy *url.URL) []string {
	secrets := []string{opt.Key.reveal()}
	for _, s := range opt.Secrets {
		secrets = append(secrets, s.reveal())
	}
	for name, values := range opt.Header {
		for _, v := range values {
			secrets = append(secrets, ofHeader(name, v)...)
		}
	}
	secrets = append(secrets, ofField("", opt.Extra)...)
	for _, u := range []*url.URL{base, proxy} {
		if u == nil {
			continue
		}
		secrets = append(secrets, ofUser(u.User)...)
		secrets = append(secrets, ofQuery(u.RawQuery)...)
	}
	return secrets
}

// ofHeader are the secrets in a header's value: the whole, and what follows a scheme such as Bearer; of Basic also what it stands for.
func ofHeader(name, value string) []string {
	value = strings.TrimSpace(value)
	if !marked(name) && (harmless[strings.ToLower(name)] || len(value) < shortestUnknown) {
		return nil
	}
	secrets := []string{value}
	scheme, rest, ok := strings.Cut(value, " ")
	if !ok || strings.ContainsAny(scheme, "=;") {
		return secrets
	}
	rest = strings.TrimSpace(rest)
	secrets = append(secrets, rest)
	if plain, err := base64.StdEncoding.DecodeString(rest); err == nil && strings.EqualFold(scheme, "basic") {
		user, password, _ := strings.Cut(string(plain), ":")
		secrets = append(secrets, string(plain), password, user)
	}
	return secrets
}

// ofField are the secrets among fields of the body: texts below a name that says so.
func ofField(name string, value any) (secrets []string) {
	switch v := value.(type) {
	case string:
		if marked(name) {
			secrets = append(secrets, v)
		}
	case map[string]any:
		for inner, x := range v {
			if marked(name) {
				inner = name
			}
			secrets = append(secrets, ofField(inner, x)...)
		}
	case []any:
		for _, x := range v {
			secrets = append(secrets, ofField(name, x)...)
		}
	}
	return secrets
}

// ofUser are the password of a URL, and user and password as Basic writes them.
func ofUser(user *url.Userinfo) []string {
	if user == nil {
		return nil
	}
	password, ok := user.Password()
	if !ok {
		return []string{user.Username()} // a token often stands in its place
	}
	return []string{password, base64.StdEncoding.EncodeToString([]byte(user.Username() + ":" + password))}
}

// ofQuery are the values of a query, in pieces where it is not well formed.
func ofQuery(query string) (secrets []string) {
	for _, part := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, ok := strings.Cut(part, "=")
		if !ok || name == versionParam {
			continue
		}
		secrets = append(secrets, value)
		if plain, err := url.QueryUnescape(value); err == nil {
			secrets = append(secrets, plain)
		}
	}
	return secrets
}

// redactor takes secrets out of texts that come from elsewhere: servers and proxies echo keys in their errors.
type redactor struct{ forms []string }

// newRedactor knows the secrets as they are, and as JSON, URLs, HTML and base64 write them.
func newRedactor(secrets ...string) redactor {
	var r redactor
	for _, s := range secrets {
		if len(s) < shortestSecret {
			continue
		}
		for _, form := range forms(s) {
			if len(form) >= shortestSecret && !slices.Contains(r.forms, form) {
				r.forms = append(r.forms, form)
			}
		}
	}
	// The longest first: a short secret may be a part of a long one, which would no longer be known without it.
	slices.SortStableFunc(r.forms, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return r
}

// forms are the ways in which a value may stand in a text.
func forms(s string) []string {
	quoted, _ := json.Marshal(s)
	var plain strings.Builder
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s)
	inner := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(plain.String(), "\n"), `"`), `"`)
	query, path := url.QueryEscape(s), url.PathEscape(s)
	list := []string{
		s, strings.TrimSuffix(strings.TrimPrefix(string(quoted), `"`), `"`), inner, strings.ReplaceAll(inner, "/", `\/`),
		query, path, lowerEscapes(query), lowerEscapes(path), strings.ReplaceAll(query, "+", "%20"),
	}
	// Error pages write it as HTML, quotes by number or by name.
	page := html.EscapeString(s)
	list = append(list, page, strings.NewReplacer("&#34;", "&quot;", "&#39;", "&apos;").Replace(page))
	// In base64 a value looks different at each of three places in its group, and its ends hang together with what stands beside it.
	for _, pad := range []string{"", "a", "ab"} {
		list = append(list, inBase64(pad, s)...)
	}
	return list
}

// inBase64 is what base64 makes of a value behind some other bytes, without the characters that hold bits of others.
func inBase64(before, s string) []string {
	whole := base64.StdEncoding.EncodeToString([]byte(before + s))
	from := (len(before)*8 + 5) / 6
	to := (len(before) + len(s)) * 8 / 6
	if to-from < shortestUnknown {
		return nil
	}
	part := whole[from:to]
	return []string{part, strings.NewReplacer("+", "-", "/", "_").Replace(part)}
}

// lowerEscapes writes percent escapes in small letters, as some do.
func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}

// clean puts *** for each secret in a text, and for the beginning of one in which a text that was cut ends.
func (r redactor) clean(s string) string {
	for _, form := range r.forms {
		s = strings.ReplaceAll(s, form, redacted)
	}
	// Only now: what is the beginning of one form may be a part of another.
	for _, form := range r.forms {
		for n := min(len(form)-1, len(s)); n >= 2*shortestSecret; n-- {
			if strings.HasSuffix(s, form[:n]) {
				s = s[:len(s)-n] + redacted
				break
			}
		}
	}
	return s
}
