package ui

import (
	"reflect"
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// askedFor types a text into the promise's input line, in place of the one in it.
func askedFor(m *model, text string) {
	press(m, "t")
	m.st.Entry.Text = text
	press(m, "enter")
}

func TestPromisesAreTypedForTheChosenMetric(t *testing.T) {
	for _, c := range []struct {
		sentence string
		metric   bench.Metric
		text     string
		want     string
		// instead is the promise that goes, "" for none.
		instead string
	}{
		{"a length keeps the percentile in force", bench.TTFT, "400ms", "ttft.p95<=400ms", ""},
		{"seconds", bench.TTFT, "0.5s", "ttft.p95<=500ms", ""},
		{"milliseconds where nothing is said", bench.TTFT, "750", "ttft.p95<=750ms", ""},
		{"with its side", bench.TTFT, "<=500ms", "ttft.p95<=500ms", ""},
		{"with blanks", bench.TTFT, " ≤ 500 ms ", "ttft.p95<=500ms", ""},
		{"another percentile takes the place of the one in force", bench.TTFT, "p99<=2s", "ttft.p99<=2s", "ttft.p95<=500ms"},
		{"the greatest too", bench.TTFT, "max<=9s", "ttft.max<=9000ms", "ttft.p95<=500ms"},
		{"in full", bench.TTFT, "TTFT.p99<=2s", "ttft.p99<=2s", "ttft.p95<=500ms"},
		{"a speed is a floor", bench.TPS, "30", "tps.p5>=30", ""},
		{"of the slowest", bench.TPS, "p1>=15", "tps.p1>=15", "tps.p5>=20"},
		{"a quota of requests", bench.RPM, "900", "rpm<=900", ""},
		{"a quota of tokens", bench.TPM, "500k", "tpm<=500000", ""},
		{"errors are nobody's lane", bench.TTFT, "errors<=2%", "errors<=2%", ""},
		{"a metric without one", bench.E2E, "p50<=8s", "e2e.p50<=8000ms", ""},
		{"and its own percentile", bench.E2E, "8s", "e2e.p95<=8000ms", ""},
	} {
		f := showing(viewtest.Running)
		m := opened(f)
		m.st.Metric, m.st.Chosen = c.metric, true
		if c.metric == bench.E2E {
			m.st.View = action.Heat
		}
		askedFor(m, c.text)
		var want []bench.Command
		for _, text := range []string{c.want, c.instead} {
			if text != "" {
				th, err := bench.ParseThreshold(text)
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, bench.Promise{Threshold: th, Drop: text == c.instead})
			}
		}
		if got := f.commands(); !reflect.DeepEqual(got, want) || m.st.Entry != nil {
			t.Errorf("%s: %q posts %v, want %v (%+v)", c.sentence, c.text, got, want, m.st.Entry)
		}
	}
}

func TestAPromiseIsEditedInPlace(t *testing.T) {
	for metric, want := range map[bench.Metric]string{bench.TTFT: "p95<=500ms", bench.TPS: "p5>=20", bench.RPM: "600", bench.TPM: "300k"} {
		m := opened(showing(viewtest.Running))
		m.st.Metric, m.st.Chosen = metric, true
		press(m, "t")
		if e := m.st.Entry; e == nil || e.Text != want {
			t.Errorf("%v: %+v, want %q", metric, e, want)
		}
		press(m, "enter")
	}
	if got := promiseText(bench.Threshold{Metric: bench.TTFT, At: bench.P99, Limit: 2500}); got != "p99<=2.5s" {
		t.Errorf("2.5 s is %q", got)
	}
	f := showing(viewtest.Running)
	m := opened(f)
	m.st.Metric = bench.TPM
	press(m, "t")
	if e := m.st.Entry; e == nil || e.Text != "p95<=500ms" || m.st.Metric != bench.TTFT || !m.st.Chosen {
		t.Errorf("nothing chosen: %+v, %v; want TTFT, chosen", e, m.st.Metric)
	}
	press(m, "esc")
	if got := f.commands(); len(got) != 0 {
		t.Errorf("esc posts %v", got)
	}
}

