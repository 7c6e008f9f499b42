package main

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// BenchmarkReport makes each form of the report of the run file that REDLINE_BENCH_RUN names (see BenchmarkMillionRequests of bench/record), and tells how much of the
// heap was in use at most; then again, and a replay's opening, in a process of its own, with the most memory that it had. A run of a million requests takes about a
// second or two, and 100 MB.
func BenchmarkReport(b *testing.B) {
	path := os.Getenv("REDLINE_BENCH_RUN")
	if path == "" {
		b.Skip("REDLINE_BENCH_RUN names no run file")
	}
	for _, form := range reportFormNames() {
		b.Run(form, func(b *testing.B) {
			for b.Loop() {
				m := &Main{Stdout: io.Discard, Stderr: io.Discard, Env: func(string) (string, bool) { return "", false }}
				if err := m.tell(b.Context(), &telling{form: form}, []string{path}); err != nil {
					b.Fatal(err)
				}
			}
			var used runtime.MemStats
			runtime.ReadMemStats(&used)
			b.ReportMetric(float64(used.Sys>>20), "MiB-of-the-system")
		})
	}
	// The test binary stands in for the program: each of these has a process to itself.
	for _, args := range [][]string{{"report", path}, {"report", "--requests", path}, {"replay", path}} {
		b.Run("alone/"+strings.Join(args[:len(args)-1], " "), func(b *testing.B) {
			for b.Loop() {
				alone(b, args)
			}
		})
	}
}

// alone runs the program by itself and tells the most memory that it had.
func alone(b *testing.B, args []string) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.CommandContext(b.Context(), self, args...)
	cmd.Env = append(os.Environ(), "REDLINE_TEST_AS=program")
	// What it writes goes nowhere: the memory of its parent counts as its own at the beginning.
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		b.Fatalf("%v: %v\n%.300s", args, err, said.String())
	}
	if used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		b.ReportMetric(float64(used.Maxrss>>10), "MiB-at-most")
	}
	b.ReportMetric((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), "cpu-s")
}
