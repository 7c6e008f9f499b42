package workload

import (
	"hash/maphash"
	"math"
	"sync"

	"redline/bench"
)

// yardstick learns what a server makes of the texts of a data set. Such texts differ in kind, and none of them is made to a length, so that no count is
// left out because it stands apart: it is the mean that is to come out. Safe for concurrent use.
//
//	prompt                            | its estimate
//	sent before                       | what it counted
//	a later turn of a conversation    | what the turn before counted, and of what is new as much as it makes on average
//	else                              | a + b·ours: the line through the counts of such prompts
//
// A server may leave out of its count what its cache had, and not say so. Then a prompt counts less than when it was sent before, or than the turn that
// it goes on from, which no other server does. From there on only prompts that no cache can have teach, and all are estimated by the line.
type yardstick struct {
	mu sync.Mutex
	// written is what is learned of the prompts that we write: this is believed before there are counts.
	written *fit
	// fresh are the counts of prompts whose beginning was not sent before.
	fresh sums
	// ours and theirs are the tokens that turns had more than those before them.
	ours, theirs float64
	steady       steady
	// tells: the server says what its cache had. leaves: it leaves that out, and does not say so.
	tells, leaves bool
	// first is what a prompt without turns before it counted, by its text; turns is the last turn of a conversation.
	first map[uint64]point
	turns map[uint64]point
	seed  maphash.Seed
}

// sums are those of a line through points whose weight is 1 in pointBase + x: with them the mean of what is left over is 0.
type sums struct{ w, x, xx, y, xy float64 }

const (
	pointBase = 20
	// lastCounts is about how many counts decide.
	lastCounts = 2000
	// fileTemplateSpread and fileSlopeSpread are how far the line may be from that of the prompts that we write.
	fileTemplateSpread, fileSlopeSpread = 10, 0.3
	// likelyGrowth is how many tokens it takes until what turns really add is believed more than the line.
	likelyGrowth = 50
	// leastShare is how much of ours a server counts at least, over all texts. Below it, it counts something else.
	leastShare = 0.2
	// mostTurns bounds how many conversations are remembered.
	mostTurns = 2 * mostTalks
)

func newYardstick(written *fit) *yardstick {
	return &yardstick{written: written, first: map[uint64]point{}, turns: map[uint64]point{}, seed: maphash.MakeSeed()}
}

// asked is a prompt as it was sent, or is to be.
type asked struct {
	text         string
	conversation uint64
	turn         int
	// ours is the prompt's length by us.
	ours float64
}

func askedOf(p *bench.Prompt) asked {
	return asked{text: p.Text, conversation: p.Conversation, turn: p.Turn, ours: length(p)}
}

// learn takes the server's count; tells: it said what its cache had, and has counted it.
func (y *yardstick) learn(a asked, theirs int, tells bool) {
	count := float64(theirs)
	if !(a.ours > 0 && count > 0) || count > mostSlope*a.ours+20_000 {
		return
	}
	y.mu.Lock()
	defer y.mu.Unlock()
	if fixed, since := y.steady.hear(a.ours, count); fixed {
		if since {
			y.fresh, y.ours, y.theirs = sums{}, 0, 0
			clear(y.first)
			clear(y.turns)
		}
		return
	}
	y.tells = y.tells || tells
	before, known := y.before(a)
	if !known || !y.leaves {
		y.keep(a, count)
	}
	switch {
	case known && !y.tells && count < 0.98*before.y-2:
		// Of the very same a server may count a little less: a date in its template, a count that is rounded.
		y.leaves = true
	case known && a.turn > 1 && !y.leaves:
		const kept = 1 - 1.0/lastCounts
		y.ours, y.theirs = kept*y.ours+a.ours-before.x, kept*y.theirs+count-before.y
	case !known && a.turn <= 1:
		y.fresh.add(a.ours, count)
	}
}

// before is what was sent and counted of all, or of the beginning, of a prompt.
func (y *yardstick) before(a asked) (p point, known bool) {
	if a.turn > 1 {
		p, known = y.turns[a.conversation]
	} else {
		p, known = y.first[y.key(a)]
	}
	return p, known
}

// keep remembers a count for the next turn, or for the next time.
func (y *yardstick) keep(a asked, count float64) {
	if a.turn <= 1 {
		y.first[y.key(a)] = point{a.ours, count}
	}
	if a.turn > 0 {
		if len(y.turns) >= mostTurns {
			clear(y.turns)
		}
		y.turns[a.conversation] = point{a.ours, count}
	}
}

func (y *yardstick) key(a asked) uint64 {
	return maphash.String(y.seed, a.text) ^ mix(0, uint64(a.ours))
}

func (s *sums) add(x, y float64) {
	const kept = 1 - 1.0/lastCounts
	w := 1 / (pointBase + x)
	*s = sums{w: kept*s.w + w, x: kept*s.x + w*x, xx: kept*s.xx + w*x*x, y: kept*s.y + w*y, xy: kept*s.xy + w*x*y}
}

// line is the line through the counts, held to that of the prompts that we write as far as they leave it open.
func (y *yardstick) line() (a, b float64) {
	a, b = y.written.line()
	s := &y.fresh
	// The weights make plain sums of these.
	ours, theirs := pointBase*s.x+s.xx, pointBase*s.y+s.xy
	if theirs <= leastShare*ours {
		return a, b
	}
	const u, v = 1.0 / (fileTemplateSpread * fileTemplateSpread), 1.0 / (fileSlopeSpread * fileSlopeSpread)
	w, x, xx := s.w+u, s.x, s.xx+v
	wy, xy := s.y+u*a, s.xy+v*b
	b = (w*xy - x*wy) / (w*xx - x*x)
	if !(b >= 0 && b <= mostSlope) {
		b = min(max(theirs/ours, 0), mostSlope)
	}
	return (wy - b*x) / w, b
}

// estimate is the best estimate of the server's count of a prompt.
func (y *yardstick) estimate(a asked) int {
	y.mu.Lock()
	defer y.mu.Unlock()
	base, slope := y.line()
	count := base + slope*a.ours
	if before, known := y.before(a); known && !y.leaves && !y.steady.fixed {
		grown := (y.theirs + likelyGrowth*slope) / (y.ours + likelyGrowth)
		count = before.y + min(max(grown, 0), mostSlope)*(a.ours-before.x)
	}
	return max(int(math.Round(count)), 1)
}

// unseen is the estimate of a text of so many tokens of ours that was never sent.
func (y *yardstick) unseen(ours float64) int {
	y.mu.Lock()
	defer y.mu.Unlock()
	a, b := y.line()
	return max(int(math.Round(a+b*ours)), 1)
}
