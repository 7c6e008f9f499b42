package report

import (
	"fmt"
	"strings"

	"redline/bench"
)

// sentence is an event in words, without its instant; empty for one that has nothing to say to a reader of lines. The text of others is made
// printable.
func sentence(e bench.Event) string {
	text := Printable(e.Text)
	say := func(words string) string {
		return strings.TrimSpace(e.Kind.String() + " " + strings.TrimSpace(words+" "+text))
	}
	switch e.Kind {
	case bench.EventPause, bench.EventDrain, bench.EventEnd:
		// What made it so has an event of its own, with all its words.
		text = bench.Clause(text)
	}
	switch e.Kind {
	case bench.EventOpen:
		// The commit says the same, with the load that it came to.
		return ""
	case bench.EventReach:
		return ""
	case bench.EventStart:
		return say("load " + e.To.String())
	case bench.EventCommit:
		if e.Cause == bench.CauseStart || e.From == e.To && text == "" {
			// A level that began for another reason, of which another event tells.
			return ""
		}
		return say(fmt.Sprintf("%s to %s", e.From, e.To))
	case bench.EventNote:
		return fmt.Sprintf("%s %q", e.Kind, text)
	case bench.EventCancel:
		return say(fmt.Sprintf("load 0, %d requests cancelled", e.N))
	case bench.EventGap:
		return say("time jumped by " + span(e.Span))
	case bench.EventUp:
		return say("after " + span(e.Span))
	case bench.EventFailure:
		return say(fmt.Sprintf("%s ×%d", e.Outcome, max(e.N, 1)))
	case bench.EventProfile:
		return profileSentence(e, text)
	case bench.EventRamp:
		return rampSentence(e, text)
	case bench.EventCruise:
		return cruiseSentence(e, text)
	case bench.EventMode:
		return say(fmt.Sprintf("%s loop at %s, %s loop at %s before", e.To.Mode, e.To, e.From.Mode, e.From))
	case bench.EventUnsent:
		return say(fmt.Sprintf("×%d: arrivals found no room", max(e.N, 1)))
	case bench.EventPromise:
		return say("promise")
	case bench.EventClear:
		return say("all before is forgotten")
	case bench.EventBroken:
		return say("broken:")
	case bench.EventKept:
		return say("kept:")
	}
	return say("")
}

// profileSentence is what becomes of a profile, and how far it was where it did not begin.
func profileSentence(e bench.Event, text string) string {
	// The event's word stands before it.
	text = e.Kind.String() + " " + strings.TrimPrefix(text, "profile ")
	switch e.N {
	case bench.ProfileHeld:
		return strings.Replace(text, " ", " held: ", 1) + ", after " + span(e.Span) + " of it"
	case bench.ProfileGoesOn:
		return text + ", after " + span(e.Span) + " of it"
	case bench.ProfileOver:
		return text + ", load " + e.To.String()
	}
	return text
}
