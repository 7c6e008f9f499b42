package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"redline/bench"
)

// StreamSchema names the form of a stream. A field may be added under the same name; one that goes, or changes its meaning, makes it the next.
const StreamSchema = "redline.stream/1"

// streamNotes explain a stream to a reader who has nothing else.
const streamNotes = "one object a line. type start comes first, second once a second, level when a level ends, summary last. Units are in the names, and mean what they mean in " + Schema + "; null is what is not known. " +
	"second: at_s is its end; now is that second alone, window the last seconds together (window_s), level the present level since its load was reached, total the run. " +
	"of_target names the target where the run drives several, else it is null. events are those that were told in that second; a group of failures is told when it grows no more. level: as in the summary; requests that run when it ends still count in it, so that the summary may have more of them. " +
	"missing: so many objects of type second were left out before it, since the reader did not take them in time."

// window is how much of the run the window of a second has.
const window = 10 * time.Second

// Stream makes of a run's snapshots the objects that a reader follows it by: lines of JSON. It is of one reader, who is told all from the first snapshot on.
// Not safe for concurrent use.
type Stream struct {
	private, begun bool
	// each are the targets of the run; one where there is one.
	each []*following
}

// following is how far a target of the run has been told.
type following struct {
	told teller
	// shown is the end of the last second that was told, and any tells whether one was.
	shown time.Duration
	any   bool
	// level is the last level that was told as ended, from 0.
	level int
}

// NewStream is the stream of a reader. In private the snapshots have to be veiled, and it says so.
func NewStream(private bool) *Stream { return &Stream{private: private} }

// News are the objects for what is new in a snapshot, each without a line end: the start of the stream, levels that have ended, and the last second that is complete. None
// where nothing is.
func (st *Stream) News(s *bench.Snapshot) [][]byte {
	s = Begun(s)
	var out [][]byte
	if !st.begun {
		st.begun = true
		out = append(out, line(startOf(s, st.private)))
	}
	if s.Rivals == nil {
		return append(out, st.of(0).news(s, nil)...)
	}
	for i, of := range s.Rivals.Of {
		out = append(out, st.of(i).news(of, rivalName(s.Rivals, i))...)
	}
	return out
}

// of is a target by its place.
func (st *Stream) of(i int) *following {
	for len(st.each) <= i {
		st.each = append(st.each, &following{})
	}
	return st.each[i]
}

// End are the last objects of a run that is over: what News has not told, and the summary with what it came to.
func (st *Stream) End(s *bench.Snapshot, end Options, came *Outcome) [][]byte {
	end.Private = st.private
	return append(st.News(s), line(&endLine{Type: "summary", Outcome: came, report: reportOf(Begun(s), end)}))
}

// line is an object as a line of JSON, without its end.
func line(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("a line of a stream: " + err.Error()) // Its types are all JSON's.
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// targetName tells the targets of a run with several apart.
type targetName struct {
	Letter string `json:"letter"`
	Name   string `json:"name"`
}

func rivalName(r *bench.Rivals, i int) *targetName {
	return &targetName{bench.Letter(i), Printable(r.Names[i])}
}

// startLine begins a stream.
type startLine struct {
	Type    string  `json:"type"`
	Schema  string  `json:"schema"`
	Redline string  `json:"redline_version"`
	About   string  `json:"about"`
	BeganAt *string `json:"began_at"`
	Private bool    `json:"private"`
	// Targets are those that are driven, in the order in which they were given.
	Targets   []startTarget   `json:"targets"`
	Workloads []reportWork    `json:"workloads"`
	Promises  []reportPromise `json:"promises"`
	DurationS *float64        `json:"duration_s"`
	Requests  *float64        `json:"requests"`
	Profile   *string         `json:"profile"`
	ProfileS  *float64        `json:"profile_s"`
}

type startTarget struct {
	targetName
	reportTarget
}

func startOf(s *bench.Snapshot, private bool) *startLine {
	full := reportOf(s, Options{Private: private})
	out := &startLine{Type: "start", Schema: StreamSchema, Redline: full.Redline, About: streamNotes, Private: private, Targets: []startTarget{},
		Workloads: full.Workloads, Promises: full.Promises, DurationS: some(s.Run.Duration.Seconds()), Requests: some(float64(s.Run.Requests))}
	if began := s.Run.Start; !began.IsZero() {
		text := began.Format(time.RFC3339)
		out.BeganAt = &text
	}
	if f := s.Following; f != nil && f.Profile != nil {
		text := Printable(f.Profile.Text)
		out.Profile, out.ProfileS = &text, inSeconds(f.Profile.Length())
	}
	if len(full.Rivals) == 0 {
		out.Targets = append(out.Targets, startTarget{targetName{bench.Letter(0), full.Target.Host}, full.Target})
	}
	for _, r := range full.Rivals {
		out.Targets = append(out.Targets, startTarget{targetName{r.Letter, r.Name}, r.Target})
	}
	return out
}

// levelLine is a level that has ended.
type levelLine struct {
	Type   string      `json:"type"`
	Target *targetName `json:"of_target"`
	reportLevel
}

// endLine is the end of a stream: the summary, with what the run came to.
type endLine struct {
	Type    string   `json:"type"`
	Outcome *Outcome `json:"outcome"`
	*report
}

// news are the objects for what is new of a target.
func (f *following) news(s *bench.Snapshot, name *targetName) [][]byte {
	var out [][]byte
	over := s.State == bench.Done
	for i, l := range s.Levels {
		if l.ID <= f.level || !over && (!l.Ended.OK || l.Ended.At > s.Folded) {
			continue
		}
		f.level = l.ID
		one := levelOf(l, s.Run)
		one.Diagnosis = diagnosisOf(s, i)
		out = append(out, line(&levelLine{"level", name, one}))
	}
	events := f.told.fresh(s)
	if f.any && s.Folded <= f.shown && len(events) == 0 {
		return out
	}
	after := f.shown
	if !f.any {
		after = s.Folded - time.Second // Who comes late is told of the present second.
	}
	second := SecondOf(s, after)
	second.Target = name
	for _, e := range events {
		if text := sentence(e); text != "" {
			second.Events = append(second.Events, reportEvent{inSeconds(e.At), e.Kind.String(), text})
		}
	}
	f.any, f.shown = true, s.Folded
	return append(out, line(second))
}

// stateName is a state of the run as it is named in what is saved.
func stateName(s bench.RunState) string { return strings.ToLower(s.String()) }
