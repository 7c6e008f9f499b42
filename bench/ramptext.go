package bench

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// What bounds a step of a ramp where nothing else is said.
const (
	UsualCap         = time.Minute
	UsualCapRequests = 400
)

const (
	// mostFactor bounds by how much a step multiplies the load, mostSteps how many there are, mostCapRequests the requests of one.
	mostFactor      = 16
	mostSteps       = 1000
	mostCapRequests = 1_000_000
	// leastCap is too short for most verdicts, mostCap longer than any takes.
	leastCap = 5 * time.Second
	mostCap  = time.Hour
)

// RampForms are examples of what ParseRamp reads.
const RampForms = "4..64 x2, 1..32 +4, 4,8,16,32 or 2/s..20/s"

// UsualRamp is the ramp of which nothing is said but where the load is: from there to the most that may be set, doubled with each step. Where the load is
// none, or leaves no room above it, it begins at 1, or at a fourth of a rate that is bounded near 1/s.
func UsualRamp(now Setpoint, most float64) *Ramp {
	r := &Ramp{Mode: now.Mode, From: now.N, Most: most, By: 2, Cap: UsualCap, CapRequests: UsualCapRequests}
	if !(r.From > 0) || r.From >= most {
		if r.From = 1; r.Mode == Open && most < 2 {
			r.From = most / 4
		}
	}
	r.From = Setpoint{r.Mode, r.From}.Round().N
	return r
}

