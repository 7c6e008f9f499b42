package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"redline/bench"
)

// writeWire is how the target was asked, over what, within which limits, and what it said of its quotas.
func writeWire(b *strings.Builder, s *bench.Snapshot, width int) {
	r := s.Run
	words := []string{r.API.String() + " stream"}
	if r.Protocol != "" {
		words[0] += " over " + strings.TrimSuffix(Printable(r.Protocol), ".0")
	}
	if r.Address != "" {
		words[0] += " to " + Printable(r.Address)
	}
	entry(b, "wire", strings.Join(append(words, connections(&s.Total)...), ", "), width)
	entry(b, "limits", r.Limits.Words(span), width)
	label := "quotas"
	limits := limitsOf(s)
	for i := range limits {
		entry(b, label, quotaLine(&limits[i], s), width)
		label = ""
	}
	if r.QuotaReserve > 0 {
		entry(b, label, fmt.Sprintf("reserve %.0f%%: that much of each quota was left to others", 100*r.QuotaReserve), width)
	}
	if bursts := s.Total.Bursts; bursts.OK && bursts.V > 0 {
		text := "! "
		if bursting(&s.Total) {
			text += burstWords + "; "
		}
		b.WriteString(wrapped(text+share(percentOf(bursts))+" of the answers came in one burst, and are in no ITL, TPOT and TPS", width))
	}
}

const burstWords = "streams come in one burst: not really streaming"

// bursting tells whether most answers came in one burst.
func bursting(t *bench.Summary) bool {
	return t.Tally.OK >= bench.FewSamples && t.Bursts.OK && t.Bursts.V > 0.5
}

func percentOf(v bench.Value) bench.Value {
	v.V *= 100
	return v
}

// connections are how many requests made one of their own, and what that took.
func connections(t *bench.Summary) []string {
	if !t.NewConnections.OK {
		return nil
	}
	out := []string{"new connections " + share(percentOf(t.NewConnections))}
	for _, of := range []struct {
		name string
		*bench.Stat
	}{{"connect", &t.Connect}, {"TLS", &t.Handshake}} {
		if of.N > 0 && of.P50.OK && of.Max.OK {
			out = append(out, fmt.Sprintf("%s %s ms (worst %s)", of.name, short(of.P50.V), short(of.Max.V)))
		}
	}
	return out
}

// byUse are quotas with the least left first; of which that is not known, last.
func byUse(quotas []bench.Quota) []bench.Quota {
	out := slices.Clone(quotas)
	used := func(q *bench.Quota) float64 {
		if v := q.Used(); v.OK {
			return v.V
		}
		return -1
	}
	slices.SortStableFunc(out, func(a, b bench.Quota) int {
		switch u, v := used(&a), used(&b); {
		case u > v:
			return -1
		case u < v:
			return 1
		}
		return 0
	})
	return out
}

// amountOf is a count of requests or tokens.
func amountOf(v bench.Value) string {
	if v.V >= 0 && v.V < math.MaxInt32 {
		return grouped(int(v.V))
	}
	return short(v.V)
}

// quotaField is the quota with the least left as a column of plain lines, by what is used of it: "RPM:41.0%".
func quotaField(s *bench.Snapshot) string {
	for _, q := range byUse(s.Quotas) {
		if used := q.Used(); used.OK {
			return strings.ReplaceAll(q.Unit(), " ", "-") + ":" + share(percentOf(used))
		}
	}
	return absent
}
