package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"time"

	"redline/bench/client"
	"redline/bench/health"
	"redline/bench/report"
	"redline/themes"
)

// target is the endpoint to drive, once the flags have been checked.
type target struct {
	// base is the URL as given; empty for the embedded simulated server, whose address is not known yet.
	base         string
	demo, public bool
	// outside: its own host is public, whatever the others of a comparison are.
	outside bool
	// away: not this machine.
	away bool
	key  client.Secret
	// monitor watches the process, where another target's already does.
	monitor *health.Monitor
	// keyNote says that a key was found but not sent; notes are what else the operator should know of the settings.
	keyNote string
	notes   []string
}

// check completes the settings (what depends on the target, and on what was asked for) and notes all that does not fit together.
func (m *Main) check(ctx context.Context, s *settings, r *resolution, found *problems) target {
	asked := found.from.asked
	t := m.checkTarget(ctx, s, found)
	t.notes = r.notes
	t.public = t.public || s.amongPublic
	if t.demo && !asked("concurrency") {
		s.concurrency = min(demoLoad, s.max)
	}
	if t.demo && !asked("step") {
		s.step = demoStep
	}
	s.prepare(ctx, r.file, t.public, found)
	if t.public && !asked("budget-tokens") {
		s.budgetTokens = publicTokens
	}
	s.checkPrices(asked, found)
	s.checkLimits(asked, found)
	if text := tooFewDescriptors(m.Files(), s.load().Slots()); text != "" {
		found.add("concurrency", strconv.Itoa(s.concurrency), text)
	}
	m.checkScreen(s, found)
	m.checkRecord(s, r.flags, found)
	return t
}

// checkPrices completes the prices.
func (s *settings) checkPrices(asked func(string) bool, found *problems) {
	amount := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	p := &s.prices
	switch {
	case asked("gpus") && p.GPUHour == 0:
		found.add("gpus", strconv.Itoa(p.GPUs), "want --gpu-hour, what one of them costs an hour, with it")
	case p.Cached.OK && p.Cached.V > p.Input:
		found.add("price-cached", amount(p.Cached.V), "want at most the price of other prompt tokens, --price-in, which is "+amount(p.Input))
	}
	s.countGPUs()
	if s.budget > 0 && !p.Set() {
		found.add("budget", amount(s.budget), "want --price-in, --price-out or --gpu-hour with it; without prices use --budget-tokens")
	}
}

// countGPUs takes an hour's price without a number of GPUs for that of one.
func (s *settings) countGPUs() {
	if s.prices.GPUHour > 0 && s.prices.GPUs == 0 {
		s.prices.GPUs = 1
	}
}

// checkLimits holds the parts of a request's time against the whole: parts that were not asked for shrink to it.
func (s *settings) checkLimits(given func(string) bool, found *problems) {
	for _, part := range []struct {
		flag  string
		limit *time.Duration
	}{{"connect-timeout", &s.limits.connect}, {"first-token-timeout", &s.limits.firstToken}, {"idle-timeout", &s.limits.idle}} {
		switch {
		case *part.limit <= s.limits.total:
		case given(part.flag):
			found.add(part.flag, part.limit.String(), fmt.Sprintf("want at most %s, the value of --timeout", s.limits.total))
		default:
			*part.limit = s.limits.total
		}
	}
}

// checkScreen finds out whether there is a screen at all, and whether the theme can be read.
func (m *Main) checkScreen(s *settings, found *problems) {
	s.headless.plain = s.screen.plain && found.from.asked("plain")
	s.screen.plain = s.screen.plain || s.headless.asked || !m.terminal()
	s.screen.unicode = !s.screen.ascii && found.from.asked("ascii")
	if s.paused && s.screen.plain {
		found.addSwitch("paused", "want a terminal with it; in plain output there is nobody who could start the run")
	}
	if i, err := os.Stat(s.screen.saveDir); err != nil || !i.IsDir() {
		found.add("save-dir", s.screen.saveDir, "want a folder that is there")
	}
	theme, err := themes.Load(themes.Resolve(s.screen.theme, "", m.text), m.text)
	if err != nil {
		found.add("theme", s.screen.theme, err.Error())
		return
	}
	s.screen.look = theme
}

func (m *Main) checkTarget(ctx context.Context, s *settings, found *problems) target {
	given := found.from.asked
	if !given("url") {
		for _, f := range []struct{ name, value string }{{"model", s.model}, {"api-key-env", shownName(s.keyEnv)}, {"api-key-file", shownPath(s.keyFile)}} {
			if given(f.name) {
				found.add(f.name, f.value, "want --url with it; without --url the embedded simulated server is driven")
			}
		}
		s.protocol.check(ctx, nil, true, given, found)
		s.metrics.check(nil, true, given, found)
		return target{demo: true}
	}
	if given("preset") {
		found.add("preset", s.preset.String(), "want no --url with it; it is the kind of the embedded simulated server")
	}
	u, err := parseTarget(s.url)
	if err != nil {
		found.add("url", report.ShownURL(s.url), err.Error())
		u = nil
	}
	t := target{}
	s.protocol.check(ctx, u, false, given, found)
	s.metrics.check(u, false, given, found)
	if where := found.from["url"]; where.stranger {
		t.keyNote = m.keepKeys(s, where, found)
	} else {
		t.key, t.keyNote = keyFrom(ctx, s, u, m.Env, found)
	}
	if u != nil {
		t.base, t.away = u.String(), !loopback(u)
		t.public = public(ctx, u.Hostname(), m.Resolve)
		t.outside = t.public
	}
	return t
}

// hostOf is the host and port of a URL, for the screen.
func hostOf(base string) string {
	if u, err := url.Parse(base); err == nil && u.Host != "" {
		return u.Host
	}
	return base
}
