package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"redline/bench"
	"redline/bench/report"
)

// several are the targets of a run, where there are more than one.
type several struct {
	// urls and names are those that --url and --target gave, in their order; ranked is the list of --targets.
	urls, names []string
	ranked      string
	// place is the one that these settings are of, where they are not those of the first.
	place *mention
	// amongPublic: another target of the run is a public host, so that its bounds are those of all.
	amongPublic bool
}

// mention is one of several targets: the flag that names it, and how.
type mention struct{ flag, text string }

// mostTargets bounds the targets of a run; mostPaired those that one screen compares.
const (
	mostTargets = 16
	mostPaired  = 2
)

// naming is a flag that names a target, once for each of them; the first is the one that settings are of by themselves.
type naming struct {
	kind string
	to   *string
	all  *[]string
}

// String is the first target.
func (n *naming) String() string {
	if n.to == nil {
		return ""
	}
	return *n.to
}

// Type is the kind of value as help shows it.
func (n *naming) Type() string { return n.kind }

// Set takes one more target.
func (n *naming) Set(text string) error {
	if *n.all = append(*n.all, text); len(*n.all) == 1 {
		*n.to = text
	}
	return nil
}

// mentions are the targets that the flags name, where they are several.
func (v *several) mentions(found *problems) []mention {
	var out []mention
	for _, of := range []struct {
		flag  string
		texts []string
	}{{"url", v.urls}, {"target", v.names}} {
		if len(of.texts) > mostPaired {
			found.add(of.flag, report.ShownURL(of.texts[len(of.texts)-1]), fmt.Sprintf("want it %d times at most; --targets ranks any number up to %d", mostPaired, mostTargets))
		}
		for _, text := range of.texts {
			out = append(out, mention{of.flag, text})
		}
	}
	if len(out) < 2 {
		out = nil
	}
	if v.ranked == "" {
		return out
	}
	if len(v.urls)+len(v.names) > 0 {
		found.addSwitch("targets", "want no --url or --target with it; it names all of them")
	}
	out = nil
	for text := range strings.SplitSeq(v.ranked, ",") {
		if text = strings.TrimSpace(text); strings.Contains(text, "://") {
			out = append(out, mention{"url", text})
		} else if text != "" {
			out = append(out, mention{"target", text})
		}
	}
	if len(out) < 2 || len(out) > mostTargets {
		found.add("targets", report.ShownURL(v.ranked), fmt.Sprintf("want 2 to %d URLs or names of targets, with commas between", mostTargets))
	}
	return out
}

// choosePlace makes the target of these settings the one that their place names, as if a flag had named it alone.
func (s *settings) choosePlace(from origins) {
	if s.place == nil {
		return
	}
	for _, flag := range []string{"url", "target", "targets"} {
		delete(from, flag)
	}
	s.url, s.target = "", ""
	if s.place.flag == "url" {
		s.url = s.place.text
	} else {
		s.target = s.place.text
	}
	from[s.place.flag] = origin{source: fromFlag}
}

// contender is another target of the run: how it is reached, and what it costs.
type contender struct {
	set    *settings
	target target
	from   origins
	name   string
}

// contenders are all targets but the first.
type contenders []*contender

