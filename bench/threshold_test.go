package bench

import (
	"strings"
	"testing"
)

func TestThresholdsReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]Threshold{
		"ttft.p95<=500ms":  {Metric: TTFT, At: P95, Limit: 500},
		"ttft<=2s":         {Metric: TTFT, At: P95, Limit: 2000},
		"TTFT.P99 <= 0.8s": {Metric: TTFT, At: P99, Limit: 800},
		"itl.p50≤25":       {Metric: ITL, At: P50, Limit: 25},
		"e2e.max<10s":      {Metric: E2E, At: Max, Limit: 10000},
		"tps.p5>=20":       {Metric: TPS, At: P5, Floor: true, Limit: 20},
		"tps≥40":           {Metric: TPS, At: P5, Floor: true, Limit: 40},
		"errors<=1%":       {Metric: Errors, At: Mean, Limit: 1},
		"rpm<=600":         {Metric: RPM, At: Mean, Limit: 600},
		"tpm<=300k":        {Metric: TPM, At: Mean, Limit: 300_000},
		"tpm<=1.5M":        {Metric: TPM, At: Mean, Limit: 1_500_000},
	} {
		got, err := ParseThreshold(text)
		if err != nil || got != want {
			t.Errorf("%q is %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestThresholdsThatCannotBeAreRefusedByName(t *testing.T) {
	for text, why := range map[string]string{
		"":                "no metric",
		"ttft":            "no metric, <= or >=",
		"ttft<=":          "and value",
		"speed<=5":        `no metric "speed"`,
		"ttft>=5ms":       "TTFT takes <=",
		"tps<=20":         "TPS takes >=",
		"ttft.p5<=1s":     `TTFT has no "p5"`,
		"tps.p95>=20":     `TPS has no "p95"`,
		"errors.p95<=1%":  `errors has no "p95"`,
		"ttft<=-5ms":      "not a positive number",
		"ttft<=0":         "not a positive number",
		"ttft<=NaN":       "not a positive number",
		"ttft<=5min":      "not a positive number",
		"rpm<=1e400":      "not a positive number",
		"ttft.p95.x<=1":   "has no",
		"itl<=5 parsecs":  "not a positive number",
		"errors<=one%":    "not a positive number",
		"ttft.p95<=1s<=2": "not a positive number",
	} {
		_, err := ParseThreshold(text)
		if err == nil || !strings.Contains(err.Error(), why) || !strings.Contains(err.Error(), "want for example") {
			t.Errorf("%q: %v, want an error with %q", text, err, why)
		}
	}
}

func FuzzParseThreshold(f *testing.F) {
	for _, s := range []string{"ttft.p95<=500ms", "tps>=20", "errors<=1%", "tpm<=300k", "≤", "<=>="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseThreshold(text)
		if err != nil {
			return
		}
		if !(got.Limit > 0) {
			t.Fatalf("%q: limit %v", text, got.Limit)
		}
		again, err := ParseThreshold(got.String())
		if err != nil || again != got {
			t.Fatalf("%q is %+v; written %q it is %+v, %v", text, got, got.String(), again, err)
		}
	})
}

func TestALimitOfASecondIsWrittenInSeconds(t *testing.T) {
	for limit, want := range map[float64]string{25: "ttft.p95<=25ms", 999.5: "ttft.p95<=999.5ms", 1000: "ttft.p95<=1s", 2000: "ttft.p95<=2s", 1500: "ttft.p95<=1.5s", 1234.5678: "ttft.p95<=1.2345678s"} {
		th := Threshold{Metric: TTFT, At: P95, Limit: limit}
		if got := th.String(); got != want {
			t.Errorf("%v ms: %q, want %q", limit, got, want)
		}
		if again, err := ParseThreshold(th.String()); err != nil || again != th {
			t.Errorf("%q is read as %+v, %v", th, again, err)
		}
	}
}
