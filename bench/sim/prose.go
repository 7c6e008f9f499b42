package sim

import (
	"math/rand/v2"
	"strings"
)

// prose is a long text cut into tokens, one word each with the blank before it and the punctuation after it. Nothing
// in it needs escaping in JSON. Answers are stretches of it that begin at a sentence.
type prose struct {
	tokens []string
	// starts are the indices of first words.
	starts []int
}

var (
	subjects = strings.Split("the first train|an old lighthouse|a patient gardener|the night market|our small workshop|a river in spring|"+
		"the city library|a careful pilot|the mountain village|a retired teacher|the harbour crane|every good map|the second violin|a quiet engine|"+
		"the northern wind|a young baker|the museum clock|a well kept notebook|the last ferry|an honest scale", "|")
	verbs = strings.Split("carries|remembers|follows|repairs|measures|waits for|listens to|passes|welcomes|describes|gathers|outlasts|"+
		"lights|divides|improves|answers|crosses|counts", "|")
	objects = strings.Split("the morning mail|a hundred travellers|its own shadow|the long road home|three kinds of bread|the sound of rain|"+
		"a field of barley|the oldest story in town|every visitor|the turning tide|a box of letters|the colour of copper|two silent rooms|"+
		"the price of patience|a line of poplars|the work of many hands|an unfinished bridge", "|")
	endings = strings.Split("before the sun is up|without much hurry|in all kinds of weather|as it has for years|while the kettle sings|"+
		"with a steady hand|on the far side of the valley|when nobody is looking|at the usual pace|and asks for nothing|until the lamps go out|"+
		"by a simple rule|once more", "|")
	openings = strings.Split("In short,|Most days,|After a while,|By contrast,|Even so,|For example,|Later on,|Now and then,", "|")
)

func newProse(seed uint64) *prose {
	const sentences = 600
	r := rand.New(rand.NewPCG(seed, 4))
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	p := &prose{}
	for range sentences {
		parts := []string{pick(subjects), pick(verbs), pick(objects)}
		if r.IntN(3) > 0 {
			parts = append(parts, pick(endings))
		}
		sentence := strings.Join(parts, " ")
		switch r.IntN(3) {
		case 0:
			sentence = pick(openings) + " " + sentence
		case 1:
			sentence += ", and " + strings.Join([]string{pick(subjects), pick(verbs), pick(objects)}, " ")
		}
		p.starts = append(p.starts, len(p.tokens))
		for i, w := range strings.Fields(sentence + ".") {
			if i == 0 {
				w = strings.ToUpper(w[:1]) + w[1:]
			}
			p.tokens = append(p.tokens, " "+w)
		}
	}
	return p
}

// begin is where an answer starts.
func (p *prose) begin(r *rand.Rand) int { return p.starts[r.IntN(len(p.starts))] }

// token is the i-th token of the answer that starts there; the very first one has no blank.
func (p *prose) token(start, i int) string {
	t := p.tokens[(start+i)%len(p.tokens)]
	if i == 0 {
		return t[1:]
	}
	return t
}
