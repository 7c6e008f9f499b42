package bench

import (
	"strings"
	"time"
)

// QuotaKind is what a quota counts.
type QuotaKind uint8

const (
	// QuotaRequests counts attempts.
	QuotaRequests QuotaKind = iota
	// QuotaTokens counts prompt and output tokens together.
	QuotaTokens
	// QuotaInput counts prompt tokens, QuotaOutput generated ones.
	QuotaInput
	QuotaOutput
)

// The periods of quotas. A month is 30 days.
const (
	Day   = 24 * time.Hour
	Month = 30 * Day
)

// Quota is a limit on the use of a key, as the server's headers state it.
type Quota struct {
	// Name tells the quotas of one server apart, in the server's own words: "requests", "tokens-prompt".
	Name string    `json:",omitzero"`
	Kind QuotaKind `json:",omitzero"`
	// Per is the quota's period, more than 0: a second, a minute, an hour, Day, Month, or a window that only this server has.
	Per time.Duration `json:",omitzero"`
	// Limit and Remaining are counts; absent where the server does not say. Remaining is never above Limit where both are known.
	Limit, Remaining Value `json:",omitzero"`
	// Reset is how long after At the quota is whole again; absent where the server does not say.
	Reset Mark `json:",omitzero"`
	// At is the instant of the headers that said so.
	At time.Duration `json:",omitzero"`
	// Steady is a longer period than Per that the figures alone speak for.
	Steady Steady `json:",omitzero"`
}

// Steady is the period of a quota that comes back bit by bit, by its figures: what is gone of it takes as long to come back as that part of the period. One answer may
// meet a period by chance.
type Steady struct {
	// Per is the period, 0 for none. Met is how many answers have met it with another use each, and none against it; Gone what was used up at the last of them.
	Per  time.Duration `json:",omitzero"`
	Met  int           `json:",omitzero"`
	Gone float64       `json:",omitzero"`
}

// Used is the share of the limit that is used up, 0..1, whoever used it; absent where the server does not say.
func (q *Quota) Used() Value {
	if !q.Limit.OK || !q.Remaining.OK || q.Limit.V <= 0 {
		return Value{}
	}
	return Some(min(max(1-q.Remaining.V/q.Limit.V, 0), 1))
}

// Unit is the trade's abbreviation: RPM, RPD, TPM, ITPM, OTPM, TPD, …; R/10s for a window that has none.
func (q *Quota) Unit() string {
	kind := [...]string{"R", "T", "IT", "OT"}[q.Kind&3]
	switch q.Per {
	case time.Minute:
		return kind + "PM"
	case time.Second:
		return kind + "PS"
	case time.Hour:
		return kind + "PH"
	case Day:
		return kind + "PD"
	case Month:
		return kind + "P month"
	}
	per := q.Per.String() // such as 168h0m0s
	if strings.HasSuffix(per, "m0s") {
		per = strings.TrimSuffix(per, "0s")
	}
	if strings.HasSuffix(per, "h0m") {
		per = strings.TrimSuffix(per, "0m")
	}
	return kind + "/" + per
}
