package workload

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Spec is one workload as it is asked for. The zero value is as Default.
type Spec struct {
	// Name is its short name; empty: the file's own, or synthetic.
	Name string
	// File is the path of a data set or a trace; empty: synthetic prompts.
	File   string
	Format Format
	// In is the length of synthetic prompts, Out the wanted length of answers, in tokens.
	In, Out Lengths
	// Max bounds each answer, in tokens, 1..1,000,000; 0: as Out draws, or as the file says, or 512. Where the file says less, less counts.
	Max int
	// Prefix is how many tokens of a prompt are shared, Share the share of the prompts that have it, 0..1, and Prefixes how many such prefixes
	// there are, used by turns at random. 0 means not set: no prefix, all prompts, one.
	Prefix   int
	Share    float64
	Prefixes int
	// OneTurn takes the first turn of each conversation only; Think is the time from an answer to the next turn.
	OneTurn bool
	Think   Lengths
	// LengthsOnly takes the lengths of a trace, not its times.
	LengthsOnly bool
	// Once ends after one pass over the file.
	Once bool
	// MaxInput leaves out rows that are longer, in tokens; 0: none.
	MaxInput int
}

// Default is what is sent when nothing is asked for: synthetic prompts of 512 tokens.
func Default() Spec { return Spec{In: Lengths{form: constant, a: defaultLength}} }

// defaultLength is the length of prompts, and the bound of answers, that nobody chose.
const defaultLength = 512

// setting is one key of a workload: how it is read, and how it is written where it is set.
type setting struct {
	key   string
	flag  bool
	read  func(s *Spec, value string) error
	write func(s *Spec) string
}

var settings = []setting{
	{key: "in", read: func(s *Spec, v string) error { return readLengths(&s.In, v, false) },
		write: func(s *Spec) string { return s.In.String() }},
	{key: "out", read: func(s *Spec, v string) error { return readLengths(&s.Out, v, false) },
		write: func(s *Spec) string { return s.Out.String() }},
	{key: "max", read: func(s *Spec, v string) error { return readCount(&s.Max, v, 1, maxLength) },
		write: func(s *Spec) string { return count(s.Max) }},
	{key: "prefix", read: func(s *Spec, v string) error { return readCount(&s.Prefix, v, 1, maxLength) },
		write: func(s *Spec) string { return count(s.Prefix) }},
	{key: "share", read: func(s *Spec, v string) error { return readShare(&s.Share, v) },
		write: func(s *Spec) string { return share(s.Share) }},
	{key: "prefixes", read: func(s *Spec, v string) error { return readCount(&s.Prefixes, v, 1, maxPrefixes) },
		write: func(s *Spec) string { return count(s.Prefixes) }},
	{key: "turns", read: func(s *Spec, v string) error { return readChoice(&s.OneTurn, v, "all", "one") },
		write: func(s *Spec) string { return choice(s.OneTurn, "one") }},
	{key: "think", read: func(s *Spec, v string) error { return readLengths(&s.Think, v, true) },
		write: func(s *Spec) string { return s.Think.String() }},
	{key: "replay", read: func(s *Spec, v string) error { return readChoice(&s.LengthsOnly, v, "arrivals", "lengths") },
		write: func(s *Spec) string { return choice(s.LengthsOnly, "lengths") }},
	{key: "once", flag: true, read: func(s *Spec, v string) error { return readChoice(&s.Once, v, "false", "true") },
		write: func(s *Spec) string { return choice(s.Once, "true") }},
	{key: "max-input", read: func(s *Spec, v string) error { return readCount(&s.MaxInput, v, 1, maxLength) },
		write: func(s *Spec) string { return count(s.MaxInput) }},
	{key: "format", read: func(s *Spec, v string) error { return s.Format.read(v) },
		write: func(s *Spec) string { return choice(s.Format != Detect, s.Format.String()) }},
	{key: "file", read: func(s *Spec, v string) error { return s.readFile(v) }},
	{key: "kind", read: func(s *Spec, v string) error { return s.readKind(v) }},
	{key: "name", read: func(s *Spec, v string) error { return s.readName(v) }},
}

// longNames are other names of keys, those of the flags.
var longNames = map[string]string{"input-tokens": "in", "output-tokens": "out", "max-tokens": "max", "path": "file"}

// maxPrefixes bounds how many shared prefixes there are.
const maxPrefixes = 1_000_000

// Keys are the names that Set takes.
func Keys() []string {
	keys := make([]string, len(settings))
	for i, k := range settings {
		keys[i] = k.key
	}
	return keys
}

