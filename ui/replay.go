package ui

import (
	"strings"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view"
)

// deck is what plays the recording that a dashboard shows.
type deck struct {
	Deck
	is *bench.Playback
	// words are those of the deck that have been said, warned that what is damaged has been told of.
	words  int
	warned string
	// live are the keys of a run, for what is said of those that do nothing here.
	live *action.Map
	// at is the instant that the note which is being typed is about.
	at bench.Mark
}

// putIn makes a recording what is shown.
func (m *model) putIn(d Deck) {
	if d == nil {
		return
	}
	m.deck = &deck{Deck: d, live: m.st.Keys, is: d.Playback()}
	m.deck.words = m.deck.is.Words
	m.st.Keys, m.st.Replay = m.st.Keys.Recording(), m.deck.is
}

// followDeck takes how the recording is being shown, and says what the deck has to say.
func (m *model) followDeck() {
	d := m.deck
	if d == nil {
		return
	}
	d.is = d.Playback()
	m.st.Replay = d.is
	if d.is.Words != d.words {
		d.words = d.is.Words
		m.say(d.is.Said)
	} else if d.is.Damage != d.warned {
		d.warned = d.is.Damage
		m.say("the recording is damaged: " + d.is.Damage)
		m.notice = m.now().Add(savedFor)
	}
}

// moves tells whether the position changes, or is about to.
func (d *deck) moves() bool { return d.is.Playing || d.is.Seeking || d.is.Growing }

// when is the day and the minute at which the recorded run began.
func (d *deck) when() string { return d.is.Began.Format("2006-01-02 15:04") }

// How far the keys go.
const (
	skip   = 5 * time.Second
	minute = time.Minute
)

// replay carries out what only a recording has, and tells whether it was that.
func (m *model) replay(a action.Action) bool {
	d := m.deck
	switch a {
	case action.Play:
		d.Play(!d.Playback().Playing)
	case action.SkipBack:
		d.Skip(-skip)
	case action.SkipOn:
		d.Skip(skip)
	case action.MinuteBack:
		d.Skip(-minute)
	case action.MinuteOn:
		d.Skip(minute)
	case action.LandmarkBack:
		d.Leap(-1)
	case action.LandmarkOn:
		d.Leap(+1)
	case action.ToBegin:
		d.Seek(0)
	case action.ToEnd:
		d.Seek(d.Playback().Length)
	case action.Slower:
		m.speedUp(-1)
	case action.Faster:
		m.speedUp(+1)
	case action.Other:
		m.engine.Post(bench.Other{})
	case action.Note:
		d.at = bench.MarkAt(d.Playback().At)
		m.st.Entry = &view.Entry{For: view.ForNote, Prompt: "note at " + view.Stamp(d.at.At), Hint: m.lineHint("", "enter adds it to the recording")}
	default:
		return false
	}
	return true
}

// speedUp goes to the next of the speeds.
func (m *model) speedUp(by int) {
	now := m.deck.Playback().Speed
	for i, s := range bench.Tempos {
		if s == now {
			next := bench.Tempos[min(max(i+by, 0), len(bench.Tempos)-1)]
			m.deck.SetSpeed(next)
			m.say(speedWords(next))
			return
		}
	}
}

func speedWords(s bench.Tempo) string {
	if s == bench.AtOnce {
		return "all at once: the end of the recording"
	}
	return "speed " + s.String()
}

// lose says that a key which does something in a run does nothing here.
func (m *model) lose(key string, s action.State) {
	switch name := m.deck.live.Lost(key, s); {
	case name == "" || s.Mode != action.Driving:
	case name == "freeze":
		m.say("this is a recording: freeze is for a run; here " + m.st.Keys.Key(action.Play) + " lets it rest")
	default:
		m.say("this is a recording: " + name + " is for a run that is driven")
	}
}

// note adds a note to the recording, at the instant at which its typing began.
func (d *deck) note(text string) {
	at := d.Playback().At
	if d.at.OK {
		at = d.at.At
	}
	d.at = bench.Mark{}
	d.Annotate(at, text)
}

// seekTo goes to a typed instant, or by a typed time.
func (m *model) seekTo(text string) (problem string) {
	body := strings.TrimLeft(text, "+-")
	at, err := bench.ParseInstant(body)
	switch {
	case err != nil:
		return err.Error()
	case strings.HasPrefix(text, "+"):
		m.deck.Skip(at)
	case strings.HasPrefix(text, "-"):
		m.deck.Skip(-at)
	default:
		m.deck.Seek(at)
	}
	return ""
}

// tempo plays at a typed speed.
func (m *model) tempo(text string) (problem string) {
	s, err := bench.ParseTempo(text)
	if err != nil {
		return err.Error()
	}
	m.deck.SetSpeed(s)
	m.say(speedWords(s))
	return ""
}
