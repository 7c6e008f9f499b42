package main

import (
	"io"
	"os"
	"runtime"
	"testing"
)

// BenchmarkReport makes each form of the report of the run file that REDLINE_BENCH_RUN names, and tells how much of the heap was in use at most. A run of a million
// requests takes about a second and 70 MB.
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
}
