package workload

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Parse reads a workload as it is given to --workload: [NAME=]KIND-or-PATH[,key=value…], or [NAME=]key=value… for synthetic prompts. KIND is synthetic.
// Commas inside brackets and double quotes do not split; a value in double quotes is read as Go reads one.
func Parse(text string) (Spec, error) {
	var s Spec
	items, err := split(text)
	if err != nil {
		return Spec{}, fmt.Errorf("workload %s: %w", short(text), err)
	}
	seen := map[string]bool{}
	for i, item := range items {
		if err := s.item(item, i == 0, seen); err != nil {
			return Spec{}, fmt.Errorf("workload %s: %w", short(text), err)
		}
	}
	if s.File == "" && !s.In.set() {
		s.In = Default().In
	}
	if err := s.check(); err != nil {
		return Spec{}, fmt.Errorf("workload %s: %w", short(text), err)
	}
	return s, nil
}

// item takes one part; the first may be a kind or a path, with a name in front.
func (s *Spec) item(item string, first bool, seen map[string]bool) error {
	key, value, pair := strings.Cut(item, "=")
	key = strings.TrimSpace(key)
	switch {
	case first && pair && isName(key) && !isKey(key):
		value = strings.TrimSpace(value)
		inner, rest, also := strings.Cut(value, "=")
		if also && isKey(strings.TrimSpace(inner)) {
			// A name before keys: the prompts are synthetic, as where there is no name.
			s.Name = key
			return s.item(value, false, seen)
		}
		for _, of := range [][2]string{{key, value}, {inner, rest}} {
			if meant := mistaken(of[0], of[1]); meant != "" {
				return fmt.Errorf("%s is no setting of a workload; %s (the path of a file goes into double quotes where it looks like a value)", short(of[0]), meant)
			}
		}
		s.Name = key
		return s.what(value)
	case first && (!pair || !isKey(key)):
		return s.what(item)
	case !pair:
		if i := flagIndex(key); i >= 0 {
			return s.Set(key, "true")
		}
		return fmt.Errorf("%s has no value; after the kind or the path come key=value pairs, with the keys %s", short(item), strings.Join(Keys(), ", "))
	}
	if long, ok := longNames[strings.ToLower(key)]; ok {
		key = long
	}
	if seen[strings.ToLower(key)] {
		return fmt.Errorf("%s is given twice", key)
	}
	seen[strings.ToLower(key)] = true
	value, err := unquote(value)
	if err != nil {
		return err
	}
	return s.Set(key, value)
}

// mistaken says what was probably meant by NAME=VALUE at the beginning: a key that is misspelt, where the value is that of a key and hardly a path. Empty
// where it is a name and a path.
func mistaken(name, value string) string {
	if value == "" || value == synthetic || strings.HasPrefix(value, `"`) {
		return ""
	}
	for _, key := range append(Keys(), slices.Sorted(maps.Keys(longNames))...) {
		var s Spec
		if near(strings.ToLower(name), key) && !slices.Contains([]string{"file", "path", "name"}, key) && s.Set(key, value) == nil {
			return key + " may be meant"
		}
	}
	if _, err := parseLengths(value, false); err == nil {
		return "there are " + strings.Join(Keys(), ", ")
	}
	return ""
}

// near tells whether one letter too many, too few or another, or two that stand the wrong way round, make one word of another.
func near(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == b || len(b) < 3 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return a[i+1:] == b[i+1:] || i+2 <= len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

func flagIndex(key string) int {
	for i, k := range settings {
		if k.flag && strings.EqualFold(k.key, key) {
			return i
		}
	}
	return -1
}

// what takes the kind or the path.
func (s *Spec) what(text string) error {
	if text == synthetic {
		s.File = ""
		return nil
	}
	text, err := unquote(text)
	if err != nil {
		return err
	}
	if text == "" {
		return errors.New("there is neither a kind nor a path; the kind is synthetic, a path is that of a data set or a trace")
	}
	return s.readFile(text)
}

func unquote(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, `"`) {
		return text, nil
	}
	plain, err := strconv.Unquote(text)
	if err != nil {
		return "", fmt.Errorf("%s is not in whole double quotes", short(text))
	}
	return plain, nil
}

// split cuts at the commas that are outside brackets and quotes.
func split(text string) ([]string, error) {
	var items []string
	from, depth, quoted, escaped := 0, 0, false, false
	for i := range len(text) {
		c := text[i]
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = c == '\\', c != '"'
		case c == '"' && opens(text[from:i]):
			quoted = true
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return nil, errors.New("a bracket closes that none opened; a path with brackets, commas or quotes goes into double quotes")
			}
		case c == ',' && depth == 0:
			items = append(items, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	if depth > 0 || quoted {
		return nil, errors.New("a bracket or a quote is not closed; a path with brackets, commas or quotes goes into double quotes")
	}
	items = append(items, strings.TrimSpace(text[from:]))
	for i, item := range items {
		if item == "" && (i > 0 || len(items) > 1) {
			return nil, errors.New("there is nothing between two commas")
		}
	}
	return items, nil
}

// opens tells whether a quote after this text begins a quoted value.
func opens(before string) bool {
	before = strings.TrimSpace(before)
	return before == "" || strings.HasSuffix(before, "=")
}

// String is what Parse reads back as the same workload.
func (s Spec) String() string {
	var b strings.Builder
	if s.Name != "" {
		b.WriteString(s.Name + "=")
	}
	if s.File == "" {
		b.WriteString(synthetic)
	} else {
		b.WriteString(quote(s.Name, s.File))
	}
	for _, k := range settings {
		if k.write == nil {
			continue
		}
		if v := k.write(&s); v != "" && (k.key != "in" || s.In.set()) {
			b.WriteString("," + k.key + "=" + whole(v))
		}
	}
	return b.String()
}

// whole puts a value in quotes where it would be split.
func whole(value string) string {
	if items, err := split(value); err == nil && len(items) == 1 && items[0] == value && value[0] != '"' && printable(value, len(value)) == value {
		return value
	}
	return strconv.Quote(value)
}

// quote puts a path in quotes where it would not be read as it is behind a name, which may be empty.
func quote(name, path string) string {
	if path == synthetic || name != "" && mistaken(name, path) != "" || strings.ContainsAny(path, "\"(),=\\") || strings.TrimSpace(path) != path || printable(path, len(path)) != path {
		return strconv.Quote(path)
	}
	return path
}
