package ui

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/view"
)

// askPromise opens the input line for the chosen metric's promise, with the one in force in it. Where none is chosen it is that of TTFT, which then is.
func (m *model) askPromise() {
	if m.snap.Run == nil {
		return
	}
	if metric := m.promised(); metric != m.st.Metric || m.st.View == action.Live {
		m.st.Metric, m.st.Chosen = metric, true
	}
	e := &view.Entry{For: view.ForPromise, Prompt: m.st.Metric.String() + " promise", Hint: m.lineHint(promiseExamples(m.st.Metric), "enter applies")}
	if t, ok := m.promiseOn(m.st.Metric); ok {
		e.Text = promiseText(t)
	}
	m.st.Entry = e
}

// promised is the metric whose promise is asked for: the chosen one, TTFT where the view shows none that is.
func (m *model) promised() bench.Metric {
	if m.st.View == action.Live && !m.st.Chosen || !slices.Contains(view.Ring(m.st.View), m.st.Metric) {
		return bench.TTFT
	}
	return m.st.Metric
}

// promiseOn is the first promise on a metric: the one that its lane shows.
func (m *model) promiseOn(metric bench.Metric) (bench.Threshold, bool) {
	all := m.snap.Run.Thresholds
	if i := slices.IndexFunc(all, func(t bench.Threshold) bool { return t.Metric == metric }); i >= 0 {
		return all[i], true
	}
	return bench.Threshold{}, false
}

// promiseText is a promise as it is typed for its own metric: "p95<=500ms", "p99<=2s", "600", "300k".
func promiseText(t bench.Threshold) string {
	short := ""
	switch {
	case t.Quota():
		short = chart.Tick(t.Limit)
	case t.Metric.Unit() == "ms" && t.Limit >= 1000:
		short = t.At.String() + "<=" + strconv.FormatFloat(t.Limit/1000, 'f', -1, 64) + "s"
	}
	// It must say the same.
	if back, err := readPromise(short, t.Metric, t); err == nil && back == t {
		return short
	}
	text := strings.TrimPrefix(t.String(), strings.ToLower(t.Metric.String()))
	return strings.TrimPrefix(text, ".")
}

// promiseExamples are texts that a metric's promise may have.
func promiseExamples(m bench.Metric) string {
	switch m {
	case bench.TPS:
		return "20, p1>=15 or none"
	case bench.RPM:
		return "600 or none"
	case bench.TPM:
		return "300k or none"
	case bench.Errors:
		return "errors<=1%"
	}
	return "500ms, p99<=2s or none"
}

// promise puts what was typed in force, in the place of the first promise on its metric, or names what is wrong with it. "none" takes that one away.
func (m *model) promise(e *view.Entry) {
	m.st.Entry = nil
	text := strings.ToLower(strings.Join(strings.Fields(e.Text), ""))
	if text == "" || m.snap.Run == nil {
		return
	}
	chosen := m.promised()
	if metric, ok := dropped(text, chosen); ok {
		if was, had := m.promiseOn(metric); had {
			m.drive(bench.Promise{Threshold: was, Drop: true})
		} else {
			m.say("there is no promise on " + metric.String())
		}
		return
	}
	was, had := m.promiseOn(chosen)
	if !had {
		was = bench.Threshold{Metric: chosen, At: bench.Mean}
	}
	t, err := readPromise(text, chosen, was)
	if err != nil {
		e.Problem = problem(err, chosen)
		m.st.Entry = e
		return
	}
	was, had = m.promiseOn(t.Metric)
	// The new one first: it takes the place before the others of its metric.
	m.drive(bench.Promise{Threshold: t})
	if had && !t.Same(was) {
		m.drive(bench.Promise{Threshold: was, Drop: true})
	}
}

// dropped is the metric whose promise a text takes away: the chosen one for "none", another for "errors none" or "errors<=none".
func dropped(text string, chosen bench.Metric) (bench.Metric, bool) {
	name, ok := strings.CutSuffix(text, "none")
	name = strings.TrimRight(name, "<>=≤≥")
	if name == "" {
		return chosen, ok
	}
	for m := bench.Metric(0); m < bench.NumMetrics && ok; m++ {
		if strings.ToLower(m.String()) == name {
			return m, true
		}
	}
	return chosen, false
}

// readPromise reads what is typed for a metric as a threshold: what is left out of METRIC.PERCENTILE<=VALUE is that of the one in force.
func readPromise(text string, metric bench.Metric, was bench.Threshold) (bench.Threshold, error) {
	at := strings.IndexAny(text, "<>≤≥")
	left, right := "", text
	if at >= 0 {
		left, right = text[:at], text[at:]
	} else if right = "<=" + text; metric == bench.TPS {
		right = ">=" + text
	}
	name := strings.ToLower(metric.String())
	switch {
	case left == "" && was.Metric == metric && was.At != bench.Mean:
		left = name + "." + was.At.String()
	case left == "":
		left = name
	case left == "max" || left[0] == 'p' && strings.Trim(left[1:], "0123456789") == "":
		left = name + "." + left
	}
	return bench.ParseThreshold(left + right)
}

// problem is what is wrong with a typed promise, and what would be right.
func problem(err error, m bench.Metric) string {
	var bad *bench.ThresholdError
	if !errors.As(err, &bad) {
		return err.Error()
	}
	return bad.Why + ": want " + promiseExamples(m)
}
