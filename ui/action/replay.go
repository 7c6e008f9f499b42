package action

import "slices"

// Recording is every binding while a recording is shown, with the keys that it has by itself: a table of its own, so that a key which drives a load in the other one
// may do something else here. What drives, promises, clears or answers is not in it.
var Recording = recording()

// playing are the bindings that only a recording has. Seeking is as in players of films: arrows by seconds, with shift by a minute, with ctrl by what happened;
// not all terminals tell these apart, so that each has a letter too.
var playing = []Binding{
	{Action: Play, Name: "play", Keys: []string{"space"}, Show: "space", Group: Replay, Class: Looks, Help: "play or rest; at the end it begins anew", Label: "play", FootKeys: "spc", Priority: 2},
	{Action: SkipBack, Name: "skip-back", Pair: SkipOn, Keys: []string{"left"}, Show: "left", Group: Replay, Class: Looks, Help: "5 s back", Label: "5 s", FootKeys: "left right", Priority: 3},
	{Action: SkipOn, Name: "skip", Keys: []string{"right"}, Show: "right", Group: Replay, Class: Looks, Help: "5 s on"},
	{Action: MinuteBack, Name: "minute-back", Pair: MinuteOn, Keys: []string{"shift+left", "("}, Show: "shift+left (", Group: Replay, Class: Looks, Help: "a minute back", Label: "1 min", FootKeys: "( )", Priority: 7},
	{Action: MinuteOn, Name: "minute", Keys: []string{"shift+right", ")"}, Show: "shift+right )", Group: Replay, Class: Looks, Help: "a minute on"},
	{Action: LandmarkBack, Name: "event-back", Pair: LandmarkOn, Keys: []string{"ctrl+left", "b"}, Show: "ctrl+left b", Group: Replay, Class: Looks, Help: "to the event before: a load, a note, a failure, a broken promise",
		Label: "event", FootKeys: "b w", Priority: 4},
	{Action: LandmarkOn, Name: "event", Keys: []string{"ctrl+right", "w"}, Show: "ctrl+right w", Group: Replay, Class: Looks, Help: "to the next event"},
	{Action: ToBegin, Name: "begin", Pair: ToEnd, Keys: []string{"home"}, Show: "home", Group: Replay, Class: Looks, Help: "to the beginning of the run", Label: "begin, end", FootKeys: "home end", Priority: 9},
	{Action: ToEnd, Name: "end", Keys: []string{"end"}, Show: "end", Group: Replay, Class: Looks, Help: "to the end of the run"},
	{Action: Slower, Name: "slower", Pair: Faster, Keys: []string{"<"}, Show: "<", Group: Replay, Class: Looks, Help: "slower: all at once, 10×, 1×", Label: "speed", FootKeys: "< >", Priority: 5},
	{Action: Faster, Name: "faster", Keys: []string{">"}, Show: ">", Group: Replay, Class: Looks, Help: "faster: 1×, 10×, all at once"},
	{Action: Other, Name: "other", Alias: "target", Keys: []string{"o"}, Show: "o", Group: Replay, Class: Looks, Help: "look at the next of several targets, whichever was driven", Label: "other", Priority: 6, needs: func(s State) bool { return s.Targets > 1 }},
	{Action: SeekTo, Name: "seek", Takes: "12m30s, 12:30, +1m, -5s", Must: true, Show: ":seek", Group: Replay, Class: Looks, Help: "to an instant of the run, or by a time"},
	{Action: Tempo, Name: "speed", Takes: "1, 10, max", Must: true, Show: ":speed", Group: Replay, Class: Looks, Help: "play at this speed; max goes to the end"},
}

// unrecorded are actions that do not drive a load, and yet have no place beside a recording.
var unrecorded = []Action{Freeze, Clear, Threshold, Yes, No}

// recording is the other table without what a recording cannot do, behind what only it can.
func recording() []Binding {
	out := slices.Clone(playing)
	for _, b := range Table {
		// Questions are answered, and sheets filled in, by whoever drives.
		if b.Class == Drives || slices.Contains(unrecorded, b.Action) || b.Mode == Asked || b.Mode == Quitting || b.Mode == Planning || b.Mode == Steering {
			continue
		}
		switch b.Action {
		case Note:
			b.Help, b.needs, b.Priority = "add a note at this instant of the recording; it begins no level", nil, 6
		case Open:
			b.Help = "open what is chosen: the lane in full, the request; go to where a level begins"
		case Earlier:
			b.Keys, b.Show = []string{"h"}, "h"
		case Later:
			b.Keys, b.Show = []string{"l"}, "l"
		case First:
			b.Keys, b.Show = []string{"ctrl+home", "g"}, "ctrl+home g"
		case Last:
			b.Keys, b.Show = []string{"ctrl+end"}, "ctrl+end"
		case Quit:
			b.Help = "quit"
		case Interrupt:
			b.Help = "quit at once"
		case Suspend:
			b.Help = "rest, then suspend to the shell"
		}
		out = append(out, b)
	}
	return out
}

// shippedRecording is that table with the keys that it has by itself.
var shippedRecording = newMap(Recording)

// Recording is the map for a recording: the operator's own keys for all that both tables have, but for keys that go about in the recording.
func (m *Map) Recording() *Map {
	if m == nil {
		return shippedRecording
	}
	rows, changed := slices.Clone(Recording), map[Action]bool{}
	taken := map[string]bool{}
	for _, b := range playing {
		for _, k := range b.Keys {
			taken[k] = true
		}
	}
	for i := range rows {
		b := &rows[i]
		own, as := m.Row(b.Action), shipped.Row(b.Action)
		if own == nil || as == nil || slices.Equal(own.Keys, as.Keys) {
			continue
		}
		keys := slices.DeleteFunc(slices.Clone(own.Keys), func(k string) bool { return taken[k] })
		if len(keys) > 0 || len(own.Keys) == 0 {
			b.Keys, changed[b.Action] = keys, true
		}
	}
	giveWay(rows, changed)
	named(rows, changed)
	return newMap(rows)
}

// giveWay takes from rows that were not changed the keys of those that were.
func giveWay(rows []Binding, changed map[Action]bool) {
	owned := map[string]bool{}
	for _, b := range rows {
		for _, k := range b.Keys {
			owned[k] = owned[k] || changed[b.Action] && b.Mode == Driving
		}
	}
	for i := range rows {
		b := &rows[i]
		if b.Mode == Driving && !changed[b.Action] && slices.ContainsFunc(b.Keys, func(k string) bool { return owned[k] }) {
			b.Keys = slices.DeleteFunc(slices.Clone(b.Keys), func(k string) bool { return owned[k] })
			changed[b.Action] = true
		}
	}
}

// Lost is the word for what a key does in a live run and not in a recording; empty where it does neither.
func (m *Map) Lost(key string, s State) string {
	s.Recorded, s.Mode = false, Driving
	if m == nil {
		m = shipped
	}
	b := m.index[Driving][Key(key)]
	if b == nil || b.Name == "" || shippedRecording.Row(b.Action) != nil {
		return ""
	}
	return b.Name
}
