package load

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"redline/bench"
)

const (
	// maxProfileBytes is more than 10,000 stages need.
	maxProfileBytes = 2 << 20
	// maxProblems is how many problems of a file are told.
	maxProblems = 20
)

// Keys of a profile's file.
var (
	profileKeys = []string{"mode", "repeat", "stage"}
	stageKeys   = []string{"load", "from", "to", "for", "spike"}
)

// ReadProfile reads a profile from a TOML file; name is what errors call it, and the profile's text. A mode in the file goes before the one given. The error
// has a line for each problem, with the file, the line, what was read and what is allowed.
func ReadProfile(r io.Reader, name string, mode bench.Mode) (*bench.Profile, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxProfileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > maxProfileBytes {
		return nil, fmt.Errorf("%s: larger than %d bytes, which is more than a profile needs", name, maxProfileBytes)
	}
	var table map[string]any
	if err := toml.Unmarshal(data, &table); err != nil {
		if at := (*toml.DecodeError)(nil); errors.As(err, &at) {
			row, _ := at.Position()
			return nil, fmt.Errorf("%s:%d: %s", name, row, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &profileFile{name: name, mode: mode, lines: linesOf(data)}
	p := f.profile(table)
	if len(f.problems) > 0 {
		return nil, f.error()
	}
	return p, nil
}

// profileFile is a file on its way to a profile.
type profileFile struct {
	name     string
	mode     bench.Mode
	lines    map[string]int
	problems []problem
}

type problem struct {
	line int
	text string
}

// bad notes a problem of a key, or of what the key lies in if it is not there.
func (f *profileFile) bad(key, format string, args ...any) {
	line, ok := f.lines[key]
	for at := key; !ok && at != ""; line, ok = f.lines[at] {
		at = at[:max(strings.LastIndexByte(at, '.'), 0)]
	}
	f.problems = append(f.problems, problem{max(line, 1), fmt.Sprintf(format, args...)})
}

func (f *profileFile) error() error {
	slices.SortStableFunc(f.problems, func(a, b problem) int { return a.line - b.line })
	var lines []string
	for i, p := range f.problems {
		if i == maxProblems {
			lines = append(lines, fmt.Sprintf("%s: %d more problems", f.name, len(f.problems)-i))
			break
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", f.name, p.line, p.text))
	}
	return errors.New(strings.Join(lines, "\n"))
}

func (f *profileFile) profile(table map[string]any) *bench.Profile {
	f.known("", table, profileKeys)
	f.readMode(table["mode"])
	rounds := f.repeat(table["repeat"])
	list, isList := table["stage"].([]any)
	if !isList || len(list) == 0 {
		f.bad("stage", "stage: want one or more [[stage]], each with a load and for")
	}
	var stages []bench.Stage
	for i, v := range list {
		key := "stage." + strconv.Itoa(i)
		if one, ok := v.(map[string]any); ok {
			stages = append(stages, f.stage(key, one))
		} else {
			f.bad(key, "stage %s: want a table with a load and for", written(v))
		}
	}
	if len(f.problems) > 0 {
		return nil
	}
	p, err := bench.NewProfile(f.name, f.mode, stages, rounds)
	if err != nil {
		f.bad("stage", "%v", err)
	}
	return p
}

// known reports the keys that mean nothing.
func (f *profileFile) known(where string, table map[string]any, allowed []string) {
	for key := range table {
		if !slices.Contains(allowed, key) {
			f.bad(where+key, "%s: no such key, want %s", key, strings.Join(allowed, ", "))
		}
	}
}

func (f *profileFile) readMode(v any) {
	switch v {
	case nil:
	case bench.Closed.String():
		f.mode = bench.Closed
	case bench.Open.String():
		f.mode = bench.Open
	default:
		f.bad("mode", `mode %s: want "closed" or "open"`, written(v))
	}
}

func (f *profileFile) repeat(v any) int {
	if v == nil {
		return 1
	}
	n, ok := v.(int64)
	if !ok || n < 1 || n > bench.MaxStages {
		f.bad("repeat", "repeat %s: want a whole number, 1 to %d", written(v), bench.MaxStages)
		return 1
	}
	return int(n)
}

// stage reads one [[stage]]: a load that stays, or a ramp.
func (f *profileFile) stage(key string, table map[string]any) bench.Stage {
	f.known(key+".", table, stageKeys)
	s := bench.Stage{Span: f.span(key, table["for"])}
	if v, ok := table["spike"]; ok {
		if s.Spike, ok = v.(bool); !ok {
			f.bad(key+".spike", "spike %s: want true or false", written(v))
		}
	}
	_, stays := table["load"]
	_, from := table["from"]
	_, to := table["to"]
	switch {
	case stays && (from || to):
		f.bad(key+".load", "load beside from or to: want load for a load that stays, or to, with or without from, for a ramp")
	case stays:
		s.From = f.load(key+".load", "load", table["load"])
		s.To = s.From
	case to && s.Spike:
		f.bad(key+".spike", "spike beside to: want load, a spike is no ramp")
	case to:
		if s.Onward = !from; from {
			s.From = f.load(key+".from", "from", table["from"])
		}
		s.To = f.load(key+".to", "to", table["to"])
	case from:
		f.bad(key+".from", "from without to: want both, or to alone for a ramp that goes on from the load before")
	default:
		f.bad(key, "a stage without a load: want load, or to, with or without from, for a ramp")
	}
	return s
}

func (f *profileFile) span(key string, v any) time.Duration {
	text, ok := v.(string)
	switch {
	case v == nil:
		f.bad(key, `a stage without for: want its length, as in for = "1m"`)
		return 0
	case !ok:
		f.bad(key+".for", `for %s: want a length of time in quotes, as in for = "1m"`, written(v))
		return 0
	}
	d, err := bench.ParseSpan(text)
	if err != nil {
		f.bad(key+".for", "for: %v", err)
	}
	return d
}

// load reads a number, or a text with a unit.
func (f *profileFile) load(key, name string, v any) float64 {
	text, ok := v.(string)
	switch v := v.(type) {
	case int64:
		text, ok = strconv.FormatInt(v, 10), true
	case float64:
		text, ok = strconv.FormatFloat(v, 'f', -1, 64), true
		if f.mode == bench.Closed && v == math.Trunc(v) {
			text = strconv.FormatFloat(v, 'f', 0, 64)
		}
	}
	if !ok {
		f.bad(key, "%s %s: want a number", name, written(v))
		return 0
	}
	n, err := bench.ParseLoad(text, f.mode)
	switch {
	case err != nil && name == "load":
		f.bad(key, "%v", err)
	case err != nil:
		f.bad(key, "%s: %v", name, err)
	}
	return n
}

// written is a value as a file says it, or about so.
func written(v any) string {
	text := fmt.Sprint(v)
	if s, ok := v.(string); ok {
		text = strconv.Quote(s)
	}
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}
