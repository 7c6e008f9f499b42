package bench

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"
)

// MarshalJSON is the instant in nanoseconds, or null where it has not come.
func (m Mark) MarshalJSON() ([]byte, error) {
	if !m.OK {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(m.At), 10), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Mark) UnmarshalJSON(text []byte) error {
	*m = Mark{}
	if string(text) == "null" {
		return nil
	}
	if len(text) > 0 && text[0] == '{' { // spelt out
		type plain Mark
		return json.Unmarshal(text, (*plain)(m))
	}
	at, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return fmt.Errorf("instant %.20q: want nanoseconds, or null", text)
	}
	*m = MarkAt(time.Duration(at))
	return nil
}

// MarshalJSON is the number, or null where it is absent.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.OK || math.IsNaN(v.V) || math.IsInf(v.V, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, v.V, 'g', -1, 64), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(text []byte) error {
	*v = Value{}
	if string(text) == "null" {
		return nil
	}
	if len(text) > 0 && text[0] == '{' { // spelt out
		type plain Value
		return json.Unmarshal(text, (*plain)(v))
	}
	if err := json.Unmarshal(text, &v.V); err != nil {
		return fmt.Errorf("value %.20q: want a number, or null", text)
	}
	v.OK = true
	return nil
}

// MarshalJSON is the amount as an array of its sum, weight and greatest reading; null where there was none.
func (a Amount) MarshalJSON() ([]byte, error) {
	if a == (Amount{}) {
		return []byte("null"), nil
	}
	return json.Marshal([3]float64{a.Sum, a.Weight, a.Max})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Amount) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' { // spelt out
		type plain Amount
		return json.Unmarshal(text, (*plain)(a))
	}
	var all [3]float64
	err := json.Unmarshal(text, &all)
	*a = Amount{all[0], all[1], all[2]}
	return err
}

// readEnum reads the number of one of so many.
func readEnum(text []byte, of string, many int) (uint8, error) {
	n, err := strconv.ParseUint(string(text), 10, 8)
	if err != nil || int(n) >= many {
		return 0, fmt.Errorf("%s %.20q: want 0 to %d", of, text, many-1)
	}
	return uint8(n), nil
}

// UnmarshalJSON reads an outcome's number; one that is not known is refused.
func (o *Outcome) UnmarshalJSON(text []byte) error {
	n, err := readEnum(text, "outcome", int(NumOutcomes))
	*o = Outcome(n)
	return err
}

// UnmarshalJSON reads a metric's number; one that is not known is refused.
func (m *Metric) UnmarshalJSON(text []byte) error {
	n, err := readEnum(text, "metric", int(NumMetrics))
	*m = Metric(n)
	return err
}

// UnmarshalJSON reads a percentile's number; one that is not known is refused.
func (p *Percentile) UnmarshalJSON(text []byte) error {
	n, err := readEnum(text, "percentile", int(numPercentiles))
	*p = Percentile(n)
	return err
}

// UnmarshalJSON reads a mode's number; one that is not known is refused.
func (m *Mode) UnmarshalJSON(text []byte) error {
	n, err := readEnum(text, "mode", int(Open)+1)
	*m = Mode(n)
	return err
}

// UnmarshalJSON reads a source's number; one that is not known is refused.
func (s *Source) UnmarshalJSON(text []byte) error {
	n, err := readEnum(text, "source", int(FromPart)+1)
	*s = Source(n)
	return err
}
