package gauges

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"redline/bench"
)

// fixture is what a kind of server tells, twice, two seconds apart, with what comes of it by hand.
type fixture struct {
	file, engine string
	// want are the gauges at the second text; what is not in it must be absent. most are those whose greatest is another than the value.
	want, most map[bench.Gauge]float64
	// ttft, itl and queue are how many values the estimates hold.
	ttft, itl, queue uint64
	// kv and batch are the capacities; 0 where they are not told.
	kv, batch float64
}

var fixtures = []fixture{
	{
		file: "vllm", engine: "vLLM", ttft: 10, itl: 2000, queue: 10, kv: 2 * 7000 * 16,
		want: map[bench.Gauge]float64{
			bench.ServerRunning: 32 + 18, bench.ServerWaiting: 5, bench.KVUsage: (0.95 + 0.25) / 2, bench.PrefixHits: 800.0 / 8000,
			bench.Preemptions: 1.0 / 2, bench.PromptRate: 8000 / 2, bench.GenerationRate: 4000 / 2,
			bench.ServerTTFT: 1000 * 2.5 / 10, bench.ServerITL: 1000 * 34.0 / 2000, bench.ServerQueue: 1000 * 0.5 / 10, bench.ServerE2E: 1000 * 45.0 / 10,
			bench.Accepted: 130.0 / 200,
		},
		most: map[bench.Gauge]float64{bench.KVUsage: 0.95},
	},
	{
		file: "vllm-older", engine: "vLLM", itl: 80,
		want: map[bench.Gauge]float64{
			bench.ServerRunning: 4, bench.ServerWaiting: 1 + 2, bench.KVUsage: 0.5, bench.PrefixHits: 0.2, bench.PromptRate: 200, bench.GenerationRate: 40,
			bench.ServerITL: 8,
		},
	},
	{
		file: "llamacpp", engine: "llama.cpp",
		want: map[bench.Gauge]float64{
			bench.ServerRunning: 4, bench.ServerWaiting: 0, bench.PrefixHits: 128.0 / (512 + 128), bench.PromptRate: 256, bench.GenerationRate: 50, bench.ServerITL: 20,
		},
	},
	{
		file: "llamacpp-older", engine: "llama.cpp",
		want: map[bench.Gauge]float64{
			bench.ServerRunning: 1, bench.ServerWaiting: 0, bench.KVUsage: 0.375, bench.PromptRate: 1000, bench.Accepted: 30.0 / 40,
		},
	},
	{
		file: "sglang", engine: "SGLang", ttft: 10, itl: 1000, queue: 10, kv: 2 * 400000,
		want: map[bench.Gauge]float64{
			bench.ServerRunning: 14 + 7, bench.ServerWaiting: 2, bench.KVUsage: (0.9 + 0.7) / 2, bench.PrefixHits: 400.0 / 4000, bench.Preemptions: 2,
			bench.PromptRate: 2000, bench.GenerationRate: 500, bench.ServerTTFT: 200, bench.ServerITL: 12, bench.ServerQueue: 50, bench.ServerE2E: 3000,
			bench.Accepted: 0.62,
		},
		most: map[bench.Gauge]float64{bench.KVUsage: 0.9},
	},
	{
		file: "trtllm", engine: "TensorRT-LLM", ttft: 10, itl: 10, queue: 10,
		want: map[bench.Gauge]float64{
			bench.ServerRunning: 6, bench.ServerWaiting: 2, bench.KVUsage: 0.625, bench.PrefixHits: 10.0 / 40, bench.PromptRate: 1000, bench.GenerationRate: 500,
			bench.ServerTTFT: 50, bench.ServerITL: 6, bench.ServerQueue: 20, bench.ServerE2E: 2000, bench.Accepted: 0.75, bench.GPUMemory: 7.5e10,
		},
	},
	{
		file: "lmdeploy", engine: "LMDeploy", ttft: 4,
		want: map[bench.Gauge]float64{
			bench.ServerRunning: 7, bench.ServerWaiting: 1, bench.KVUsage: 0.5, bench.PromptRate: 100, bench.GenerationRate: 40, bench.ServerTTFT: 50,
		},
	},
	{
		file: "tgi", engine: "TGI", queue: 10,
		want: map[bench.Gauge]float64{
			bench.ServerRunning: 4, bench.ServerWaiting: 7, bench.PromptRate: 1000, bench.GenerationRate: 300, bench.ServerITL: 25, bench.ServerQueue: 500,
			bench.ServerE2E: 6000,
		},
	},
	{
		file: "triton", engine: "Triton", ttft: 20, kv: 6000 * 64, batch: 512,
		want: map[bench.Gauge]float64{
			bench.ServerRunning: 9, bench.ServerWaiting: 3, bench.KVUsage: 0.25, bench.ServerTTFT: 100, bench.ServerQueue: 0.2, bench.ServerE2E: 2000,
			bench.GPUUse: 0.625, bench.GPUMemory: 1.6e11, bench.GPUPower: 600,
		},
		most: map[bench.Gauge]float64{bench.GPUUse: 0.75},
	},
	{
		file: "dynamo", engine: "Dynamo", ttft: 10, itl: 800, kv: 16384 * 16, batch: 64,
		want: map[bench.Gauge]float64{
			bench.ServerRunning: 9, bench.ServerWaiting: 4, bench.PrefixHits: 0.25, bench.PromptRate: 1000, bench.GenerationRate: 400,
			bench.ServerTTFT: 75, bench.ServerITL: 10, bench.ServerE2E: 1500,
		},
	},
	{
		// What is computed is asked of the engine itself.
		file: "dynamo-worker", engine: "vLLM, Dynamo",
		want: map[bench.Gauge]float64{bench.ServerRunning: 6, bench.ServerWaiting: 0, bench.KVUsage: 0.125, bench.GenerationRate: 100},
	},
	{
		file: "dcgm", engine: "DCGM",
		want: map[bench.Gauge]float64{bench.GPUUse: 0.7, bench.GPUMemory: 100000 << 20, bench.GPUMemoryFree: 10000 << 20, bench.GPUPower: 900.75},
		most: map[bench.Gauge]float64{bench.GPUUse: 0.9},
	},
	{
		file: "dcgm-older", engine: "DCGM",
		want: map[bench.Gauge]float64{bench.GPUUse: 0.5, bench.GPUMemory: 1024 << 20, bench.GPUMemoryFree: 2048 << 20, bench.GPUPower: 250},
		most: map[bench.Gauge]float64{bench.GPUUse: 0.6},
	},
}

