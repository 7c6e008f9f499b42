package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/load"
	"redline/bench/workload"
)

// readStages is the text of a table of a profile: stages as one text, or as a list of them.
func readStages(d *document, s *section, found *problems) (string, bool) {
	text, before := "", len(found.list)
	for _, e := range s.entries {
		if e.key != "stages" {
			found.addAt(d.at(s, e), s.prefix+shownKey(e.key), "there is no such key here; there is stages")
			continue
		}
		text = strings.Join(listOf(e.value), ", ")
		if text == "" {
			found.addAt(d.at(s, e), s.prefix+e.key, `want a text in quotes or a list of them, as in ["4:1m", "ramp 4..32 in 2m"]`)
		} else if _, err := bench.ParseProfileIn(text, bench.Closed); err != nil {
			found.addAt(d.at(s, e), s.prefix+e.key, err.Error())
		}
	}
	if text == "" && len(found.list) == before {
		found.addAt(origin{source: fromFile, name: d.path, line: s.line}, s.prefix+"stages", `want the stages of the profile, as in "4:1m, ramp 4..32 in 2m"`)
	}
	return text, len(found.list) == before
}

// prepare makes workloads and a profile of what was asked for, and holds the loads against their bounds.
func (l *loading) prepare(ctx context.Context, d *document, public bool, found *problems) {
	l.specs, l.texts = nil, nil
	for _, text := range l.works {
		if spec, ok := l.work(text, d, found); ok {
			l.specs, l.texts = append(l.specs, spec), append(l.texts, text)
		}
	}
	if len(l.works) == 0 {
		spec := workload.Default()
		for _, of := range []struct{ key, value string }{{"input-tokens", string(l.inputTokens)}, {"output-tokens", string(l.outputTokens)}} {
			if of.value != "" {
				_ = spec.Set(of.key, of.value) // Its flag has read it before.
			}
		}
		spec.Max = l.maxTokens
		l.specs = append(l.specs, spec)
	}
	l.bound(public, found)
	if l.profile != "" {
		l.follow(ctx, d, found)
	}
}

// work is one workload: a table of the file by its name, or as it was written. --max-tokens bounds those that say nothing themselves.
func (l *loading) work(text string, d *document, found *problems) (workload.Spec, bool) {
	var spec workload.Spec
	if s := d.table("workloads", text); s != nil {
		var ok bool
		if spec, ok = readWork(text, s.of, s, found); !ok {
			return spec, false
		}
	} else {
		var err error
		if spec, err = workload.Parse(text); err != nil {
			found.add("workload", text, reason(err))
			return spec, false
		}
		if names := d.names("workloads"); len(names) > 0 && spec.File == text && tableName(text) && !there(text) {
			found.add("workload", text, "there is no such file, nor such a table; want one of the file's workloads"+oneOf(names)+mayBeMeant(text, names))
			return spec, false
		}
	}
	if spec.Max == 0 && found.from.asked("max-tokens") {
		spec.Max = l.maxTokens
	}
	return spec, true
}

// reason is an error without the value that it begins with, which is told beside it.
func reason(err error) string {
	if _, rest, ok := strings.Cut(err.Error(), ": "); ok {
		return rest
	}
	return err.Error()
}

// bound holds the first load against the bounds; those of public hosts are lower unless the operator says otherwise.
func (l *loading) bound(public bool, found *problems) {
	asked := found.from.asked
	if public && !asked("max") {
		l.max = publicMax
	}
	if public && !asked("max-rate") {
		l.maxRate = publicMaxRate
	}
	if l.targets > 1 {
		l.boundEach(found)
		return
	}
	load, most := fmt.Sprint(l.concurrency), fmt.Sprint(l.max)
	switch {
	case l.concurrency <= l.max:
	case public && !asked("max"):
		found.add("concurrency", load, fmt.Sprintf("want at most %d, the bound on public hosts; give --max to raise it", l.max))
	case !asked("max"):
		found.add("concurrency", load, fmt.Sprintf("want 0 to %d (raise --max)", l.max))
	default:
		found.add("max", most, fmt.Sprintf("want at least %d, the value of --concurrency", l.concurrency))
	}
	switch {
	case l.rate <= l.maxRate:
	case public && !asked("max-rate"):
		found.add("rate", l.rate.String(), fmt.Sprintf("want at most %s, the bound on public hosts; give --max-rate to raise it", l.maxRate))
	case !asked("max-rate"):
		found.add("rate", l.rate.String(), fmt.Sprintf("want at most %s (raise --max-rate)", l.maxRate))
	default:
		found.add("max-rate", l.maxRate.String(), fmt.Sprintf("want at least %s, the value of --rate", l.rate))
	}
}

