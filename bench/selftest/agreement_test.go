package selftest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/health"
)

// Run with: go test -run '^$' -bench Agreement -benchtime 1x -timeout 30m ./bench/selftest
// and once more behind taskset -c 0, which no process can do to itself while it runs.

// asServer, in the environment, makes this test binary a server: what is measured is a client alone.
const asServer = "REDLINE_SELFTEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) == "" {
		os.Exit(m.Run())
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		fmt.Println(l.Addr())
		ctx, cancel := context.WithCancel(context.Background())
		// The parent holds the other end of standard input: when it goes, this process goes.
		go func() { _, _ = io.Copy(io.Discard, os.Stdin); cancel() }()
		err = new(Server).Serve(ctx, l)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func startServer(tb testing.TB) (host string, server *os.Process) {
	tb.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), asServer+"=1")
	child.Stderr = os.Stderr
	in, err := child.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := child.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = in.Close()
		_ = child.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		tb.Fatal(err)
	}
	return strings.TrimSpace(line), child.Process
}

// disturbance is what may make a client late beside its own streams, or may not.
type disturbance struct {
	name  string
	begin func(server *os.Process) (end func())
}

var disturbances = []disturbance{
	{"nothing else", func(*os.Process) func() { return func() {} }},
	{"1 spinning goroutine", func(*os.Process) func() { return spin(1) }},
	{"2 spinning goroutines", func(*os.Process) func() { return spin(2) }},
	{"4 spinning goroutines", func(*os.Process) func() { return spin(4) }},
	{"GOMAXPROCS=1", func(*os.Process) func() {
		old := runtime.GOMAXPROCS(1)
		return func() { runtime.GOMAXPROCS(old) }
	}},
	{"2 other processes that spin", hog},
	{"a screen that is drawn 20 times a second", draw},
}

func spin(n int) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	for range n {
		go func() {
			for ctx.Err() == nil {
			}
		}()
	}
	return cancel
}

func hog(*os.Process) (end func()) {
	var all []*exec.Cmd
	for range 2 {
		c := exec.Command("/bin/sh", "-c", "while :; do :; done")
		if c.Start() == nil {
			all = append(all, c)
		}
	}
	return func() {
		for _, c := range all {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}
}

// draw makes about as much text, and garbage, as drawing a large terminal anew each time does at its worst.
func draw(*os.Process) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for ctx.Err() == nil {
			var b strings.Builder
			for range 20_000 {
				fmt.Fprintf(&b, "%8.3f│", 3.14)
			}
			<-tick.C
		}
	}()
	return cancel
}

// guesses are what each signal would say alone.
var guesses = []struct {
	name string
	late func(s *health.Signals) bool
}{
	{"reads", func(s *health.Signals) bool { return s.Reads.Quantile(0.99) > Late }},
	{"canary", func(s *health.Signals) bool { return s.Canary.Quantile(0.97) > Late }},
	{"timers", func(s *health.Signals) bool { return s.Timers.Quantile(0.97) > Late }},
	{"scheduler", func(s *health.Signals) bool { return s.Sched.V > bench.Millis(Late) }},
	{"cpu", func(s *health.Signals) bool { return s.CPU > 0.9 }},
	{"no reads", func(s *health.Signals) bool {
		return s.Sched.V > bench.Millis(Late) || min(s.Canary.Quantile(0.97), s.Timers.Quantile(0.97)) > Late
	}},
}

// BenchmarkAgreement prints how often the verdict on a second, and each signal alone, agreed with the stamps.
func BenchmarkAgreement(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	rows := [][]string{{"beside the streams", "seconds", "late", "verdict", "missed", "cried"}}
	for _, guess := range guesses {
		rows[0] = append(rows[0], guess.name)
	}
	var all agreements
	for _, d := range disturbances {
		b.Run(strings.ReplaceAll(d.name, " ", "-"), func(b *testing.B) {
			host, server := startServer(b)
			g := rig{host: host, seconds: 2}
			for b.Loop() {
				var part agreements
				end := d.begin(server)
				part.gather(b, &g)
				end()
				rows = append(rows, part.cells(d.name))
				fmt.Println(strings.Join(part.cells(d.name), " | ")) // the rest may take long
				all.add(&part)
				b.ReportMetric(percent(part.verdict), "%right")
			}
		})
	}
	fmt.Print("\n" + table(append(rows, all.cells("all"))))
}

// agreements are those of the verdict and of each guess.
type agreements struct {
	verdict Agreement
	late    int
	guesses [6]Agreement
}

// gather measures a grid of loads.
func (a *agreements) gather(b *testing.B, g *rig) {
	g.seen = a.window
	for _, p := range []Plan{{Streams: 1, Rate: 100}, {Streams: 100, Rate: 50}, {Streams: 1000, Rate: 20}, {Streams: 5000, Rate: 3}, {Streams: 10_000, Rate: 1}} {
		for _, p.Burst = range []bool{false, true} {
			if _, err := g.measure(context.Background(), path{}, p); err != nil {
				b.Error(err)
			}
		}
	}
}

func (a *agreements) window(w *Window) {
	before := a.verdict.Windows
	a.verdict.add(w)
	if a.verdict.Windows > before && w.Truth.Quantile(0.99) > Late {
		a.late++
	}
	for i, guess := range guesses {
		said := Window{Truth: w.Truth, asked: true}
		if guess.late(&w.signals) {
			said.Health.Strain = bench.Busy
		}
		a.guesses[i].add(&said)
	}
}

func (a *agreements) add(b *agreements) {
	a.verdict.Add(b.verdict)
	a.late += b.late
	for i := range a.guesses {
		a.guesses[i].Add(b.guesses[i])
	}
}

func (a *agreements) cells(name string) []string {
	v := a.verdict
	row := []string{name, grouped(v.Windows), grouped(a.late), fmt.Sprintf("%.1f%%", percent(v)), grouped(v.Missed), grouped(v.Cried)}
	for _, guess := range a.guesses {
		row = append(row, fmt.Sprintf("%.1f%%", percent(guess)))
	}
	return row
}

func percent(a Agreement) float64 { return 100 * float64(a.Right) / float64(max(a.Windows, 1)) }
