package workload

import (
	"container/heap"
	"math/rand/v2"
	"slices"
	"time"
	"unicode/utf8"

	"redline/bench"
)

// talks hands out the rows of a data set. A conversation's next turn is made of the answers that really came; it is due a time to think after the last.
//
//	state    | a turn is handed out | its answer came        | it failed, or was empty | its time has come
//	waiting  |                      |                        |                         | → handed out by next
//	asked    |                      | → waiting, or the end  | → the end               |
//
// next prefers the turn that has been due for longest to a new conversation.
type talks struct {
	single
	measure  *yardstick
	spec     *Spec
	table    *table
	thinking *rand.Rand
	answers  *rand.Rand
	at       int
	used     bool
	last     uint64
	// asked are the conversations whose answer is awaited, by their number; due those that wait for their next turn.
	asked map[uint64]*talk
	due   waiting
	bytes int
}

// talk is a conversation that goes on.
type talk struct {
	number uint64
	chat   *chat
	// turn is the place of the next turn, from 0.
	turn int
	// said is all before it, counted and chars its tokens and characters, bytes what it holds beyond the file's own text.
	said           []bench.Message
	counted, chars int
	bytes          int
	at             time.Duration
}

// Conversations beyond these bounds are begun, but not gone on with.
const (
	mostTalks     = 4096
	mostTalkBytes = 64 << 20
)

func newTalks(s *Source) *talks {
	return &talks{measure: s.measure, spec: &s.spec, table: s.table, asked: map[uint64]*talk{}, thinking: s.stream(streamThink), answers: s.stream(streamOut)}
}

func (t *talks) pending() int { return len(t.asked) + len(t.due) }

func (t *talks) next(now time.Duration) (bench.Prompt, bool) {
	if len(t.due) > 0 && t.due[0].at <= now {
		return t.ask(heap.Pop(&t.due).(*talk)), true
	}
	if t.used {
		return bench.Prompt{}, false
	}
	c := &t.table.chats[t.at]
	t.at++
	if t.at == len(t.table.chats) {
		t.at, t.used = 0, t.spec.Once
	}
	k := &talk{chat: c, said: c.history, counted: c.head}
	for _, m := range c.history {
		k.chars += utf8.RuneCountInString(m.Text)
	}
	return t.ask(k), true
}

// ask makes the prompt of a conversation's next turn.
func (t *talks) ask(k *talk) bench.Prompt {
	text := k.chat.turns[k.turn]
	p := bench.Prompt{Text: text, History: k.said, Counted: k.counted + k.chat.lengths[k.turn], Chars: k.chars + utf8.RuneCountInString(text),
		MaxTokens: k.chat.bound(t.spec, t.answers)}
	if len(k.chat.turns) == 1 || t.spec.OneTurn {
		return p
	}
	p.Turn = k.turn + 1
	if k.number == 0 {
		t.last++
		k.number = t.last
	}
	p.Conversation = k.number
	if p.Turn < len(k.chat.turns) && t.pending() < mostTalks && t.bytes < mostTalkBytes {
		p.KeepAnswer = true
		t.asked[k.number] = k
	} else {
		t.bytes -= k.bytes
	}
	return p
}

func (t *talks) ended(now time.Duration, e *bench.Ended) {
	k := t.asked[e.Prompt.Conversation]
	if k == nil || e.Prompt.Turn != k.turn+1 {
		return
	}
	delete(t.asked, k.number)
	t.bytes -= k.bytes
	if e.Outcome != bench.OK || e.Answer == "" {
		return
	}
	// What was handed out stays as it was: the history is a new list.
	k.said = append(slices.Clip(k.said), bench.Message{Role: "user", Text: k.chat.turns[k.turn]}, bench.Message{Role: "assistant", Text: e.Answer})
	k.counted = e.Prompt.Counted + tokens(e.Answer)
	k.chars = e.Prompt.Chars + utf8.RuneCountInString(e.Answer)
	k.turn++
	whole := asked{conversation: k.number, turn: k.turn + 1, ours: float64(k.counted + k.chat.lengths[k.turn] + perMessage*len(k.said))}
	if most := t.spec.MaxInput; most > 0 && t.measure.estimate(whole) > most {
		return
	}
	k.bytes += len(e.Answer) + 64*len(k.said)
	t.bytes += k.bytes
	k.at = now
	if t.spec.Think.set() {
		k.at += time.Duration(t.spec.Think.draw(t.thinking) * 1e9)
	}
	heap.Push(&t.due, k)
}

// waiting are conversations by the time of their next turn, those that began first before others of the same time.
type waiting []*talk

func (w waiting) Len() int { return len(w) }
func (w waiting) Less(i, j int) bool {
	if w[i].at != w[j].at {
		return w[i].at < w[j].at
	}
	return w[i].number < w[j].number
}
func (w waiting) Swap(i, j int) { w[i], w[j] = w[j], w[i] }
func (w *waiting) Push(x any)   { *w = append(*w, x.(*talk)) }
func (w *waiting) Pop() any {
	old := *w
	k := old[len(old)-1]
	old[len(old)-1] = nil
	*w = old[:len(old)-1]
	return k
}
