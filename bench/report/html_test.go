package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"redline/bench"
	"redline/bench/report/reporttest"
	"redline/ui/view/viewtest"
)

// pageOf is the page of some runs.
func pageOf(t *testing.T, all ...*bench.Snapshot) string {
	t.Helper()
	var set Set
	for _, s := range all {
		set = append(set, Of(s, Options{Saved: savedAt}))
	}
	var b bytes.Buffer
	if err := set.HTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wellFormed tells what is wrong with XML.
func wellFormed(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		switch _, err := d.Token(); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

var drawings = regexp.MustCompile(`(?s)<svg .*?</svg>`)

func TestThePageIsWholeWhateverTheRun(t *testing.T) {
	for seed := range uint64(50) {
		text := pageOf(t, viewtest.Random(seed))
		for _, svg := range drawings.FindAllString(text, -1) {
			if err := wellFormed(svg); err != nil {
				t.Fatalf("seed %d: %v in %.300s", seed, err, svg)
			}
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Fatalf("seed %d: what is no number is in a figure", seed)
			}
		}
		if at := regexp.MustCompile("[\x1b\x00]|ZgotmplZ").FindStringIndex(text); at != nil {
			t.Fatalf("seed %d: what is no number, or no text, is on the page: %q", seed, text[max(at[0]-80, 0):at[1]])
		}
	}
}

func TestThePageNeedsNothingElse(t *testing.T) {
	for _, state := range viewtest.Scenes {
		text := pageOf(t, viewtest.Make(state, 0))
		for _, part := range []string{" style=", " src=", "<script", "<link", "<iframe", "@import", "url(", " on"} {
			for _, svg := range append(drawings.FindAllString(text, -1), drawings.ReplaceAllString(text, "")) {
				if part == " on" {
					if regexp.MustCompile(`<[^>]* on[a-z]+=`).MatchString(svg) {
						t.Fatalf("%v: a handler", state)
					}
					continue
				}
				if strings.Contains(svg, part) {
					t.Fatalf("%v: %q is on the page, in %.200s", state, part, svg[strings.Index(svg, part):])
				}
			}
		}
		for _, link := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(text, -1) {
			if !strings.HasPrefix(link[1], "#") {
				t.Errorf("%v: a link to %s", state, link[1])
			}
		}
		if !strings.Contains(text, strings.ReplaceAll(policy(), "'", "&#39;")) || !strings.Contains(text, "<style>"+pageStyle+"</style>") {
			t.Errorf("%v: the policy is not on the page, or the style is not what it allows", state)
		}
		if len(text) > 600<<10 {
			t.Errorf("%v: %d bytes", state, len(text))
		}
	}
}

func TestThePageObeysNobody(t *testing.T) {
	s := reporttest.Story()
	const evil = `</svg></title><script>alert(1)</script><img src=x onerror=alert(2)>"'`
	s.Run.Model, s.Run.Host, s.Run.Scenario, s.Levels[0].Note, s.Why = evil, evil, evil, evil, evil
	s.Run.Works[0].Name, s.Run.Notes = evil, []string{evil}
	s.Events = append(s.Events, bench.Event{Kind: bench.EventNote, Text: evil, At: 1e9})
	s.Failures = []bench.Ended{{Outcome: bench.ServerError, Message: evil, Head: evil}}
	var b bytes.Buffer
	o := &Origin{Name: evil, Options: []string{evil}, Machine: Machine{Name: evil}, Annotations: []Annotation{{1e9, evil}}}
	if err := (Set{Of(s, Options{Origin: o}), Of(s, Options{Origin: o})}).HTML(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "<script") || strings.Contains(text, "<img") || !strings.Contains(text, "&lt;script&gt;") {
		t.Error("a text of somebody else's is a part of the page")
	}
}

func TestThePageTellsNothingPrivate(t *testing.T) {
	s, _ := viewtest.Planted(hostMarker)
	if !strings.Contains(pageOf(t, s), hostMarker) {
		t.Fatal("nothing is planted")
	}
	var veil bench.Veil
	var b bytes.Buffer
	if err := (Set{Of(veil.Snapshot(s), Options{Private: true})}).HTML(&b); err != nil || strings.Contains(b.String(), hostMarker) {
		t.Errorf("%v, or the page tells what is private", err)
	}
}

func TestThePageHasEverySection(t *testing.T) {
	text := pageOf(t, reporttest.Story(), viewtest.Make(viewtest.Running, 0))
	for _, id := range []string{"runs", "lanes-s-1", "curve-s-1", "levels-s-1", "promises-s-1", "spread-s-1", "why-s-1", "errors-s-1", "events-s-1", "environment-s-1", "lanes-s-2", "levels-s-2"} {
		if strings.Count(text, `id="`+id+`"`) != 1 {
			t.Errorf("the section %s is there %d times", id, strings.Count(text, `id="`+id+`"`))
		}
	}
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if seen[m[1]] {
			t.Errorf("the id %s is there twice", m[1])
		}
		seen[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`aria-labelledby="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		for _, id := range strings.Fields(m[1]) {
			if !seen[id] {
				t.Errorf("%s names something, and is not there", id)
			}
		}
	}
}
