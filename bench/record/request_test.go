package record

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"redline/bench"
)

// someRequest draws a request, with all that one may have if full.
func someRequest(rng *rand.Rand, full bool) bench.Ended {
	ms := func(most int) time.Duration { return time.Duration(rng.IntN(most*1000)) * time.Microsecond }
	start := ms(3_600_000)
	e := bench.Ended{Status: 200, Finish: "stop", Reused: true, MaxGap: ms(100)}
	e.ID, e.Level, e.Load = uint64(rng.IntN(1e6)), 3, bench.InFlight(64)
	e.Prompt = bench.Prompt{InputTokens: 400 + rng.IntN(200), Counted: 420, Chars: 2000, MaxTokens: 512}
	first := start + ms(800)
	last := first + ms(5000)
	e.Marks = bench.Marks{Started: bench.MarkAt(start), Connected: bench.MarkAt(start), Written: bench.MarkAt(start + 40*time.Microsecond), Headers: bench.MarkAt(first),
		FirstChunk: bench.MarkAt(first), FirstToken: bench.MarkAt(first), FirstAnswer: bench.MarkAt(first), LastToken: bench.MarkAt(last), Ended: bench.MarkAt(last + 300)}
	e.Counts = bench.Counts{Source: bench.FromUsage, Input: 500, Output: 256, Events: 250, Chunks: 249, FirstEvents: 1, Chars: 1100}
	if !full {
		return e
	}
	e.Level, e.Outcome, e.Load = bench.NoLevel, bench.Outcome(rng.IntN(int(bench.NumOutcomes))), bench.PerSecond(2.5)
	e.Scheduled = bench.MarkAt(start - ms(10))
	e.Marks.Scheduled = e.Scheduled
	e.Prompt.Work, e.Prompt.Turn, e.Prompt.Conversation, e.Prompt.KeepAnswer = 2, 3, 1<<63+5, true
	e.Counts.Cached, e.Counts.Hidden, e.Counts.Reasoning, e.Counts.Malformed = 1, 2, 3, 4
	e.Connect = bench.Connect{DNS: ms(3), TCP: ms(3), TLS: ms(9)}
	e.RetryAfter, e.Burst, e.Stalls = 5*time.Second, true, 2
	e.Message, e.Head = "no \"room\"\n<b> für", "\xff\x00half"
	e.Timings = bench.Timings{OK: true, PromptMs: 1.0 / 3, PredictedMs: 12, PromptN: 4, PredictedN: 5}
	e.Gaps.Add(3*time.Millisecond, 1)
	e.Gaps.AddTokens(7*time.Millisecond, 2, 3)
	e.Reply, e.Header = "so, [1,2]", map[string][]string{"X-A": {"1", "2"}}
	e.Prompt.Text = "tell, me \\ of ] it"
	return e
}

func TestRequestsComeBackFromTheirRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 500 {
		want := someRequest(rng, i%2 == 1)
		switch i % 10 {
		case 3: // never handed over
			want.Marks.Started = bench.Mark{}
		case 5: // time has jumped
			want.Marks = bench.Marks{Started: want.Marks.Started, Ended: want.Marks.Ended}
		case 7: // no fact at all
			want = bench.Ended{}
		case 9: // instants finer than a microsecond, and before the start
			want.Marks.Headers.At += 7
			want.Marks.Written.At = want.Marks.Started.At - 1001
			want.Marks.Connected.At = want.Marks.Started.At - 1
		}
		line := appendRequest(nil, i%3, &want)
		var got bench.Ended
		track, err := readRequest(line[:len(line)-1], &got, false)
		if err != nil || track != i%3 {
			t.Fatalf("%s: track %d, %v", line, track, err)
		}
		got.Gaps, want.Gaps = copied(got.Gaps), copied(want.Gaps)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\ncame back as %+v\nnot %+v", line, got, want)
		}
	}
}

// copied is a list with the least room, since the room that there is is part of no list.
func copied(g bench.GapList) bench.GapList {
	var out bench.GapList
	text, _ := g.MarshalJSON()
	_ = out.UnmarshalJSON(text)
	return out
}

func TestWhatIsNoRecordIsRefused(t *testing.T) {
	for line, why := range map[string]string{
		``:                             "nothing",
		`[`:                            "half a record",
		`{"id":1}`:                     "an object",
		`[0,1`:                         "no end",
		`[0,1] `:                       "more behind it",
		`[0,1][0,2]`:                   "two of them",
		`[0,,1]`:                       "a hole",
		`[0,-1]`:                       "a negative number of a request",
		`[0,1,2,23]`:                   "an outcome that there is not",
		`[0,1,2,0,"x"]`:                "words for an instant",
		`[0,1,2,0,1e3]`:                "an instant in another form",
		`[0,1,2,0,1.2345]`:             "an instant finer than a nanosecond",
		`[0,1,2,0,999999999999999999]`: "an instant after all time",
		`[0,1,99999999999999999999]`:   "a level that is no number",
	} {
		var e bench.Ended
		if _, err := readRequest([]byte(line), &e, false); err == nil {
			t.Errorf("%q is taken for a record: %s", line, why)
		}
	}
}

func TestColumnsOfALaterVersionAreLeftOut(t *testing.T) {
	want := someRequest(rand.New(rand.NewPCG(1, 2)), true)
	line := appendRequest(nil, 0, &want)
	later := append(line[:len(line)-2:len(line)-2], `,"more",[1,{"a":"]"}],7]`...)
	var got bench.Ended
	if _, err := readRequest(later, &got, false); err != nil || got.ID != want.ID || !reflect.DeepEqual(got.Header, want.Header) {
		t.Errorf("%s: %v, %+v", later, err, got)
	}
}

func FuzzReadRequest(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 6 {
		e := someRequest(rng, i%2 == 1)
		line := appendRequest(nil, 0, &e)
		f.Add(line[:len(line)-1])
	}
	f.Add([]byte(`[0,1,-1,0,null,null,5]`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var e bench.Ended
		track, err := readRequest(line, &e, false)
		if err != nil {
			return
		}
		again := appendRequest(nil, track, &e)
		var same bench.Ended
		if _, err := readRequest(again[:len(again)-1], &same, false); err != nil {
			t.Fatalf("%s was written as %s, which cannot be read: %v", line, again, err)
		}
	})
}
