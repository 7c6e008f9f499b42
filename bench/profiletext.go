package bench

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// ParseProfile reads parts that follow one another, separated by commas: LOAD:SPAN, "ramp FROM..TO in SPAN" (without FROM it goes on from the load before),
// and "spike LOAD for SPAN", after which the load goes back. "xN" or "repeat N" at the end repeats them all. Loads are whole numbers of requests in
// flight, or rates as ParseRate reads them. Errors name the part and its place.
func ParseProfile(text string, mode Mode) (*Profile, error) {
	return loadReader{mode: mode}.profile(text)
}

// ProfileMode is the mode of a profile as it is typed while another mode may be in force: loads with a unit of a rate are for the open loop, and those
// without are of the mode in force.
func ProfileMode(text string, now Mode) Mode {
	if strings.ContainsRune(text, '/') {
		return Open
	}
	return now
}

// ParseProfileIn reads a profile as it is typed while a mode is in force: as ParseProfile does, in the mode that ProfileMode finds. In the closed loop a
// load without a unit beside others that are rates is an error, for it may be meant as either; 0 is the same in both.
func ParseProfileIn(text string, now Mode) (*Profile, error) {
	mode := ProfileMode(text, now)
	return loadReader{mode: mode, units: mode != now}.profile(text)
}

// loadReader reads the parts of a profile; units tells that its rates must have a unit.
type loadReader struct {
	mode  Mode
	units bool
}

// profile reads all parts.
func (l loadReader) profile(text string) (*Profile, error) {
	bad := func(err error) (*Profile, error) { return nil, fmt.Errorf("profile %s: %w", excerpt(text), err) }
	rest, rounds, err := cutRepeat(strings.ToLower(text))
	if err != nil {
		return bad(err)
	}
	var stages []Stage
	for part := range strings.SplitSeq(rest, ",") {
		if len(stages) == MaxStages {
			return bad(fmt.Errorf("more than %d stages", MaxStages))
		}
		s, err := l.stage(part)
		if err != nil {
			return bad(fmt.Errorf("part %d, %s: %w", len(stages)+1, excerpt(strings.TrimSpace(part)), err))
		}
		stages = append(stages, s)
	}
	p, err := NewProfile(text, l.mode, stages, rounds)
	if err != nil {
		return bad(err)
	}
	return p, nil
}

// excerpt quotes a text, or its beginning.
func excerpt(text string) string {
	const most = 60
	if len(text) <= most {
		return strconv.Quote(text)
	}
	return strconv.Quote(strings.ToValidUTF8(text[:most], "")) + "…"
}

// cutRepeat takes "x3" or "repeat 3" off the end, with or without a comma before it.
func cutRepeat(text string) (rest string, rounds int, err error) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	if len(fields) == 0 {
		return "", 0, errors.New("it is empty, want for example 1:20s,4:20s, or ramp 1..64 in 2m")
	}
	last := fields[len(fields)-1]
	rest = strings.TrimSuffix(strings.TrimSpace(text), last)
	number, short := strings.CutPrefix(last, "x")
	switch {
	case len(fields) > 1 && fields[len(fields)-2] == "repeat":
		number = last
		rest = strings.TrimSuffix(strings.TrimSpace(rest), "repeat")
	case !short || number == "" || strings.Trim(number, "0123456789") != "":
		return text, 1, nil
	}
	rounds, err = strconv.Atoi(number)
	if err != nil || rounds < 1 || rounds > MaxStages {
		return "", 0, fmt.Errorf("repeat %s: want a whole number, 1 to %d", excerpt(number), MaxStages)
	}
	if rest = strings.TrimSuffix(strings.TrimSpace(rest), ","); strings.Trim(rest, ", \t\n") == "" {
		return "", 0, fmt.Errorf("nothing to repeat, want stages before it, as in 1:20s, 4:20s, repeat %d", rounds)
	}
	return rest, rounds, nil
}

