package report

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"redline/bench/report/reporttest"
)

func TestSeveralRunsStandSideBySide(t *testing.T) {
	a, b := reporttest.Story(), reporttest.Story()
	b.Run.Model = "llama"
	set := Set{Of(a, Options{Saved: savedAt, Origin: &Origin{Name: "before", Complete: true}}), Of(b, Options{Saved: savedAt, Origin: &Origin{Name: "after|x"}})}
	var text strings.Builder
	if err := set.Text(&text, 200); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"most tok/s", " 1   before", "== run 2: after|x ==", "redline dev: llama at gpu-7:8000", "ends before the run did"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, text.String())
		}
	}
	if mark := set.Markdown(); !strings.Contains(mark, "# redline: 2 runs\n") || !strings.Contains(mark, `after\|x`) || strings.Count(mark, "## Levels") != 2 {
		t.Errorf("Markdown:\n%s", mark)
	}
	data, err := set.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Schema string
		Runs   []struct {
			Schema   string
			Target   struct{ Model string }
			Recorded struct {
				Name     string
				Complete bool
			}
		}
	}
	if err := json.Unmarshal(data, &back); err != nil || back.Schema != SetSchema || len(back.Runs) != 2 || back.Runs[1].Schema != Schema || back.Runs[1].Target.Model != "llama" || !back.Runs[0].Recorded.Complete || back.Runs[1].Recorded.Complete {
		t.Errorf("%v %+v", err, back)
	}
}

func TestOneRunIsToldAsItself(t *testing.T) {
	d := Of(reporttest.Story(), Options{Saved: savedAt})
	one, err := (Set{d}).JSON()
	if err != nil {
		t.Fatal(err)
	}
	if alone, err := d.JSON(); err != nil || string(alone) != string(one) || (Set{d}).Markdown() != d.Markdown() {
		t.Errorf("%v: a set of one is another document than that one", err)
	}
}

func TestWhatAFileSaysIsTold(t *testing.T) {
	o := &Origin{Name: "r", Began: savedAt, Damage: []string{"at byte 9: no frame"}, Options: []string{"--slo", "ttft.p95<=1s"}, Machine: Machine{Name: "bench-1", OS: "linux", Arch: "arm64", CPUs: 8, Go: "go1.26"}, Annotations: []Annotation{{90 * time.Second, "new driver"}}}
	var text strings.Builder
	d := Of(reporttest.Story(), Options{Saved: savedAt, Origin: o})
	if err := d.Text(&text, 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"00:01:30  note afterwards \"new driver\"\n", "flags     --slo ttft.p95<=1s\n", "! the file of this run lacks a part: at byte 9: no frame\n", "machine   bench-1, linux/arm64, 8 CPUs, go1.26\n"} {
		if !strings.Contains(text.String(), want) || !strings.Contains(d.Markdown(), want) {
			t.Errorf("%q is missing in:\n%s\n%s", want, text.String(), d.Markdown())
		}
	}
}
