package client

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
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
