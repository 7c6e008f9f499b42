package themes

import (
	"fmt"
	"strings"
)

// TOML is the resolved theme as a file: every token with every depth, nothing inherited. It reads back as the same theme.
func (t *Theme) TOML() string {
	var b strings.Builder
	fmt.Fprintf(&b, "name = %q\nvariant = %q\n\n", t.Name, t.Variant)
	for token := range NumTokens {
		if ink := t.inks[token]; ink != (Ink{}) {
			fmt.Fprintf(&b, "%s = %s\n", token, ink)
		}
	}
	b.WriteString("heat = [\n")
	for _, ink := range t.Heat {
		fmt.Fprintf(&b, "  %s,\n", ink)
	}
	b.WriteString("]\n")
	return b.String()
}

// String is the ink as theme files write it.
func (i Ink) String() string {
	var parts []string
	for _, depth := range [...]struct {
		key string
		Colour
	}{{"true", i.True}, {"x256", i.X256}, {"x16", i.X16}} {
		switch {
		case depth.Kind == Indexed && depth.Index >= 16:
			parts = append(parts, depth.key+" = "+depth.Colour.String())
		case depth.Kind != Unset:
			parts = append(parts, fmt.Sprintf("%s = %q", depth.key, depth.Colour.String()))
		}
	}
	for _, attr := range [...]struct {
		key string
		on  bool
	}{{"bold", i.Bold}, {"faint", i.Faint}, {"underline", i.Underline}, {"reverse", i.Reverse}} {
		if attr.on {
			parts = append(parts, attr.key+" = true")
		}
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}