// ParseRamp reads a ramp to the redline: FROM..MOST with how it rises, x2 or +4, or a list of loads that rises; behind it "cap 30s" and "cap 200" bound the
// time and the requests of a step, and "past 429" goes on where the server limited requests. What is left out is that of UsualRamp: FROM the load in force, MOST
// what most says of the mode. Loads are of the mode in force unless one is a rate; then all are. Errors name the part.
func ParseRamp(text string, now Setpoint, most func(Mode) float64) (*Ramp, error) {
	mode, fields := ProfileMode(text, now.Mode), rampFields(text)
	read := loadReader{mode: mode, units: mode != now.Mode}
	if read.units {
		now = Setpoint{Mode: mode}
	}
	r := UsualRamp(now, most(mode))
	err := errors.New("it is empty, want for example " + RampForms)
	if len(fields) > 0 {
		if err = read.ramp(r, fields); err == nil {
			err = r.Check()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("ramp %s: %w", excerpt(text), err)
	}
	return r, nil
}

// rampFields are the words of a ramp; what belongs to a range or a list is one.
func rampFields(text string) []string {
	text = strings.NewReplacer("×", "x", ",", " , ", "..", " .. ", "…", " .. ").Replace(strings.ToLower(text))
	var out []string
	joined := false
	for _, word := range strings.Fields(text) {
		joins := word == "," || word == ".."
		if n := len(out); n > 0 && (joined || joins) && !option(out[n-1]) && !(joined && option(word)) {
			out[n-1] += word
		} else {
			out = append(out, word)
		}
		joined = joins
	}
	return out
}

// option tells whether a word is none of the loads.
func option(word string) bool {
	return word == "cap" || word == "past" || len(word) > 1 && (word[0] == 'x' || word[0] == '+') && !strings.Contains(word, ",") && !strings.Contains(word, "..")
}

// ramp reads the words of a ramp.
func (l loadReader) ramp(r *Ramp, fields []string) error {
	if !option(fields[0]) {
		if err := l.loads(r, fields[0]); err != nil {
			return err
		}
		fields = fields[1:]
	}
	for i := 0; i < len(fields); i++ {
		word, value := fields[i], ""
		if i+1 < len(fields) {
			value = fields[i+1]
		}
		var err error
		switch {
		case word == "past" && (value == "429" || value == "429s" || value == "limits"):
			r.PastLimits = true
			i++
		case word == "cap":
			err = r.cap(value)
			i++
		case option(word) && word != "past" && r.Rise == RiseList:
			err = fmt.Errorf("%s: want no step with a list, which says all loads", excerpt(word))
		case option(word) && word != "past":
			err = l.rise(r, word)
		default:
			err = fmt.Errorf("%s: want x2 or +4, cap 30s, cap 200 or past 429 behind the loads", excerpt(word))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// loads reads a range or a list.
func (l loadReader) loads(r *Ramp, text string) error {
	from, most, two := strings.Cut(text, "..")
	if !two {
		return l.list(r, text)
	}
	for _, end := range []struct {
		text string
		to   *float64
	}{{from, &r.From}, {most, &r.Most}} {
		if end.text == "" {
			continue
		}
		n, err := l.load(end.text)
		if err != nil {
			return err
		}
		*end.to = n
	}
	if from == "" && l.units {
		return errors.New("want a rate to begin with, as in 2/s..20/s, for the load in force is none")
	}
	if from == "" && r.From >= r.Most && r.Most > 0 {
		r.From = UsualRamp(Setpoint{Mode: r.Mode, N: r.From}, r.Most).From
	}
	return nil
}

// list reads loads that are all named.
func (l loadReader) list(r *Ramp, text string) error {
	parts := strings.Split(text, ",")
	if len(parts) < 2 {
		return fmt.Errorf("%s: want FROM..MOST, or a list of two loads at least, as in %s", excerpt(text), RampForms)
	}
	if len(parts) > mostSteps {
		return fmt.Errorf("%d loads: want at most %d", len(parts), mostSteps)
	}
	r.Rise, r.By, r.Loads = RiseList, 0, nil
	for _, part := range parts {
		n, err := l.load(part)
		if err != nil {
			return err
		}
		r.Loads = append(r.Loads, n)
	}
	r.From, r.Most = r.Loads[0], r.Loads[len(r.Loads)-1]
	return nil
}

// rise reads how the load goes up: x2 or +4.
func (l loadReader) rise(r *Ramp, word string) error {
	if number, ok := strings.CutPrefix(word, "x"); ok {
		f, err := strconv.ParseFloat(number, 64)
		if err != nil || strings.ContainsAny(number, "xX_pP") {
			return fmt.Errorf("step %s: want a factor, as in x2 or x1.5", excerpt(word))
		}
		r.Rise, r.By = RiseTimes, f
		return nil
	}
	own := loadReader{mode: l.mode}
	n, err := own.load(word[1:])
	if err != nil {
		return fmt.Errorf("step %s: %w", excerpt(word), err)
	}
	r.Rise, r.By = RiseAdd, n
	return nil
}

// cap reads what bounds a step: a time, or a number of requests.
func (r *Ramp) cap(text string) error {
	if n, err := strconv.Atoi(text); err == nil {
		r.CapRequests = n
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("cap %s: want a time or a number of requests, as in cap 30s or cap 200", excerpt(text))
	}
	r.Cap = d
	return nil
}

// Check tells whether a ramp can be begun: it rises from a load above 0 by at most 1,000 steps; a step multiplies by at most 16, and lasts 5 s to 1 h or 20 to
// 1,000,000 requests. What bounds the run's load is not asked.
func (r *Ramp) Check() error {
	set := func(n float64) string { return Setpoint{r.Mode, n}.String() }
	for _, n := range append([]float64{r.From, r.Most}, r.Loads...) {
		if !(n > 0 && n <= maxLoad) || r.Mode == Closed && n != math.Trunc(n) {
			return fmt.Errorf("load %s: want %s, above 0", set(n), allowedLoad(r.Mode))
		}
	}
	switch {
	case r.Rise == RiseList:
		for i := 1; i < len(r.Loads); i++ {
			if r.Loads[i] <= r.Loads[i-1] {
				return fmt.Errorf("%s after %s: want loads that rise", set(r.Loads[i]), set(r.Loads[i-1]))
			}
		}
	case r.Most <= r.From:
		return fmt.Errorf("%s..%s: want a range that rises", set(r.From), set(r.Most))
	case r.Rise == RiseTimes && !(r.By >= 1.01 && r.By <= mostFactor):
		return fmt.Errorf("step x%v: want a factor of 1.01 to %d", r.By, mostFactor)
	case r.Rise == RiseAdd && !(r.By > 0):
		return fmt.Errorf("step +%v: want more than 0", r.By)
	}
	switch n := len(r.Steps()); {
	case n > mostSteps:
		return fmt.Errorf("more than %d steps: want greater ones", mostSteps)
	case r.Cap < leastCap || r.Cap > mostCap:
		return fmt.Errorf("cap %v: want %s to %s", r.Cap, spanText(leastCap), spanText(mostCap))
	case r.CapRequests < 20 || r.CapRequests > mostCapRequests:
		return fmt.Errorf("cap %d: want 20 to %d requests", r.CapRequests, mostCapRequests)
	}
	return nil
}

// Steps are the loads that a ramp raises to while every promise is kept, in their order: the first From, the last Most. They are one more than may be where there are too many.
func (r *Ramp) Steps() []float64 {
	if r.Rise == RiseList {
		return r.Loads
	}
	var out []float64
	for n := r.From; n < r.Most && len(out) < mostSteps; {
		out = append(out, n)
		next := n + r.By
		if r.Rise == RiseTimes {
			next = n * r.By
		}
		if next = (Setpoint{r.Mode, next}).Round().N; next <= n {
			next = Setpoint{r.Mode, n + 1}.N
		}
		n = next
	}
	return append(out, r.Most)
}

// String is the ramp as ParseRamp reads it, with its caps where they are not the usual ones.
func (r *Ramp) String() string {
	unit := ""
	if r.Mode == Open {
		unit = "/s"
	}
	load := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) + unit }
	text := load(r.From) + ".." + load(r.Most)
	switch r.Rise {
	case RiseTimes:
		text += " x" + strconv.FormatFloat(r.By, 'f', -1, 64)
	case RiseAdd:
		text += " +" + strconv.FormatFloat(r.By, 'f', -1, 64)
	case RiseList:
		words := make([]string, len(r.Loads))
		for i, n := range r.Loads {
			words[i] = load(n)
		}
		text = strings.Join(words, ",")
	}
	if r.Cap != UsualCap {
		text += " cap " + spanText(r.Cap)
	}
	if r.CapRequests != UsualCapRequests {
		text += " cap " + strconv.Itoa(r.CapRequests)
	}
	if r.PastLimits {
		text += " past 429"
	}
	return text
}
