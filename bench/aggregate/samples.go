package aggregate

import (
	"encoding/json"
	"math"
	"strconv"

	"redline/bench"
)

// samples are requests one by one; in JSON they are one flat array of six numbers each: input and output tokens, TTFT, TTFA, TPOT and E2E.
type samples []bench.Sample

func (all samples) appendJSON(b []byte) []byte {
	b = append(b, '[')
	for i := range all {
		s := &all[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(s.Input), 10)
		b = strconv.AppendInt(append(b, ','), int64(s.Output), 10)
		for _, v := range [...]float32{s.TTFT, s.TTFA, s.TPOT, s.E2E} {
			b = strconv.AppendFloat(append(b, ','), float64(max(min(v, math.MaxFloat32), -math.MaxFloat32)), 'g', -1, 32)
		}
	}
	return append(b, ']')
}

// MarshalJSON is the flat array.
func (all samples) MarshalJSON() ([]byte, error) { return all.appendJSON(nil), nil }

// UnmarshalJSON reads the flat array; of at most as many as a level keeps.
func (all *samples) UnmarshalJSON(text []byte) error {
	const columns = 6
	var flat []float64
	if len(text) > sampleSize*columns*32 {
		return broken("%d bytes of samples", len(text))
	}
	if err := json.Unmarshal(text, &flat); err != nil {
		return err
	}
	if len(flat)%columns != 0 || len(flat) > sampleSize*columns {
		return broken("samples of %d numbers", len(flat))
	}
	if *all = nil; len(flat) == 0 {
		return nil
	}
	*all = make(samples, len(flat)/columns)
	for i := range *all {
		of := flat[i*columns:]
		for _, v := range of[:2] {
			if v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 {
				return broken("a sample of %v tokens", v)
			}
		}
		(*all)[i] = bench.Sample{
			Input: int32(of[0]), Output: int32(of[1]), TTFT: float32(of[2]), TTFA: float32(of[3]), TPOT: float32(of[4]), E2E: float32(of[5]),
		}
	}
	return nil
}
