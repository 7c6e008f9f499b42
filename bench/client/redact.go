package client

import (
	"encoding/base64"
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

// ofHeader are the secrets in a header's value: the whole, what follows a scheme such as Bearer (of Basic also what it stands for), and the
// values of cookies and parameters.
func ofHeader(name, value string) []string {
	value = strings.TrimSpace(value)
	if !marked(name) && (harmless[strings.ToLower(name)] || len(value) < shortestUnknown) {
		return nil
	}
	secrets := append([]string{value}, ofParameters(value)...)
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

// public are parameters of schemes that hold no secret.
var public = map[string]bool{"realm": true, "uri": true, "algorithm": true, "qop": true, "signedheaders": true, "domain": true, "path": true}

// ofParameters are the values of a cookie's pairs, or of a scheme's parameters: those that are long, and those whose names say that they are
// secret. A short one (theme=dark) may be any word.
func ofParameters(value string) (secrets []string) {
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ';' || r == ',' || r == ' ' || r == '\t' }) {
		name, v, ok := strings.Cut(part, "=")
		name = strings.ToLower(name)
		if v = strings.Trim(v, `"`); !ok || public[name] || len(v) < shortestUnknown && !marked(name) && !strings.Contains(name, "sid") {
			continue
		}
		secrets = append(secrets, v)
		if plain, err := url.PathUnescape(v); err == nil && plain != v {
			secrets = append(secrets, plain)
		}
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

// ofUser are the password of a URL, and user and password as Basic writes them. Where the password is empty, or stands there for form's sake, a
// token stands in the user's place.
func ofUser(user *url.Userinfo) []string {
	if user == nil {
		return nil
	}
	name := user.Username()
	password, ok := user.Password()
	secrets := []string{password, base64.StdEncoding.EncodeToString([]byte(name + ":" + password))}
	if !ok || len(password) < shortestSecret || password == "x-oauth-basic" || password == "x-token-auth" {
		secrets = append(secrets, name)
	}
	return secrets
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
