package action

import (
	"slices"
	"strings"
	"testing"

	"redline/bench"
)

var recorded = State{Run: bench.Running, Load: bench.InFlight(8), InFlight: 8, CanUndo: true, CanRedo: true, Works: 2, Targets: 2, Recorded: true}

func TestARecordingHasNothingThatDrives(t *testing.T) {
	for _, b := range Recording {
		if b.Class == Drives || b.Raises {
			t.Errorf("%s drives", b.Name)
		}
	}
	for v := range NumViews {
		s := recorded
		s.View = v
		for _, i := range shippedRecording.Footer(s) {
			if b := shipped.Row(i.Action); b != nil && b.Class == Drives && i.Action != Other {
				// Of several targets another is looked at.
				t.Errorf("the footer of %v offers %s", v, b.Name)
			}
		}
		for _, verb := range shippedRecording.Verbs(s) {
			if b := shipped.Row(verb.Action); b != nil && verb.Action != Other && (b.Class == Drives || slices.Contains(unrecorded, b.Action)) {
				t.Errorf("the palette of %v offers %s", v, verb.Name)
			}
		}
	}
}

func TestEveryKeyOfARecordingHasAName(t *testing.T) {
	for _, b := range Recording {
		for _, k := range b.Keys {
			if got, err := ParseKey(k); err != nil || got != k {
				t.Errorf("%s: %q is read as %q (%v)", b.Name, k, got, err)
			}
		}
	}
}

func TestEveryActionOfARecordingIsFoundByItsName(t *testing.T) {
	for _, b := range Recording {
		if b.Name == "" || b.Action == Palette {
			continue
		}
		if found, _ := shippedRecording.Search(b.Name, recorded); len(found) == 0 || found[0].Action != b.Action {
			t.Errorf("%q finds %+v", b.Name, found)
		}
	}
}

// TestAKeyThatIsLostSaysWhatItDid: all that a live run hears and a recording does not is named.
func TestAKeyThatIsLostSaysWhatItDid(t *testing.T) {
	for _, b := range Table {
		if b.Mode != Driving {
			continue
		}
		lost := shippedRecording.Row(b.Action) == nil
		for _, k := range b.Keys {
			if got := shipped.Lost(k, recorded); lost != (got == b.Name) || !lost && got != "" {
				t.Errorf("%q of %s is lost: %v, and said to be %q", k, b.Name, lost, got)
			}
		}
	}
	if got := (*Map)(nil).Lost("+", recorded); got != "raise" {
		t.Errorf("+ is lost as %q", got)
	}
}

func TestAnOperatorsKeysHoldInARecordingToo(t *testing.T) {
	m, faults := Bind([]Choice{{"quit", []string{"f10"}}, {"note", []string{"(", "N"}}, {"theme", []string{"ctrl+home"}}, {"scope", []string{"space"}}, {"pause", []string{"v"}}, {"curve", nil}})
	if len(faults) > 0 {
		t.Fatalf("%+v", faults)
	}
	r := m.Recording()
	for key, want := range map[string]Action{
		"f10": Quit, "q": None, "N": Note, "n": None,
		// What goes about in the recording keeps its keys, and what was given a key takes it from what has it here alone.
		"(": MinuteBack, "space": Play, "ctrl+home": Theme, "g": First, "2": None,
	} {
		got, s := None, recorded
		s.View = Log
		if b := r.Find(key, s); b != nil {
			got = b.Action
		}
		if got != want {
			t.Errorf("%q is action %d, want %d", key, got, want)
		}
	}
	seen := map[string]string{}
	for _, b := range r.Rows() {
		for _, k := range b.Keys {
			if b.Mode == Driving && seen[k] != "" {
				t.Errorf("%q is a key of %s and of %s", k, seen[k], b.Name)
			} else if b.Mode == Driving {
				seen[k] = b.Name
			}
		}
	}
	if got := (*Map)(nil).Recording(); got != shippedRecording {
		t.Error("the program's own keys have no map for recordings")
	}
}

func TestTheFooterOfARecordingPlays(t *testing.T) {
	for _, c := range []struct {
		sentence  string
		playing   bool
		want, not string
	}{
		{"what rests plays", false, "spc play left right 5 s", "pause"},
		{"what plays rests", true, "spc pause left right 5 s", "play "},
	} {
		s := recorded
		s.Playing = c.playing
		text := ""
		for _, i := range shippedRecording.Footer(s) {
			text += i.Keys + " " + i.Word + " "
		}
		if !strings.Contains(text, c.want) || strings.Contains(text, c.not) || strings.Contains(text, "load") {
			t.Errorf("%s: the footer is %q", c.sentence, text)
		}
	}
}

func TestTheTimeCursorIsReachedInARecording(t *testing.T) {
	for key, want := range map[string]Action{"h": Earlier, "l": Later, "left": SkipBack, "right": SkipOn} {
		if b := shippedRecording.Find(key, recorded); b == nil || b.Action != want {
			t.Errorf("%q: %+v", key, b)
		}
	}
}