// Set sets one thing by its key, as in --workload, in a table of a file, or in a flag's name without its dashes. The error names the value and what is allowed.
func (s *Spec) Set(key, value string) error {
	key = strings.ToLower(strings.TrimSpace(key))
	if long, ok := longNames[key]; ok {
		key = long
	}
	i := slices.IndexFunc(settings, func(k setting) bool { return k.key == key })
	if i < 0 {
		return fmt.Errorf("%s is no setting of a workload; there are %s", short(key), strings.Join(Keys(), ", "))
	}
	if err := settings[i].read(s, strings.TrimSpace(value)); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

func readLengths(to *Lengths, text string, timed bool) error {
	l, err := parseLengths(text, timed)
	if err == nil {
		*to = l
	}
	return err
}

func readCount(to *int, text string, least, most int) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return fmt.Errorf("%s is no whole number from %d to %d", short(text), least, most)
	}
	*to = n
	return nil
}

func readShare(to *float64, text string) error {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v > 0 && v <= 1) {
		return fmt.Errorf("%s is no share above 0, and at most 1 or 100%%", short(text))
	}
	*to = v
	return nil
}

func readChoice(to *bool, text, no, yes string) error {
	switch strings.ToLower(text) {
	case no:
		*to = false
	case yes:
		*to = true
	default:
		return fmt.Errorf("%s is neither %s nor %s", short(text), no, yes)
	}
	return nil
}

func (s *Spec) readFile(path string) error {
	if path == "" || strings.ContainsRune(path, 0) {
		return fmt.Errorf("%s is no path", short(path))
	}
	s.File = path
	return nil
}

func (s *Spec) readKind(kind string) error {
	if kind != synthetic {
		return fmt.Errorf("%s is no kind; there is %s, and every other kind is told by its file", short(kind), synthetic)
	}
	s.File = ""
	return nil
}

// synthetic is the kind that needs no file.
const synthetic = "synthetic"

// readName takes what can be told from a path and from a key.
func (s *Spec) readName(name string) error {
	if !isName(name) {
		return fmt.Errorf("%s is no name: letters, digits, - _ and . make one, 1 to 40 of them", short(name))
	}
	s.Name = name
	return nil
}

func isName(text string) bool {
	for _, r := range text {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.' {
			return false
		}
	}
	return text != "" && len(text) <= 40
}

func isKey(text string) bool {
	text = strings.ToLower(text)
	_, long := longNames[text]
	return long || slices.Contains(Keys(), text)
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func share(v float64) string {
	if v == 0 {
		return ""
	}
	return plain(v)
}

func choice(set bool, text string) string {
	if !set {
		return ""
	}
	return text
}

// name is the short name in force.
func (s *Spec) name() string {
	if s.Name != "" {
		return s.Name
	}
	if s.File == "" {
		return synthetic
	}
	base := filepath.Base(s.File)
	if stem := strings.TrimSuffix(base, filepath.Ext(base)); stem != "" {
		base = stem
	}
	return printable(base, 40)
}

// check tells what does not go together, whatever the file holds.
func (s *Spec) check() error {
	var problems []error
	say := func(bad bool, format string, args ...any) {
		if bad {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	if s.File == "" {
		say(s.OneTurn, "turns=one is for a file of conversations")
		say(s.Think.set(), "think=%s is for a file of conversations", s.Think)
		say(s.LengthsOnly, "replay=lengths is for a trace")
		say(s.Once, "once is for a file: synthetic prompts have no end")
		say(s.MaxInput > 0, "max-input=%d is for a file: in= sets the lengths of synthetic prompts", s.MaxInput)
		say(s.Format != Detect, "format=%s is for a file", s.Format)
	} else {
		say(s.In.set(), "in=%s is for synthetic prompts: a file brings its own lengths", s.In)
	}
	say(s.Prefix == 0 && s.Share > 0, "share=%s needs prefix=, the length that is shared", share(s.Share))
	say(s.Prefix == 0 && s.Prefixes > 0, "prefixes=%d needs prefix=, the length that is shared", s.Prefixes)
	if s.File == "" && s.Prefix > 0 && s.In.file == "" {
		in := s.In
		if !in.set() {
			in = Default().In
		}
		say(float64(s.Prefix) >= in.most(), "prefix=%d leaves nothing of a prompt of at most %s tokens; it must be shorter", s.Prefix, plain(in.most()))
	}
	return errors.Join(problems...)
}
