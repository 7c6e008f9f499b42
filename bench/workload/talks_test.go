package workload

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// answer ends a prompt.
func answer(s *Source, now time.Duration, p bench.Prompt, outcome bench.Outcome, text string) {
	if !p.KeepAnswer {
		text = ""
	}
	s.Ended(now, &bench.Ended{Request: bench.Request{Prompt: p}, Outcome: outcome, Answer: text, Counts: bench.Counts{Input: p.Counted + 10}})
}

const threeTurns = `{"turns":["one","two","three"]}` + "\n" + `{"turns":["uno","due","tre"],"system":"Speak Italian."}` + "\n"

func TestAConversationGoesOnFromTheRealAnswer(t *testing.T) {
	s := open(t, file(t, "talk.jsonl", threeTurns)+",think=2s")
	first := next(t, s)
	if first.Text != "one" || first.Turn != 1 || first.Conversation == 0 || !first.KeepAnswer || len(first.History) != 0 {
		t.Fatalf("the first turn is %+v", first)
	}
	other := next(t, s)
	if other.Text != "uno" || other.Turn != 1 || other.Conversation == first.Conversation || len(other.History) != 1 || other.History[0].Role != "system" {
		t.Fatalf("before an answer there is a new conversation, and it is %+v", other)
	}
	answer(s, time.Second, first, bench.OK, "the first answer")
	if p, _ := s.Next(3*time.Second - 1); p.Turn != 1 {
		t.Fatalf("the next turn comes before its time: %+v", p)
	}
	second, _ := s.Next(3 * time.Second)
	want := []bench.Message{{Role: "user", Text: "one"}, {Role: "assistant", Text: "the first answer"}}
	if second.Text != "two" || second.Turn != 2 || second.Conversation != first.Conversation || !slices.Equal(second.History, want) {
		t.Fatalf("the second turn is %+v", second)
	}
	honest(t, second)
	answer(s, 4*time.Second, second, bench.OK, "the second answer")
	third, _ := s.Next(6 * time.Second)
	if third.Text != "three" || third.Turn != 3 || len(third.History) != 4 || third.KeepAnswer {
		t.Fatalf("the third turn is %+v", third)
	}
	honest(t, third)
	if !slices.Equal(second.History, want) {
		t.Error("the history of a prompt changed after it was made")
	}
}

func TestConversationsOfOneRowKeepApart(t *testing.T) {
	const system = `{"role":"system","content":"s"}`
	s := open(t, file(t, "talk.json", `[{"conversations":[`+strings.Repeat(system+",", 3)+`{"from":"human","value":"a"},{"from":"gpt","value":"-"},{"from":"human","value":"b"}]}]`))
	a, b := next(t, s), next(t, s)
	answer(s, 0, a, bench.OK, "for a")
	answer(s, 0, b, bench.OK, "for b")
	a, b = next(t, s), next(t, s)
	if len(a.History) != 5 || a.History[4].Text != "for a" || b.History[4].Text != "for b" {
		t.Errorf("the histories are %v and %v", a.History, b.History)
	}
}

func TestAFailedTurnEndsTheConversation(t *testing.T) {
	for _, row := range []struct {
		outcome bench.Outcome
		text    string
		pending int
	}{{bench.OK, "yes", 1}, {bench.OK, "", 0}, {bench.Cancelled, "half", 0}, {bench.RateLimited, "", 0}, {bench.ServerError, "", 0}, {bench.Stalled, "half", 0}} {
		s := open(t, file(t, "talk.jsonl", threeTurns))
		p := next(t, s)
		answer(s, 0, p, row.outcome, row.text)
		answer(s, 0, p, bench.OK, "told twice")
		if s.Pending() != row.pending {
			t.Errorf("after %v with %q, %d conversations go on, not %d", row.outcome, row.text, s.Pending(), row.pending)
		}
	}
}