// follow reads the profile and holds the most of it against the bounds.
func (l *loading) follow(ctx context.Context, d *document, found *problems) {
	p, err := l.readProfile(ctx, d, found)
	if err != nil {
		found.add("profile", l.profile, err.Error())
		return
	}
	if p == nil {
		return
	}
	switch most := p.Most(); {
	case p.Mode == bench.Closed && found.from.asked("rate"):
		found.add("profile", l.profile, "want no --rate with it; its loads are requests in flight")
	case p.Mode == bench.Open && found.from.asked("concurrency"):
		found.add("profile", l.profile, "want no --concurrency with it; its loads are rates")
	case p.Mode == bench.Closed && most > float64(l.max):
		found.add("profile", l.profile, fmt.Sprintf("want at most %d in flight, it comes to %.0f (raise --max)", l.max, most))
	case p.Mode == bench.Open && rate(most) > l.maxRate:
		found.add("profile", l.profile, fmt.Sprintf("want at most %s, it comes to %s (raise --max-rate)", l.maxRate, rate(most)))
	}
	l.plan = p
}

// readProfile is the profile: a table of the file by its name, a file of its own, or stages as they were written.
func (l *loading) readProfile(ctx context.Context, d *document, found *problems) (*bench.Profile, error) {
	text := l.profile
	if s := d.table("profiles", text); s != nil {
		stages, ok := readStages(s.of, s, found)
		if !ok {
			return nil, nil
		}
		p, err := bench.ParseProfileIn(stages, bench.Closed)
		if p != nil {
			p.Text = text
		}
		return p, err
	}
	mode := bench.Closed
	if found.from.asked("rate") {
		mode = bench.Open
	}
	if strings.HasSuffix(text, ".toml") {
		return profileFile(ctx, text, mode)
	}
	p, err := bench.ParseProfileIn(text, mode)
	if err != nil {
		if tableName(text) {
			return nil, fmt.Errorf("want stages, as in '4:1m, ramp 4..32 in 2m', or one of the file's profiles%s", oneOf(d.names("profiles")))
		}
		return nil, errors.New(reason(err))
	}
	return p, nil
}

// load is the load to begin with.
func (l *loading) load() bench.Setpoint {
	switch {
	case l.plan != nil && l.plan.Mode == bench.Open:
		n, _, _ := l.plan.From(float64(l.rate)).At(0)
		return bench.PerSecond(n).Round()
	case l.plan != nil:
		n, _, _ := l.plan.From(float64(l.concurrency)).At(0)
		return bench.Setpoint{N: n}.Round()
	case l.rate > 0:
		return bench.PerSecond(float64(l.rate)).Round()
	}
	return bench.InFlight(l.concurrency)
}

// profileFile is the profile of a file.
func profileFile(ctx context.Context, path string, mode bench.Mode) (*bench.Profile, error) {
	text, err := readRegular(ctx, path, profileSize)
	if err != nil {
		return nil, err
	}
	return load.ReadProfile(bytes.NewReader(text), path, mode)
}

// profileSize bounds a file of a profile: more than any needs.
const profileSize = 2 << 20

// open makes the workloads ready to be sent from, which reads their files until ctx ends. A trace that has times is replayed with them, unless the operator says otherwise.
func (l *loading) open(ctx context.Context, found *problems) {
	if l.seed == 0 {
		l.seed = rand.Uint64()
	}
	for i, spec := range l.specs {
		source, err := workload.Open(ctx, spec, l.seed)
		if err == nil {
			l.sources = append(l.sources, source)
			continue
		}
		if ctx.Err() != nil {
			return // Whoever ended it knows.
		}
		if i < len(l.texts) {
			found.add("workload", l.texts[i], reason(err))
		} else {
			found.add("input-tokens", string(l.inputTokens), reason(err))
		}
	}
	l.replay(found)
}

// replay lets a trace that has times be sent as it was, or so many times as fast, unless the operator says how much is to be sent, and how.
func (l *loading) replay(found *problems) {
	if len(l.sources) == 0 {
		return
	}
	asked, own := found.from.asked, l.sources[0].Words().Rate
	trace := origin{source: fromTrace, name: l.sources[0].Words().Name}
	// Another workload may be the one with times, to be switched to.
	timed := slices.IndexFunc(l.sources, func(s *workload.Source) bool { return s.Words().Rate > 0 })
	if timed >= 0 && !asked("arrivals") {
		l.arrivals.Shape, found.from["arrivals"] = bench.Recorded, origin{source: fromTrace, name: l.sources[timed].Words().Name}
	}
	switch {
	case timed < 0 && l.arrivals.Shape == bench.Recorded:
		found.add("arrivals", l.arrivals.String(), "want a workload that is a trace with times")
	case own == 0 && asked("speed"):
		found.add("speed", fmt.Sprint(l.speed), "want a first workload that is a trace with times")
	case own == 0:
	case asked("rate") || asked("concurrency") || l.plan != nil:
		if asked("speed") {
			found.add("speed", fmt.Sprint(l.speed), "want no --rate, --concurrency or --profile with it; each says how much is sent")
		}
	default:
		l.rate, found.from["rate"] = rate(own*l.speed), trace
		if l.rate > l.maxRate {
			found.add("speed", fmt.Sprint(l.speed), fmt.Sprintf("want at most %.3g: at its own rate the trace has %.3g/s, and the bound is %s (raise --max-rate)",
				float64(l.maxRate)/own, own, l.maxRate))
		}
	}
}
