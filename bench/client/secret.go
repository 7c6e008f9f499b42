package client

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"slices"
	"strings"
)

const redacted = "***"

// Secret is an API key. It prints as *** in every format, and marshals so; the zero Secret is empty.
type Secret struct {
	// A pointer, because fmt calls no methods on unexported fields and would print a string there: of this it prints an address.
	value *string
}

// NewSecret wraps a key, without the white space around it.
func NewSecret(key string) Secret {
	if key = strings.TrimSpace(key); key == "" {
		return Secret{}
	}
	return Secret{value: &key}
}

// Empty tells whether there is no key.
func (s Secret) Empty() bool { return s.value == nil }

func (s Secret) reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// String is *** whatever the key.
func (s Secret) String() string { return redacted }

// GoString is *** whatever the key.
func (s Secret) GoString() string { return redacted }

// Format prints *** for every verb and flag.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// MarshalText is *** whatever the key.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// MarshalJSON is "***" whatever the key.
func (s Secret) MarshalJSON() ([]byte, error) { return json.Marshal(redacted) }

// LogValue is *** whatever the key.
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// shortestSecret is the length from which a value is looked for in texts; a shorter one would blacken half of them.
const shortestSecret = 4

// redactor takes secrets out of texts that come from elsewhere: servers and proxies echo keys in their errors.
type redactor struct{ forms []string }

// newRedactor knows the secrets as they are, and as JSON and URLs write them.
func newRedactor(secrets ...string) redactor {
	var r redactor
	for _, s := range secrets {
		if len(s) < shortestSecret {
			continue
		}
		quoted, _ := json.Marshal(s)
		for _, form := range []string{s, strings.Trim(string(quoted), `"`), url.QueryEscape(s), url.PathEscape(s)} {
			if !slices.Contains(r.forms, form) {
				r.forms = append(r.forms, form)
			}
		}
	}
	return r
}

func (r redactor) clean(s string) string {
	for _, form := range r.forms {
		s = strings.ReplaceAll(s, form, redacted)
		// A text that was cut may end in the beginning of a secret.
		for n := min(len(form)-1, len(s)); n >= 2*shortestSecret; n-- {
			if strings.HasSuffix(s, form[:n]) {
				s = s[:len(s)-n] + redacted
				break
			}
		}
	}
	return s
}
