package stream

import "redline/bench"

// rawHead is how much of a body's beginning is kept: more than is shown, so that a secret that begins in what is shown is there as a
// whole, and is known as one.
const rawHead = 4 << 10

// Head makes the beginning of a body fit to be kept as evidence: cleaned of secrets, at most bench.HeadBytes. Give it more than that of a
// longer body, 4 KiB at best.
func Head(body []byte, clean func(string) string) string {
	s := string(body[:min(len(body), rawHead)])
	if clean != nil {
		whole := clean(s)
		if len(s) == rawHead {
			// The body went on, and the cut may have left a part of a secret, which moves up where others before it became shorter. What is the
			// same for two cuts holds no such part: where one leaves it, the other has the whole, or has ended.
			whole = whole[:agree(whole, clean(s[:rawHead/2]))]
		}
		s = whole
	}
	return s[:min(len(s), bench.HeadBytes)]
}

// agree is how many bytes two texts have in common at their beginning.
func agree(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// keepHead keeps the body's beginning as it came.
func (p *Parser) keepHead(b []byte) {
	p.head = append(p.head, b[:min(len(b), rawHead-len(p.head))]...)
}
