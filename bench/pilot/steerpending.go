package pilot

import "time"

// pending counts the requests that are still awaited, by the second in which they began.
type pending map[int]int

func (p pending) add(started time.Duration, n int) {
	second := int(started / time.Second)
	if p[second] += n; p[second] == 0 {
		delete(p, second)
	}
}

// before counts those that began before an instant, in seconds that began at from or later.
func (p pending) before(at, from time.Duration) (n float64) {
	for second, k := range p {
		begin := time.Duration(second) * time.Second
		if begin >= from && begin+time.Second <= at && k > 0 {
			n += float64(k)
		}
	}
	return n
}
