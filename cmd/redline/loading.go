package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"redline/bench"
	"redline/bench/report"
	"redline/bench/workload"
)

// loading is what is sent, and how much of it at a time.
type loading struct {
	concurrency, max int
	// targets are those that are driven, which have max and maxRate together; 0 is one.
	targets int
	// rate and maxRate are in arrivals a second.
	rate, maxRate rate
	arrivals      bench.Arrivals
	// speed is how many times as fast as it was a trace is replayed.
	speed   float64
	profile string
	// cruise is which promise is kept at its edge from the start, and within which loads, as it was written.
	cruise string
	warmup int
	seed   uint64
	// scenario is its name; works are the workloads as they were given. The rest shapes the synthetic one that is sent where none was.
	scenario                  string
	works                     []string
	inputTokens, outputTokens lengths
	maxTokens                 int

	// plan and specs are what check made of profile and works, course what it made of cruise (nil for none), aim what the scenario is about; texts are the works of which there are specs.
	plan   *bench.Profile
	course *bench.Cruise
	specs  []workload.Spec
	texts  []string
	// sources are the workloads, opened.
	sources []*workload.Source
	aim     report.Aim
}

// Bounds of the load. A run is bounded by 256 in flight and 1,000 a second unless the operator says otherwise, by 32 and 10 where a stranger's server or a
// purse may be hurt.
const (
	maxLoad        = 20_000
	defaultMax     = 256
	publicMax      = 32
	defaultMaxRate = 1000
	publicMaxRate  = 10
	largestRate    = 100_000
	demoLoad       = 8
	maxWarmup      = 100_000
	maxWorks       = 16
)

func defaultLoading() loading {
	return loading{concurrency: 1, max: defaultMax, maxRate: defaultMaxRate, speed: 1, scenario: scenarios[0].name}
}

func (l *loading) define(f flags) {
	f.count(&l.concurrency, "concurrency", "c", 0, maxLoad, "requests in flight at the start (8 with the simulated server)")
	f.count(&l.max, "max", "", 1, maxLoad, "bound of the requests in flight (32 on public hosts)")
	f.rate(&l.rate, "rate", "requests a second (2.5) or a minute (150/m) at the start, whether or not earlier ones have ended; in place of -c")
	f.rate(&l.maxRate, "max-rate", "bound of the rate (10/s on public hosts)")
	define(f, &l.arrivals, "arrivals", "", "SPREAD", "how arrivals at a rate are spread: "+strings.Join(arrivalNames, ", ")+" (default poisson; recorded with a trace)", bench.ParseArrivals)
	define(f, &l.speed, "speed", "", "AMOUNT", "replay a trace with times at so many times its own rate", parseSpeed)
	f.StringVar(&l.profile, "profile", "", "follow a planned load: `STAGES` as in '4:1m, ramp 4..32 in 2m', a file .toml, or the name of one of the file of settings")
	f.StringVar(&l.cruise, "cruise", "", "keep a promise at its edge from the start by moving the load: `PROMISE` as in ttft.p95, or 'ttft.p95<=500ms in 4..64' within these loads")
	f.count(&l.warmup, "warmup", "", 0, maxWarmup, "requests before the measuring begins")
}

func (l *loading) definePrompts(f flags) {
	define(f, &l.scenario, "scenario", "", "NAME", "promises and lengths that belong together: "+strings.Join(scenarioNames(), ", "), nameOfScenario)
	f.VarP(&list{to: &l.works, name: "workload", kind: "SPEC", most: maxWorks, found: f.found}, "workload", "",
		"what to send, repeatable: a data set, a trace, or synthetic, as in 'short=synthetic,in=128,out=64'; w goes to the next")
	f.lengths(&l.inputTokens, "input-tokens", "length of synthetic prompts: a number, or a spread as in 'lognormal(512,0.6)'")
	f.lengths(&l.outputTokens, "output-tokens", "length that synthetic prompts ask of their answers; it is their bound unless --max-tokens is given")
	f.count(&l.maxTokens, "max-tokens", "", 1, 1_000_000, "bound of the answers (default: that of the scenario)")
	f.seed(&l.seed, "seed", "seed of the prompts; 0 takes a new one each time, so that no cache of an earlier run flatters")
}

var arrivalNames = []string{"poisson", "constant", "gamma:0.5", "recorded"}

// rate is arrivals a second, as flags show it.
type rate float64

// String is the rate as ParseRate reads it.
func (r rate) String() string { return strconv.FormatFloat(float64(r), 'g', -1, 64) + "/s" }

// rate defines a rate of arrivals, above 0.
func (f flags) rate(to *rate, name, usage string) {
	define(f, to, name, "", "RATE", usage, func(s string) (rate, error) {
		v, err := bench.ParseRate(s)
		if err != nil || !(v > 0) || v > largestRate {
			return 0, fmt.Errorf("want requests a second or a minute, above 0 and at most %d/s, as in 2.5, 2.5/s or 150/m", largestRate)
		}
		return rate(v), nil
	})
}

// parseSpeed reads how many times as fast as it was a trace is replayed.
func parseSpeed(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimPrefix(text, "x"), 64)
	if err != nil || !(v >= 0.001 && v <= 1000) {
		return 0, errors.New("want 0.001 to 1000, as in 2 or 0.5")
	}
	return v, nil
}

// lengths is how long prompts or answers are, as the operator wrote it.
type lengths string

// lengths defines a length of prompts or answers: a number of tokens, or how they are spread.
func (f flags) lengths(to *lengths, name, usage string) {
	define(f, to, name, "", "TOKENS", usage, func(s string) (lengths, error) {
		var spec workload.Spec
		if err := spec.Set(name, s); err != nil {
			return "", errors.New(reason(err))
		}
		return lengths(s), nil
	})
}

// list is a flag that may be given several times.
type list struct {
	to         *[]string
	name, kind string
	most       int
	found      *problems
}

// String is empty: there is no default.
func (l *list) String() string { return "" }

// Type is the kind of value as help shows it.
func (l *list) Type() string { return l.kind }

// Set adds a value; it never fails (see option).
func (l *list) Set(text string) error {
	switch text = strings.TrimSpace(text); {
	case text == "":
		l.found.add(l.name, text, "want a "+strings.ToLower(l.kind)+" that is not empty")
	case slices.Contains(*l.to, text):
		l.found.add(l.name, text, "want each of them once")
	case len(*l.to) == l.most:
		l.found.add(l.name, text, fmt.Sprintf("want at most %d of them", l.most))
	default:
		*l.to = append(*l.to, text)
	}
	return nil
}
