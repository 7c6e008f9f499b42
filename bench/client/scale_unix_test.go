//go:build unix

package client_test

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
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/sim"
)

// The benchmarks of this file hold thousands of slow streams at once between two processes: a client, and the simulated server in another one, each at
// one token a second. What they show is that nothing is lost, and what a stream costs.

// serverRole makes the test binary the server, for as long as its standard input is open.
const serverRole = "REDLINE_TEST_SLOW_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(serverRole) != "" {
		if err := slowServer(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// slowServer tells its address, and then what it costs for each line that it is sent.
func slowServer() error {
	debug.SetGCPercent(400) // as in a run
	opt := sim.Defaults()
	opt.Pace, opt.RPM, opt.TPM = sim.Pace{On: true, Rate: 1}, -1, -1
	server, err := sim.New(opt)
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(ln.Addr())
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			fmt.Println(costNow())
		}
		stop()
	}()
	return server.Serve(ctx, ln)
}

// cost is what a process has used: bytes that live, and processor time.
type cost struct {
	bytes int64
	cpu   time.Duration
}

func costNow() cost {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return cost{}
	}
	used := time.Duration(u.Utime.Nano() + u.Stime.Nano())
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return cost{int64(m.HeapAlloc + m.StackInuse), used}
}

func (c cost) String() string { return fmt.Sprintf("%d %d", c.bytes, c.cpu) }

// other is the server's process.
type other struct {
	address string
	in      io.WriteCloser
	out     *bufio.Reader
	cmd     *exec.Cmd
}

func startServer(b *testing.B) *other {
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), serverRole+"=1"), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	o := &other{in: in, out: bufio.NewReader(out), cmd: cmd}
	line, err := o.out.ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	o.address = strings.TrimSpace(line)
	b.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			b.Error(err)
		}
	})
	return o
}

func (o *other) cost(b *testing.B) (c cost) {
	if _, err := fmt.Fprintln(o.in); err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Fscan(o.out, &c.bytes, &c.cpu); err != nil {
		b.Fatal(err)
	}
	return c
}

// gauge sees all streams of a benchmark: how many are open, and how late their tokens are.
type gauge struct {
	started, open, events atomic.Int64
	late                  []atomic.Int64 // how many gaps were so many milliseconds off
}

type watcher struct{ *gauge }

func (g watcher) Started(time.Duration) { g.started.Add(1) }
func (g watcher) Quotas([]bench.Quota)  {}

func (g watcher) Chunk(c bench.Chunk) {
	g.events.Add(int64(c.Events))
	if c.First {
		g.open.Add(1)
		return
	}
	off := (c.Gap - time.Second).Abs().Milliseconds()
	g.late[min(int(off), len(g.late)-1)].Add(1)
}

// quantile is how many milliseconds the share q of the gaps is off at most.
func (g *gauge) quantile(q float64) float64 {
	var all, sum int64
	for i := range g.late {
		all += g.late[i].Load()
	}
	for i := range g.late {
		if sum += g.late[i].Load(); float64(sum) >= q*float64(all) {
			return float64(i)
		}
	}
	return 0
}

// seconds is how many tokens each stream has, one a second.
const seconds = 20

func benchmarkSlowStreams(b *testing.B, streams int) {
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil || files.Cur < uint64(streams+100) {
		b.Skipf("%d files may be open, %d streams want as many and some more", files.Cur, streams)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	server := startServer(b)
	c, err := client.New(client.Options{URL: "http://" + server.address + "/v1", Model: sim.Defaults().Model, Concurrency: streams, NoProxy: true,
		Limits: bench.Limits{Connect: 10 * time.Second, FirstToken: time.Minute, Idle: time.Minute, Total: 10 * time.Minute}})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	for b.Loop() {
		here, there := costNow(), server.cost(b)
		g := &gauge{late: make([]atomic.Int64, 2000)}
		all := make([]bench.Ended, streams)
		var sending sync.WaitGroup
		began := time.Now()
		for i := range all {
			sending.Go(func() {
				p := bench.Prompt{Text: fmt.Sprint(i, " say a word"), MaxTokens: seconds}
				all[i] = c.Send(context.Background(), bench.Request{Prompt: p}, watcher{g})
			})
		}
		for g.open.Load() < int64(streams) && time.Since(began) < seconds*time.Second/2 {
			time.Sleep(10 * time.Millisecond)
		}
		opened := time.Since(began)
		midHere, midThere, from := costNow(), server.cost(b), time.Now()
		time.Sleep(time.Until(began.Add(seconds * time.Second * 9 / 10)))
		span := time.Since(from)
		endHere, endThere := costNow(), server.cost(b)
		sending.Wait()
		judge(b, all, g)
		b.ReportMetric(opened.Seconds(), "s-to-open")
		b.ReportMetric(float64(midHere.bytes-here.bytes)/float64(streams), "B/stream")
		b.ReportMetric(float64(midThere.bytes-there.bytes)/float64(streams), "B/stream-server")
		b.ReportMetric(100*(endHere.cpu-midHere.cpu).Seconds()/span.Seconds(), "%cpu")
		b.ReportMetric(100*(endThere.cpu-midThere.cpu).Seconds()/span.Seconds(), "%cpu-server")
	}
}

// judge tells what was lost.
func judge(b *testing.B, all []bench.Ended, g *gauge) {
	outcomes := make(map[string]int)
	var connects, ttfts []time.Duration
	lost := len(all)*seconds - int(g.events.Load())
	for i := range all {
		e := &all[i]
		if e.Outcome != bench.OK || e.Counts.Events != seconds {
			outcomes[fmt.Sprintf("%v %q %d", e.Outcome, e.Message, e.Counts.Events)]++
		}
		connects = append(connects, e.Connect.TCP)
		ttft, _ := e.TTFT()
		ttfts = append(ttfts, ttft)
	}
	if len(outcomes) > 0 || lost != 0 {
		b.Errorf("%d tokens are lost: %v", lost, outcomes)
	}
	slices.Sort(connects)
	slices.Sort(ttfts)
	b.ReportMetric(float64(lost), "lost")
	b.ReportMetric(connects[len(connects)/2].Seconds()*1e3, "ms-connect-p50")
	b.ReportMetric(connects[len(connects)-1].Seconds()*1e3, "ms-connect-max")
	b.ReportMetric(ttfts[len(ttfts)-1].Seconds()*1e3, "ms-ttft-max")
	b.ReportMetric(g.quantile(0.5), "ms-off-p50")
	b.ReportMetric(g.quantile(0.99), "ms-off-p99")
}

func BenchmarkSlowStreams1000(b *testing.B)  { benchmarkSlowStreams(b, 1000) }
func BenchmarkSlowStreams10000(b *testing.B) { benchmarkSlowStreams(b, 10_000) }
