package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"redline/bench"
)

// Verb is something that can be done to a run.
type Verb struct {
	// Name is its path behind /v1/, and its word of the command line.
	Name string `json:"verb"`
	// About says what it does, Forms how its words are written on a command line.
	About string `json:"about"`
	Forms string `json:"-"`
	// Takes are the fields of its body.
	Takes []Field `json:"takes"`

	// read makes the command, and what the log says of it.
	read func(b body, s *bench.Snapshot) (bench.Command, string, error)
	// words makes a body of words of a command line.
	words func(args []string) (map[string]any, error)
}

// Field is a field of a verb's body.
type Field struct {
	Name  string `json:"field"`
	About string `json:"about"`
}

// yes is the field by which a question is answered with the command that makes it.
var yes = Field{"yes", "true answers the question that it may make"}

// Verbs are all that can be done, in the order in which they are told.
var Verbs = []*Verb{
	{Name: "load", About: "change the load, in the unit of the loop in force", Forms: "16 | +4 | -4 | x2 | 50% | 2.5/s",
		Takes: []Field{{"set", "the load: requests in flight, or arrivals a second; \"2.5/s\" is only a rate"}, {"add", "what is added, or taken away below 0"}, {"times", "the factor"}, yes}, read: readLoad, words: loadWords},
	{Name: "note", About: "mark this instant on the lanes; a level begins", Forms: "TEXT", Takes: []Field{{"text", "the note"}}, read: readNote, words: textWords("text")},
	plain("pause", "send nothing more; what runs may finish", bench.Pause{}),
	plain("resume", "send again; a level begins", bench.Resume{}),
	plain("drain", "pause, and cut what still runs at the drain's deadline", bench.Drain{}),
	plain("cancel", "load 0, and cut what is in flight", bench.Cancel{}),
	plain("undo", "go back to the load before", bench.Undo{}, yes),
	plain("redo", "go forward to the load that was taken back", bench.Redo{}, yes),
	plain("flip", "go to the load before the last change, and again back", bench.Flip{}, yes),
	plain("loop", "close the loop, or open it", bench.Switch{}, yes),
	plain("workload", "go on to the next workload; a level begins", bench.NextWork{}),
	plain("other", "drive the next target of several", bench.Other{}),
	plain("both", "drive all targets at the same load, or one alone again", bench.Both{}),
	{Name: "promise", About: "put a promise in force, or drop one", Forms: "PROMISE | drop PROMISE",
		Takes: []Field{{"promise", "as --slo has it, such as ttft.p95<=500ms"}, {"drop", "the promise to drop"}}, read: readPromise, words: promiseWords},
	{Name: "ramp", About: "look for the redline, or end the search", Forms: "[4..64 x2] | end", Takes: []Field{{"ramp", "the loads, such as " + bench.RampForms + "; empty is the usual one"}, ending}, read: readRamp, words: sheetWords("ramp")},
	{Name: "cruise", About: "keep a promise at its edge, or end that", Forms: "PROMISE [4..64] | end", Takes: []Field{{"cruise", "the promise and its bounds, such as " + bench.CruiseForms}, ending}, read: readCruise, words: sheetWords("cruise")},
	{Name: "profile", About: "follow a profile, or go on with the one that the hand has taken over from", Forms: "[4:1m,8:1m]", Takes: []Field{{"profile", "as --profile has it; empty goes on"}, yes}, read: readProfile, words: sheetWords("profile")},
	plain("clear", "forget what was measured so far", bench.Clear{}, yes),
	{Name: "answer", About: "answer the open question", Forms: "yes [NUMBER] | no [NUMBER]", Takes: []Field{{"yes", "true or false"}, {"id", "the question's number, so that no other is answered: one that changes is another; without it whichever is open"}}, read: readAnswer, words: answerWords},
	{Name: "stop", About: "end the run; what runs may finish", Forms: "[now]", Takes: []Field{{"now", "true cuts what is in flight"}}, read: readStop, words: stopWords},
}

var ending = Field{"end", "true ends it; the load stays"}

// VerbOf is the verb of a name; nil where there is none.
func VerbOf(name string) *Verb {
	if i := slices.IndexFunc(Verbs, func(v *Verb) bool { return v.Name == name }); i >= 0 {
		return Verbs[i]
	}
	return nil
}

// plain is a verb that is one command.
func plain(name, about string, c bench.Command, takes ...Field) *Verb {
	return &Verb{Name: name, About: about, Takes: append([]Field{}, takes...),
		read: func(body, *bench.Snapshot) (bench.Command, string, error) { return c, name, nil },
		words: func(args []string) (map[string]any, error) {
			if len(args) > 0 {
				return nil, fmt.Errorf("%s: want nothing behind it", name)
			}
			return map[string]any{}, nil
		}}
}

// Body is the body of the verb for words of a command line; an error says what may be written.
func (v *Verb) Body(args []string) (map[string]any, error) { return v.words(args) }

// body is a decoded body.
type body map[string]json.RawMessage

// decode reads a body: an object with none but the verb's fields. Nothing at all is an object without any.
func (v *Verb) decode(text []byte) (body, error) {
	b := body{}
	if strings.TrimSpace(string(text)) == "" {
		return b, nil
	}
	if err := json.Unmarshal(text, &b); err != nil || b == nil {
		return nil, errors.New("want one JSON object")
	}
	for name := range b {
		if !slices.ContainsFunc(v.Takes, func(f Field) bool { return f.Name == name }) {
			return nil, fmt.Errorf("%s takes no field %.40q", v.Name, name)
		}
	}
	return b, nil
}

// has tells whether a field is there, and is not null.
func (b body) has(name string) bool { return len(b[name]) > 0 && string(b[name]) != "null" }

// text is a text; empty where there is none.
func (b body) text(name string) (string, error) {
	var out string
	if b.has(name) && json.Unmarshal(b[name], &out) != nil {
		return "", fmt.Errorf("%s: want a text", name)
	}
	return strings.TrimSpace(out), nil
}

// number is a number.
func (b body) number(name string) (float64, error) {
	var out float64
	if err := json.Unmarshal(b[name], &out); err != nil || math.Abs(out) > mostNumber {
		return 0, fmt.Errorf("%s: want a number up to %d", name, int(mostNumber))
	}
	return out, nil
}

// mostNumber is more than any load.
const mostNumber = 1 << 20

// truth is a yes or no; no where it is left out.
func (b body) truth(name string) (bool, error) {
	var out bool
	if b.has(name) && json.Unmarshal(b[name], &out) != nil {
		return false, fmt.Errorf("%s: want true or false", name)
	}
	return out, nil
}

// figure is a number as the log has it.
func figure(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// Asks tells whether it may make a question.
func (v *Verb) Asks() bool {
	return slices.ContainsFunc(v.Takes, func(f Field) bool { return f == yes })
}
