package bench

import "testing"

// TestFewStreamsDoNotSpeakForBursts: most answers had no pace, so that a promise on it is neither kept nor broken.
func TestFewStreamsDoNotSpeakForBursts(t *testing.T) {
	for _, row := range []struct {
		sentence, promise string
		bursts            Value
		known             bool
	}{
		{"no answer has ended", "tps>=20", Value{}, true},
		{"no burst", "tps>=20", Some(0), true},
		{"a few bursts", "itl<=25ms", Some(0.5), true},
		{"mostly bursts", "itl<=25ms", Some(0.51), false},
		{"the same for speeds", "tps>=20", Some(0.8), false},
		{"and for their inverse", "tpot<=25ms", Some(0.8), false},
		{"a first token comes whatever follows", "ttft<=2s", Some(0.8), true},
		{"and so does the last", "e2e<=2s", Some(1), true},
		{"and errors", "errors<=1%", Some(1), true},
	} {
		promise, err := ParseThreshold(row.promise)
		if err != nil {
			t.Fatal(err)
		}
		s := Summary{Bursts: row.bursts, Tally: Tally{OK: 100}}
		for m := range s.Stats {
			s.Stats[m] = Stat{N: 100, Readiness: Ready, P95: Some(22), P5: Some(22)}
		}
		if v := promise.Judge(&s); v.Known != row.known {
			t.Errorf("%s: %+v, want known: %v", row.sentence, v, row.known)
		}
	}
}