func TestTheTurnThatIsDueForLongestComesFirst(t *testing.T) {
	s := open(t, file(t, "talk.jsonl", threeTurns)+",think=1s")
	a, b, c := next(t, s), next(t, s), next(t, s)
	answer(s, 3*time.Second, a, bench.OK, "a")
	answer(s, 1*time.Second, b, bench.OK, "b")
	answer(s, 2*time.Second, c, bench.OK, "c")
	var order []uint64
	for range 4 {
		p, _ := s.Next(5 * time.Second)
		order = append(order, p.Conversation)
	}
	if want := []uint64{b.Conversation, c.Conversation, a.Conversation, 4}; !slices.Equal(order, want) {
		t.Errorf("the order is %v, not %v", order, want)
	}
}

func TestOneTurnAskedForIsOneTurn(t *testing.T) {
	s := open(t, file(t, "talk.jsonl", threeTurns)+",turns=one")
	for i := range 10 {
		p := next(t, s)
		if p.Turn != 0 || p.Conversation != 0 || p.KeepAnswer || p.Text != []string{"one", "uno"}[i%2] {
			t.Fatalf("prompt %d is %+v", i, p)
		}
		answer(s, 0, p, bench.OK, "x")
	}
	if w := s.Words(); !strings.HasPrefix(w.Words, "the first turns of 2 rows of talk.jsonl") {
		t.Errorf("it is told as %q", w.Words)
	}
}

func TestADataSetReadOnceEndsWithItsConversations(t *testing.T) {
	s := open(t, file(t, "talk.jsonl", threeTurns)+",once,think=1s")
	a, b := next(t, s), next(t, s)
	if p, ok := s.Next(time.Hour); ok || s.Pending() != 2 {
		t.Fatalf("a third row of two: %+v; %d go on", p, s.Pending())
	}
	answer(s, 0, a, bench.OK, "a")
	answer(s, 0, b, bench.ServerError, "")
	if _, ok := s.Next(0); ok || s.Pending() != 1 {
		t.Fatalf("a turn comes before its time, or %d go on", s.Pending())
	}
	p, ok := s.Next(time.Second)
	if !ok || p.Turn != 2 {
		t.Fatalf("the second turn is %+v", p)
	}
	answer(s, time.Second, p, bench.OK, "b")
	if p, ok = s.Next(3 * time.Second); !ok || p.Turn != 3 || s.Pending() != 0 {
		t.Fatalf("the last turn is %+v, and %d go on", p, s.Pending())
	}
	answer(s, 4*time.Second, p, bench.OK, "c")
	if _, ok = s.Next(time.Hour); ok {
		t.Error("there is more after the last turn of all")
	}
}

func TestOpenConversationsAreBounded(t *testing.T) {
	s := open(t, file(t, "talk.jsonl", threeTurns))
	for i := range mostTalks + 100 {
		p := next(t, s)
		if p.KeepAnswer != (i < mostTalks) {
			t.Fatalf("conversation %d is kept: %v", i, p.KeepAnswer)
		}
	}
	if s.Pending() != mostTalks {
		t.Errorf("%d conversations go on", s.Pending())
	}
}

func TestTheTextOfOpenConversationsIsBounded(t *testing.T) {
	s := open(t, file(t, "talk.jsonl", threeTurns)+",think=1h")
	long := strings.Repeat("yes ", bench.AnswerBytes/4/16)
	for i := range mostTalkBytes / len(long) * 2 {
		p := next(t, s)
		if p.KeepAnswer && i > mostTalkBytes/len(long)+1 {
			t.Fatalf("conversation %d is kept, though the others hold %d MiB", i, i*len(long)>>20)
		}
		if p.KeepAnswer && i < 16 {
			answer(s, 0, p, bench.OK, long)
			continue
		}
		// What an answer holds is known; to count each would only take time.
		s.feed.(*talks).bytes += len(long)
	}
}

