package aggregate

import (
	"time"

	"redline/bench"
)

// minute is what was asked of the server in the trailing 60 s, for quotas. It is apart from the series, which can be cleared: a server does not forget.
type minute struct{ seconds []used }

// used is what one batch asked of the server.
type used struct {
	start            time.Duration
	attempts, tokens int
}

func (m *minute) add(b *bench.Batch) {
	for len(m.seconds) > 0 && m.seconds[0].start < b.Start+b.Span-time.Minute {
		m.seconds = m.seconds[1:]
	}
	m.seconds = append(m.seconds, used{b.Start, b.Facts.Sent, b.Facts.Tokens()})
}

// use is what the seconds that began in the minute before an instant amount to.
func (m *minute) use(now time.Duration) bench.Use {
	use := bench.Use{Span: min(now, time.Minute)}
	for _, s := range m.seconds {
		if s.start >= now-time.Minute {
			use.Attempts += s.attempts
			use.Tokens += s.tokens
		}
	}
	return use
}
