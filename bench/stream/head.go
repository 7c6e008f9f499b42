package stream

import "redline/bench"

const (
	// rawHead is how much of a body's beginning is kept: more than is shown, so that a secret that begins in what is shown is there as a
	// whole, and is known as one.
	rawHead = 4 << 10
	// unsafeTail is how much is never shown of the end of what was kept, if the body went on: a secret may have been cut there.
	unsafeTail = 1 << 10
)

// Head makes the beginning of a body fit to be kept as evidence: cleaned of secrets, at most bench.HeadBytes. Give it more than that of a
// longer body, 4 KiB at best.
func Head(body []byte, clean func(string) string) string {
	s := string(body[:min(len(body), rawHead)])
	if clean != nil {
		s = clean(s)
		if len(body) >= rawHead {
			s = s[:max(0, len(s)-unsafeTail)]
		}
	}
	return s[:min(len(s), bench.HeadBytes)]
}

// keepHead keeps the body's beginning as it came.
func (p *Parser) keepHead(b []byte) {
	p.head = append(p.head, b[:min(len(b), rawHead-len(p.head))]...)
}
