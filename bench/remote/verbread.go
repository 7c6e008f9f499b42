package remote

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"redline/bench"
)

// longestNote bounds a note, in bytes: as many as can be typed on the screen.
const longestNote = 200

func readLoad(b body, s *bench.Snapshot) (bench.Command, string, error) {
	given := 0
	for _, name := range []string{"set", "add", "times"} {
		if b.has(name) {
			given++
		}
	}
	if given != 1 {
		return nil, "", errors.New("load: want one of set, add and times, as in {\"set\":16}, {\"add\":4} or {\"times\":2}")
	}
	switch {
	case b.has("set"):
		n, err := setpoint(b, s.Target.Mode)
		return bench.Set{N: n}, "load " + figure(n), err
	case b.has("add"):
		n, err := b.number("add")
		if err == nil && s.Target.Mode == bench.Closed && n != float64(int(n)) {
			err = fmt.Errorf("add: want a whole number of requests in flight, not %s", figure(n))
		}
		text := figure(n)
		if n >= 0 {
			text = "+" + text
		}
		return bench.Add{N: n}, "load " + text, err
	}
	n, err := b.number("times")
	if err == nil && !(n > 0 && n <= 1000) {
		err = errors.New("times: want a factor above 0, up to 1000")
	}
	return bench.Times{F: n}, "load x" + figure(n), err
}

// setpoint is the load of a body: a number in the unit of the loop in force, or a rate in words, which is a load of the open loop alone.
func setpoint(b body, mode bench.Mode) (float64, error) {
	if n, err := b.number("set"); err == nil {
		switch {
		case n < 0:
			return 0, errors.New("set: want 0 or more")
		case mode == bench.Closed && n != float64(int(n)):
			return 0, fmt.Errorf("set: want a whole number of requests in flight, not %s", figure(n))
		}
		return n, nil
	}
	text, err := b.text("set")
	if err != nil || text == "" {
		return 0, fmt.Errorf("set: want a number up to %d, or a rate such as \"2.5/s\"", int(mostNumber))
	}
	n, err := bench.ParseRate(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("set: %w", err)
	case mode == bench.Closed && strings.Contains(text, "/"):
		return 0, errors.New("set: want requests in flight, since the loop is closed; the verb loop opens it")
	case mode == bench.Closed && n != float64(int(n)):
		return 0, fmt.Errorf("set: want a whole number of requests in flight, not %s", figure(n))
	case n > mostNumber:
		return 0, fmt.Errorf("set: want a number up to %d", int(mostNumber))
	}
	return n, nil
}

func readNote(b body, _ *bench.Snapshot) (bench.Command, string, error) {
	text, err := b.text("text")
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	switch {
	case err != nil:
		return nil, "", err
	case text == "":
		return nil, "", errors.New("text: want the note, as in {\"text\":\"max_num_seqs 256\"}")
	case len(text) > longestNote:
		return nil, "", fmt.Errorf("text: want at most %d bytes, not %d", longestNote, len(text))
	}
	return bench.Note{Text: text}, "note", nil
}

func readPromise(b body, _ *bench.Snapshot) (bench.Command, string, error) {
	promise, err := b.text("promise")
	drop, wrong := b.text("drop")
	text := promise + drop
	switch {
	case err != nil || wrong != nil:
		return nil, "", errors.Join(err, wrong)
	case (promise == "") == (drop == ""):
		return nil, "", errors.New("promise: want one of promise and drop, as in {\"promise\":\"ttft.p95<=500ms\"}")
	case drop != "" && !strings.ContainsAny(drop, "<>≤≥"):
		// What is dropped is known by its number; its limit is no matter.
		if strings.HasPrefix(strings.ToLower(drop), "tps") {
			text += ">=1"
		} else {
			text += "<=1"
		}
	}
	t, err := bench.ParseThreshold(text)
	if err != nil {
		return nil, "", err
	}
	if drop != "" {
		name := strings.ToLower(t.Metric.String())
		if t.At != bench.Mean {
			name += "." + t.At.String()
		}
		return bench.Promise{Threshold: t, Drop: true}, "promise on " + name + " dropped", nil
	}
	return bench.Promise{Threshold: t}, "promise " + t.String(), nil
}

// most is the greatest load of a mode that may be set.
func most(s *bench.Snapshot) func(bench.Mode) float64 {
	return func(mode bench.Mode) float64 {
		if mode == bench.Open {
			return s.Run.MaxRate
		}
		return float64(s.Run.Max)
	}
}

func readRamp(b body, s *bench.Snapshot) (bench.Command, string, error) {
	text, err := b.text("ramp")
	end, wrong := b.truth("end")
	switch {
	case err != nil || wrong != nil:
		return nil, "", errors.Join(err, wrong)
	case end:
		return bench.Seek{}, "ramp ended", nil
	case text == "":
		r := bench.UsualRamp(s.Target, most(s)(s.Target.Mode))
		return bench.Seek{Ramp: r}, "ramp " + r.String(), r.Check()
	}
	r, err := bench.ParseRamp(text, s.Target, most(s))
	if err != nil {
		return nil, "", err
	}
	return bench.Seek{Ramp: r}, "ramp " + r.String(), nil
}

func readCruise(b body, s *bench.Snapshot) (bench.Command, string, error) {
	text, err := b.text("cruise")
	end, wrong := b.truth("end")
	switch {
	case err != nil || wrong != nil:
		return nil, "", errors.Join(err, wrong)
	case end:
		return bench.Steer{}, "cruise ended", nil
	}
	mode := s.Target.Mode
	usual := bench.UsualCruise(bench.Threshold{}, mode, most(s)(mode))
	c, err := bench.ParseCruise(text, usual, mode, s.Run.Thresholds)
	if err != nil {
		return nil, "", err
	}
	return bench.Steer{Cruise: c}, "cruise on " + c.Threshold.String(), nil
}

func readProfile(b body, s *bench.Snapshot) (bench.Command, string, error) {
	text, err := b.text("profile")
	if err != nil {
		return nil, "", err
	}
	if text == "" {
		return bench.Follow{}, "profile goes on", nil
	}
	p, err := bench.ParseProfileIn(text, s.Target.Mode)
	if err != nil {
		return nil, "", err
	}
	return bench.Follow{Profile: p}, "profile", nil
}

func readAnswer(b body, s *bench.Snapshot) (bench.Command, string, error) {
	if !b.has("yes") {
		return nil, "", errors.New("answer: want yes, true or false")
	}
	said, err := b.truth("yes")
	if err != nil {
		return nil, "", err
	}
	if s.Ask == nil {
		return nil, "", fmt.Errorf("answer: no question is open%w", errClosed)
	}
	id := s.Ask.ID
	if b.has("id") {
		n, err := b.number("id")
		if err != nil {
			return nil, "", err
		}
		if id = int(n); id != s.Ask.ID {
			return nil, "", fmt.Errorf("answer: question %d is not open, %d is%w", id, s.Ask.ID, errClosed)
		}
	}
	return bench.Answer{ID: id, Yes: said}, answerText(said), nil
}

// errClosed goes with the errors of answers to what is not asked. It adds no words.
var errClosed = errors.New("")

func answerText(yes bool) string {
	if yes {
		return "answer yes"
	}
	return "answer no"
}

func readStop(b body, _ *bench.Snapshot) (bench.Command, string, error) {
	now, err := b.truth("now")
	if now {
		return bench.Kill{Why: "quit"}, "stop now", err
	}
	return bench.Stop{Why: "quit"}, "stop", err
}
