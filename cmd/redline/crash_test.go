package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/engine"
	"redline/bench/health"
	"redline/bench/workload"
)

// fragile is a sender that breaks.
type fragile struct{}

func (fragile) Send(context.Context, bench.Request, bench.Observer) bench.Ended {
	panic("sender is broken")
}

func (fragile) Restart(bench.Clock) {}

func TestAPanicOfTheEngineEndsTheRunWithTraceAndSummary(t *testing.T) {
	o := start(t, nil)
	s := defaults()
	s.screen.plain = true
	forced := make(chan int, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := &session{Main: &o.Main, set: &s, end: newEndgame(&o.Main, cancel, forced), heard: &libraries{}, clean: strings.Clone}
	work, err := workload.Open(t.Context(), workload.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	conn := &connection{client: fragile{}, works: []*workload.Source{work}, monitor: health.New(bench.NewClock(time.Now())), report: client.Report{URL: "http://127.0.0.1:1/v1", Model: "m"}}
	r.begin(conn)
	got := r.run(ctx)
	if got.code != exitCrash || !strings.Contains(got.Error(), "sender is broken") || !strings.Contains(got.Error(), "crash_test.go:") {
		t.Errorf("exit code %d, %v", got.code, got)
	}
	if !strings.Contains(o.out.String(), "redline dev: m at 127.0.0.1:1") {
		t.Errorf("no summary:\n%s", o.out.String())
	}
}

// What breaks in the recorder costs the run its file, and the trace is told when the run is over.
func TestAPanicOfTheRecorderIsTold(t *testing.T) {
	r := &session{}
	r.recording.panicked = r.crash.panicked
	o := engine.Options{Run: bench.Run{Model: "m"}}
	r.recording.begin(keeping{file: filepath.Join(t.TempDir(), "a")}, bench.NewClock(time.Now()), nil, []string{""}, []*engine.Options{&o})
	// A target that is none.
	r.recording.recorder.Track(7).Seconds([]*bench.Batch{{Span: time.Second}}, &bench.Snapshot{})
	r.recording.close()
	if got := r.crash.text(); !strings.Contains(got, "index out of range") || !strings.Contains(got, "recorderscribe.go:") {
		t.Errorf("the note is %q", got)
	}
}

func TestAPanicBeforeTheRunIsToldToo(t *testing.T) {
	o := start(t, nil)
	o.Main.Resolve = nil
	o.Args = []string{"--url", "http://plain-name/v1"}
	if code := o.run(t); code != exitCrash || !strings.Contains(o.errs.String(), "redline: internal error:") {
		t.Errorf("exit code %d, %s", code, o.errs.String())
	}
}

func TestTheFirstPanicIsTheOneThatIsTold(t *testing.T) {
	var c crash
	told := 0
	for _, words := range []string{"first", "second"} {
		func() {
			defer c.catch(func() { told++ })
			panic(words)
		}()
	}
	if text := c.text(); told != 2 || !strings.HasPrefix(text, "panic: first\n") || strings.Contains(text, "panic: second") {
		t.Errorf("%d told, %s", told, text)
	}
}