func TestWhatEachEngineTellsIsReadAsItIsMeant(t *testing.T) {
	for _, f := range fixtures {
		t.Run(f.file, func(t *testing.T) {
			var m memory
			m.take(reading1(t, f.file+".1.txt", f.engine), tablesOf(t, f.file+".1.txt"), time.Second)
			e := reading1(t, f.file+".2.txt", f.engine)
			of, _, _ := e.tables()
			g := m.take(e, of, 3*time.Second)
			for gauge := range bench.NumGauges {
				want, told := f.want[gauge]
				v, a := g.now[gauge], g.gauges[gauge]
				if v.OK != told || told && !near(v.V, want) {
					t.Errorf("gauge %d is %v, want %v (told: %v)", gauge, v, want, told)
				}
				if mean := a.Mean(); mean.OK != told || told && !near(mean.V, want) {
					t.Errorf("the amount of gauge %d is %v, want %v (told: %v)", gauge, mean, want, told)
				}
				if most, other := f.most[gauge]; told && !near(a.Max, map[bool]float64{true: most, false: want}[other]) {
					t.Errorf("the greatest of gauge %d is %v", gauge, a.Max)
				}
			}
			if g.ttft.N != f.ttft || g.itl.N != f.itl || g.queue.N != f.queue {
				t.Errorf("estimates hold %d, %d and %d, want %d, %d and %d", g.ttft.N, g.itl.N, g.queue.N, f.ttft, f.itl, f.queue)
			}
			if mean := g.ttft.Mean(); f.ttft > 0 && !near(mean.V, f.want[bench.ServerTTFT]) {
				t.Errorf("the mean of the estimated TTFT is %v", mean)
			}
			kv, batch := bench.Value{}, bench.Value{}
			for _, en := range of {
				kv, batch = or(kv, e.size(en.kv, en)), or(batch, e.size(en.maxRunning, en))
			}
			if kv.V != f.kv || kv.OK != (f.kv > 0) || batch.V != f.batch || batch.OK != (f.batch > 0) {
				t.Errorf("it holds %v tokens and %v requests, want %v and %v", kv, batch, f.kv, f.batch)
			}
			if g.restart {
				t.Error("a restart that was none")
			}
		})
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), 1) }

// reading1 reads a file of testdata, which must be of one engine.
func reading1(t *testing.T, name, engine string) *exposition {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	e := read(text)
	if _, who, why := e.tables(); who != engine || why != "" || e.bad > 0 {
		t.Fatalf("%s is of %q (%s), with %d bad lines; want %q", name, who, why, e.bad, engine)
	}
	return e
}

func tablesOf(t *testing.T, name string) []*engine {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	of, _, _ := read(text).tables()
	return of
}