func TestNothingIsLeftOfConversationsThatEnded(t *testing.T) {
	s := open(t, "testdata/sharegpt.json,think=100ms..3s")
	now := time.Duration(0)
	for i := range 3000 {
		now += 100 * time.Millisecond
		p, ok := s.Next(now)
		if !ok {
			t.Fatal("no prompt")
		}
		honest(t, p)
		outcome := bench.OK
		if i%7 == 3 {
			outcome = bench.Truncated
		}
		answer(s, now, p, outcome, fmt.Sprintf("answer %d", i))
	}
	talks := s.feed.(*talks)
	bytes := 0
	for _, k := range talks.due {
		bytes += k.bytes
	}
	if len(talks.asked) > 0 || talks.bytes != bytes || len(talks.due) > 60 {
		t.Errorf("%d are asked, %d wait and hold %d bytes; %d are counted", len(talks.asked), len(talks.due), bytes, talks.bytes)
	}
}

func TestALongConversationEndsBeforeMaxInput(t *testing.T) {
	s := open(t, file(t, "talk.jsonl", threeTurns)+",max-input=100")
	p := next(t, s)
	answer(s, 0, p, bench.OK, strings.Repeat("long ", 200))
	if s.Pending() != 0 {
		t.Error("a conversation goes on beyond max-input")
	}
}

func TestTimesToThinkFollowTheirSpread(t *testing.T) {
	s := open(t, file(t, "talk.jsonl", `{"turns":["a","b"]}`)+",think=1s..5s")
	sum := 0.0
	const n = 2000
	for range n {
		p := next(t, s)
		answer(s, 0, p, bench.OK, "x")
		talks := s.feed.(*talks)
		at := talks.due[0].at
		if at < time.Second || at > 5*time.Second {
			t.Fatalf("thought for %v", at)
		}
		sum += at.Seconds()
		s.Next(at)
	}
	if math.Abs(sum/n-3) > 0.1 {
		t.Errorf("thought for %.2f s on average, not 3", sum/n)
	}
}

func TestTheWarmUpOfADataSetHasItsLengthsAndNoneOfItsPrompts(t *testing.T) {
	s := open(t, "testdata/chat.jsonl")
	warm := s.WarmUp()
	for i := range 16 {
		c := s.table.chats[i%len(s.table.chats)]
		p := next(t, warm)
		if want := c.head + c.lengths[0] + perMessage*len(c.history); p.Counted != want || p.Text == c.turns[0] || p.Conversation != 0 {
			t.Errorf("the warm-up of a row of %d tokens is %+v", want, p)
		}
	}
	p := next(t, warm)
	before := s.fit.n
	warm.Learn(&p, p.Counted+20)
	if s.fit.n != before+1 {
		t.Error("the warm-up does not learn together with what is measured")
	}
}

func TestAFirstTryIsShort(t *testing.T) {
	for _, text := range []string{"in=4096,out=7", "testdata/chat.jsonl,max=9", "testdata/azure2023.csv"} {
		s := open(t, text)
		p := next(t, s.Short(16))
		if p.InputTokens != 16 || p.Counted > 16 || p.MaxTokens != s.Words().MaxTokens {
			t.Errorf("%s: the first try is of %d tokens and at most %d", text, p.InputTokens, p.MaxTokens)
		}
	}
}

func TestASourceIsSafeForManyAtOnce(t *testing.T) {
	for _, text := range []string{"in=1..40", "testdata/sharegpt.json,think=1ms", "testdata/mooncake.jsonl"} {
		s := open(t, text)
		done := make(chan bool)
		for range 4 {
			go func() {
				for i := range 200 {
					s.Gap()
					if p, ok := s.Next(time.Duration(i) * time.Millisecond); ok {
						answer(s, time.Duration(i)*time.Millisecond, p, bench.OK, "x")
					}
					s.Words()
					s.Pending()
				}
				done <- true
			}()
		}
		for range 4 {
			<-done
		}
	}
}