func TestNoneDropsAPromise(t *testing.T) {
	for text, want := range map[string]string{"none": "ttft.p95<=500ms", "errors none": "errors<=1%"} {
		f := showing(viewtest.Running)
		m := opened(f)
		askedFor(m, text)
		th, _ := bench.ParseThreshold(want)
		if got := f.commands(); !reflect.DeepEqual(got, []bench.Command{bench.Promise{Threshold: th, Drop: true}}) {
			t.Errorf("%q posts %v, want to drop %s", text, got, want)
		}
	}
	f := showing(viewtest.Running)
	m := opened(f)
	askedFor(m, "e2e none")
	if got := f.commands(); len(got) != 0 || m.st.Notice != "there is no promise on E2E" {
		t.Errorf("posts %v, says %q", got, m.st.Notice)
	}
}

func TestBadPromisesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"soon":       `value "soon" is not a positive number with a fitting unit: want 500ms, p99<=2s or none`,
		"-3":         `value "-3" is not a positive number`,
		">=500ms":    "TTFT takes <=",
		"p42<=500ms": `TTFT has no "p42"`,
		"ttfx<=3s":   `no metric "ttfx"`,
		"p99<=":      "no metric, <= or >=, and value",
	} {
		f := showing(viewtest.Running)
		m := opened(f)
		askedFor(m, text)
		if e := m.st.Entry; e == nil || !strings.HasPrefix(e.Problem, want) || e.Text != text || len(f.commands()) > 0 {
			t.Errorf("%q: %+v, want %q", text, e, want)
		}
	}
}

func FuzzPromisesAreReadOrRefused(f *testing.F) {
	for _, s := range []string{"500ms", "p99<=2s", "ttft.p99<=2s", "20", ">=20", "300k", "p", "≤", "<", "max<=1", "none", "errors<=1%", "p95<=<=3"} {
		f.Add(s, uint8(0))
		f.Add(s, uint8(2))
	}
	f.Fuzz(func(t *testing.T, text string, metric uint8) {
		m := bench.Metric(metric % uint8(bench.NumMetrics))
		th, err := readPromise(text, m, bench.Threshold{Metric: m, At: bench.Mean})
		if err != nil {
			return
		}
		if !(th.Limit > 0) {
			t.Fatalf("%q is %+v", text, th)
		}
		if again, err := readPromise(promiseText(th), th.Metric, th); err != nil || again != th {
			t.Fatalf("%q reads as %v, which is shown as %q and reads as %v, %v", text, th, promiseText(th), again, err)
		}
	})
}

// TestAPromiseByNameIsOfTheMetricThatTheKeyAsksFor: one that was chosen in another view, where this one does not show it, is not meant.
func TestAPromiseByNameIsOfTheMetricThatTheKeyAsksFor(t *testing.T) {
	for _, c := range []struct {
		sentence string
		view     action.View
		metric   bench.Metric
		chosen   bool
		want     bench.Metric
	}{
		{"Live has no lane of E2E", action.Live, bench.E2E, true, bench.TTFT},
		{"Heat has", action.Heat, bench.E2E, true, bench.E2E},
		{"nothing is chosen in Live", action.Live, bench.ITL, false, bench.TTFT},
		{"a lane is", action.Live, bench.ITL, true, bench.ITL},
	} {
		f := showing(viewtest.Running)
		m := opened(f)
		m.st.View, m.st.Metric, m.st.Chosen = c.view, c.metric, c.chosen
		command(m, "promise p99<=700ms")
		got := f.commands()
		if p, ok := append(got, bench.Command(nil))[0].(bench.Promise); !ok || p.Threshold.Metric != c.want {
			t.Errorf("%s: %#v, want one of %s", c.sentence, got, c.want)
		}
		m.st.View, m.st.Metric, m.st.Chosen = c.view, c.metric, c.chosen
		if press(m, "t"); m.st.Entry == nil || m.st.Entry.Prompt != c.want.String()+" promise" {
			t.Errorf("%s: the key asks for %+v", c.sentence, m.st.Entry)
		}
	}
}