// stage reads one part.
func (l loadReader) stage(part string) (Stage, error) {
	fields := strings.Fields(part)
	if len(fields) == 0 {
		return Stage{}, errors.New("nothing between commas, want LOAD:SPAN, ramp FROM..TO in SPAN, or spike LOAD for SPAN")
	}
	body := strings.Join(fields[1:], " ")
	switch fields[0] {
	case "ramp":
		loads, span, ok := strings.Cut(body, " in ")
		from, to, two := strings.Cut(loads, "..")
		if !ok || !two {
			return Stage{}, errors.New("want ramp FROM..TO in SPAN, as in ramp 1..64 in 2m, or ramp ..64 in 2m")
		}
		return l.words(strings.TrimSpace(from), to, span, false)
	case "spike":
		load, span, ok := strings.Cut(body, " for ")
		if !ok {
			return Stage{}, errors.New("want spike LOAD for SPAN, as in spike 64 for 10s")
		}
		return l.words(load, load, span, true)
	case "repeat":
		return Stage{}, errors.New("want repeat N at the end, as in repeat 3")
	}
	load, span, ok := strings.Cut(part, ":")
	if !ok {
		return Stage{}, errors.New("want LOAD:SPAN, ramp FROM..TO in SPAN, or spike LOAD for SPAN")
	}
	return l.words(load, load, span, false)
}

// words reads the words of a stage; one without a beginning goes on from the load before.
func (l loadReader) words(from, to, span string, spike bool) (s Stage, err error) {
	s.Spike, s.Onward = spike, from == ""
	if s.Span, err = ParseSpan(span); err != nil {
		return Stage{}, err
	}
	if s.To, err = l.load(to); err != nil {
		return Stage{}, err
	}
	if !s.Onward {
		if s.From, err = l.load(from); err != nil {
			return Stage{}, err
		}
	}
	return s, nil
}

// load reads a load, which must have a unit where the others have one.
func (l loadReader) load(text string) (float64, error) {
	n, err := ParseLoad(text, l.mode)
	if text = strings.TrimSpace(text); err == nil && l.units && n != 0 && !strings.ContainsRune(text, '/') {
		return 0, fmt.Errorf("%s: want a unit, as in %s/s, for other loads of the profile are rates", text, text)
	}
	return n, err
}

// ParseLoad reads a load of a profile, 0 to 1,000,000: a whole number of requests in flight, or a rate as ParseRate does.
func ParseLoad(text string, mode Mode) (float64, error) {
	text = strings.TrimSpace(text)
	var n float64
	var err error
	if mode == Open {
		n, err = ParseRate(text)
	} else {
		var whole uint64
		whole, err = strconv.ParseUint(text, 10, 32)
		n = float64(whole)
	}
	if _, rate := ParseRate(text); mode == Closed && rate == nil && strings.Contains(text, "/") {
		return 0, fmt.Errorf("load %s: a rate is for the open loop, want %s", excerpt(text), allowedLoad(mode))
	}
	if err != nil || n > maxLoad {
		return 0, fmt.Errorf("load %s: want %s", excerpt(text), allowedLoad(mode))
	}
	return Setpoint{mode, n}.Round().N, nil
}

// ParseSpan reads the length of a stage, 1 s to 720 h.
func ParseSpan(text string) (time.Duration, error) {
	text = strings.TrimSpace(text)
	d, err := time.ParseDuration(text)
	if err != nil || d < minSpan || d > maxSpan {
		return 0, fmt.Errorf("span %s: want %s", excerpt(text), allowedSpan())
	}
	return d, nil
}

// String is the profile as ParseProfile reads it.
func (p *Profile) String() string {
	rounds := max(p.Rounds, 1)
	var parts []string
	for _, s := range p.Stages[:len(p.Stages)/rounds] {
		parts = append(parts, s.text())
	}
	text := strings.Join(parts, ", ")
	if rounds > 1 {
		text += " x" + strconv.Itoa(rounds)
	}
	return text
}

func (s Stage) text() string {
	load := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
	switch {
	case s.Spike:
		return "spike " + load(s.To) + " for " + spanText(s.Span)
	case s.Onward:
		return "ramp .." + load(s.To) + " in " + spanText(s.Span)
	case s.From != s.To:
		return "ramp " + load(s.From) + ".." + load(s.To) + " in " + spanText(s.Span)
	}
	return load(s.To) + ":" + spanText(s.Span)
}

// spanText is a span without parts that are 0: "2m" and not "2m0s".
func spanText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
