package main

import (
	"encoding/json"
	"strings"
	"time"

	"redline/bench"
)

// secondLine is a second of a run in one line.
type secondLine struct {
	Type     string   `json:"type"`
	AtS      float64  `json:"at_s"`
	State    string   `json:"state"`
	Loop     string   `json:"loop"`
	Load     float64  `json:"load"`
	InFlight int      `json:"in_flight"`
	Held     int      `json:"held"`
	Level    int      `json:"level"`
	Sent     int      `json:"sent"`
	OK       int      `json:"ok"`
	Failed   int      `json:"failed"`
	TTFT     *float64 `json:"ttft_p95_ms"`
	ITL      *float64 `json:"itl_p95_ms"`
	RPM      *float64 `json:"rpm_requests_per_min"`
	TPM      *float64 `json:"tpm_tokens_per_min"`
}

func secondOf(s *bench.Snapshot) ([]byte, error) {
	t := s.Total.Tally
	out := secondLine{Type: "second", AtS: s.Folded.Seconds(), State: strings.ToLower(s.State.String()), Loop: s.Target.Mode.String(), Load: s.Target.N, InFlight: s.InFlight, Held: s.Held, Sent: t.Sent, OK: t.OK, Failed: t.Failed}
	if l := s.Level(); l != nil {
		known := func(v bench.Value) *float64 {
			if !v.OK {
				return nil
			}
			return &v.V
		}
		out.Level, out.TTFT, out.ITL = l.ID, known(l.Stats[bench.TTFT].P95), known(l.Stats[bench.ITL].P95)
		out.RPM, out.TPM = known(l.Stats[bench.RPM].Mean), known(l.Stats[bench.TPM].Mean)
	}
	return json.Marshal(out)
}

// seconds makes one of each second.
type seconds struct {
	shown time.Duration
	begun bool
}

func (c *seconds) news(s *bench.Snapshot) [][]byte {
	if c.begun && s.Folded <= c.shown {
		return nil
	}
	c.begun, c.shown = true, s.Folded
	text, err := secondOf(s)
	if err != nil {
		return nil
	}
	return [][]byte{text}
}