// others completes the settings of all targets but the first, each as if it alone had been named: what its table of the file says holds for it, and for no
// other. The settings of the first learn how many there are.
func (m *Main) others(ctx context.Context, s *settings, found *problems) contenders {
	mentions := s.mentions(found)
	if len(mentions) < 2 {
		return nil
	}
	s.place, s.targets = &mentions[0], len(mentions)
	if s.ranked != "" && s.duration == 0 && s.requests == 0 && s.profile == "" {
		found.addSwitch("targets", "want --duration, --requests or --profile with it, which say when it is over")
	}
	// Nobody drives a ranking.
	s.screen.plain = s.screen.plain || s.ranked != ""
	var out contenders
	for i, p := range mentions {
		if slices.Contains(mentions[:i], p) {
			found.add(p.flag, report.ShownURL(p.text), "want each target once; two ways to drive one server are two targets of a file of settings")
		}
		if i == 0 {
			continue
		}
		own, its := defaults(), problems{}
		fs := pflag.NewFlagSet("redline", pflag.ContinueOnError)
		own.define(flags{fs, &its})
		if s.headless.asked {
			own.headless.define(flags{fs, &its})
		}
		if err := fs.Parse(m.Args); err != nil {
			its.keep(err.Error(), false)
		}
		own.place = &mentions[i]
		r := m.resolve(ctx, &own, fs, &its)
		t := m.checkTarget(ctx, &own, &its)
		own.countGPUs()
		found.join(&its)
		s.amongPublic = s.amongPublic || t.public
		out = append(out, &contender{set: &own, target: t, from: r.found.from, name: nameOf(p)})
	}
	return out
}

// nameOf is what a target is called: its name in the file of settings, else its host and port.
func nameOf(p mention) string {
	if p.flag == "target" {
		return p.text
	}
	return hostOf(report.ShownURL(p.text))
}

// keysApart refuses what may prove who we are where it would go to two hosts: a flag or a variable names a key for one.
func (s *settings) keysApart(t target, others contenders, found *problems) {
	home, err := parseTarget(s.url)
	for _, o := range others {
		u, wrong := parseTarget(o.set.url)
		if err != nil || wrong != nil || originOf(u) == originOf(home) {
			continue
		}
		for _, f := range []struct{ name, value string }{
			{"api-key-env", shownName(s.keyEnv)}, {"api-key-file", shownPath(s.keyFile)}, {"client-cert", s.certFile}, {"client-key", s.protocol.keyFile},
		} {
			if f.value != "" && given(found.from[f.name]) {
				found.add(f.name, f.value, wantApart)
			}
		}
		for _, h := range s.headers {
			if given(found.from["header"]) && (h.path != "" || secretName(h.name) && h.value != "") {
				found.add("header", h.name, wantApart)
			}
		}
	}
}

const wantApart = "want it in the table of its own target, in a file of settings: here it would go to several hosts"

// given tells whether a value comes from a flag or a variable, and so holds for every target.
func given(o origin) bool { return o.source == fromFlag || o.source == fromEnvironment }

// open gives every other target workloads of its own, the same as those of the first and with its seed, so that request n has the same prompt everywhere.
func (all contenders) open(ctx context.Context, s *settings, found *problems) {
	for _, o := range all {
		if len(found.list) > 0 {
			return // Nothing will be driven.
		}
		prices := o.set.prices
		o.set.loading, o.set.prices = s.loading, prices
		o.set.sources = nil
		its := problems{from: origins{}}
		for flag, where := range found.from {
			its.from[flag] = where
		}
		o.set.open(ctx, &its)
		found.join(&its)
	}
}

// boundEach holds the load of each target against its part of the bounds, which count all targets together.
func (l *loading) boundEach(found *problems) {
	l.max, l.maxRate = max(l.max/l.targets, 1), l.maxRate/rate(l.targets)
	if l.concurrency > l.max {
		found.add("concurrency", fmt.Sprint(l.concurrency), fmt.Sprintf("want at most %d: --max counts the requests of all %d targets together (raise it)", l.max, l.targets))
	}
	if l.rate > l.maxRate {
		found.add("rate", l.rate.String(), fmt.Sprintf("want at most %s: --max-rate counts the arrivals at all %d targets together (raise it)", l.maxRate, l.targets))
	}
}

// sameServer is a note where two targets are one server: the prompts of one may lie in the other's cache, and each is the other's load.
func sameServer(runs []*bench.Run) string {
	for i, a := range runs {
		for _, b := range runs[:i] {
			if a.Host == b.Host {
				return "two of the targets are on one server: each is a load on the other, and may find its prompts in the cache"
			}
		}
	}
	return ""
}
