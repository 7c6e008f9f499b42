package bench

import (
	"fmt"
	"strings"
	"time"
)

// Playback is how a recorded run is being shown. It never changes once it is handed out.
type Playback struct {
	// At is the instant of the run that is shown, or that has been asked for and not been reached yet (Seeking); Length is where the recording ends so far.
	At, Length time.Duration
	Seeking    bool
	// Speed is how many times as fast as it was the run is played; AtOnce goes to its end.
	Speed Tempo
	// Playing tells that At moves on.
	Playing bool
	// Began is the wall time of instant 0.
	Began time.Time
	// Growing tells that the recording is still being written, Cut that it was not written to its end and no more comes.
	Growing, Cut bool
	// Watched tells that of several targets another is looked at than the one that was driven, or that led.
	Watched bool
	// Damage is what is wrong with the recording, and where; empty where nothing has been found.
	Damage string
	// Landmarks are what happened at which instants of the whole recording, as far as it has been looked through, oldest first: events worth going to, without
	// their texts.
	Landmarks []Event
	// Said is the newest word about what was asked of it, a refusal or what became of a note; Words is how many there were.
	Said  string
	Words int
}

// Tempo is how many times as fast as it was a recorded run is played.
type Tempo int

// AtOnce folds a run to its end without showing the way there.
const AtOnce Tempo = 0

// Tempos are those that can be chosen, slowest first.
var Tempos = []Tempo{1, 10, AtOnce}

// String is "10×", or "max".
func (s Tempo) String() string {
	switch s {
	case AtOnce:
		return "max"
	case 1:
		return "1×"
	}
	return "10×"
}

// ParseTempo reads "1", "10" or "max", with or without a ×.
func ParseTempo(text string) (Tempo, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "1", "1x", "1×":
		return 1, nil
	case "10", "10x", "10×":
		return 10, nil
	case "max":
		return AtOnce, nil
	}
	return 0, fmt.Errorf("%q is no speed: want 1, 10 or max", text)
}

// ParseInstant reads an instant of a run: "12m30s", "12:30", "1:02:03", or a number of seconds.
func ParseInstant(text string) (time.Duration, error) {
	const want = "%q is no instant of a run: want 12m30s, 12:30 or 1:02:03"
	text = strings.TrimSpace(text)
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return d, nil
	}
	var total time.Duration
	parts := strings.Split(text, ":")
	for i, p := range parts {
		n := 0
		for _, r := range p {
			if r < '0' || r > '9' || n > 1e6 {
				return 0, fmt.Errorf(want, text)
			}
			n = 10*n + int(r-'0')
		}
		if p == "" || i > 0 && n > 59 || len(parts) > 3 {
			return 0, fmt.Errorf(want, text)
		}
		total = total*60 + time.Duration(n)*time.Second
	}
	return total, nil
}

// Landmark tells whether an event is worth going to in a recording: a change of the load or of what else makes a level, a note, a failure, a promise that
// was broken, or the target gone or back.
func (e *Event) Landmark() bool {
	switch e.Kind {
	case EventCommit:
		return e.From != e.To
	case EventNote, EventAnnotation, EventPause, EventResume, EventCancel, EventDown, EventUp, EventGap, EventBudget, EventFailure, EventUnsent, EventBroken, EventMode,
		EventWork, EventPromise, EventClear, EventTarget:
		return true
	}
	return false
}
