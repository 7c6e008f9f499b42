package gauges

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

func TestTextIsReadAsManyWriteIt(t *testing.T) {
	const name = "vllm_num_requests_running"
	for _, c := range []struct {
		sentence, text string
		want           []float64
		bad            int
	}{
		{"plain", "vllm:num_requests_running 3\n", []float64{3}, 0},
		{"with '_' for ':'", "vllm_num_requests_running 3\n", []float64{3}, 0},
		{"both spellings say the same once", "vllm:num_requests_running 3\nvllm_num_requests_running 3\n", []float64{3}, 0},
		{"an exponent", "vllm:num_requests_running 1.5e+01\n", []float64{15}, 0},
		{"a timestamp behind it", "vllm:num_requests_running 3 1395066363000\n", []float64{3}, 0},
		{"a timestamp of OpenMetrics", "vllm:num_requests_running 3 1395066363.25\n# EOF\n", []float64{3}, 0},
		{"an exemplar", "vllm:num_requests_running{a=\"b\"} 3 # {trace_id=\"x\"} 0.5 1.2\n", []float64{3}, 0},
		{"labels with escapes, braces and quotes", `vllm:num_requests_running{a="x\"}{\\",b="new\nline"} 3` + "\n", []float64{3}, 0},
		{"spaces, and lines of Windows", "  vllm:num_requests_running\t{ a=\"b\" , }  3\r\n", []float64{3}, 0},
		{"two series", "vllm:num_requests_running{e=\"0\"} 3\nvllm:num_requests_running{e=\"1\"} 4\n", []float64{3, 4}, 0},
		{"families in pieces", "vllm:num_requests_running{e=\"0\"} 3\nvllm:x 1\nvllm:num_requests_running{e=\"1\"} 4\n", []float64{3, 4}, 0},
		{"types and help that the parser does not know", "# TYPE vllm:num_requests_running unknown\n# TYPE vllm:num_requests_running info\n# UNIT x\nvllm:num_requests_running 3\n", []float64{3}, 0},
		{"no number is no reading", "vllm:num_requests_running{e=\"0\"} NaN\nvllm:num_requests_running{e=\"1\"} +Inf\nvllm:num_requests_running{e=\"2\"} 1\n", []float64{1}, 0},
		{"a bad line costs itself", "vllm:num_requests_running{e=\"0\"} 3\nvllm:num_requests_running{e=0} 9\nvllm:num_requests_running{e=\"2\"} x\nvllm:num_requests_running{e=\"1\"} 4\n", []float64{3, 4}, 2},
		{"a line without a value", "vllm:num_requests_running\nvllm:num_requests_running{a=\"b\"}\nvllm:num_requests_running{a=\"b\nvllm:num_requests_running 3\n", []float64{3}, 3},
		{"too many bad lines cost the name", strings.Repeat("vllm:num_requests_running{e=0} 1\n", 40) + "vllm:num_requests_running 3\n", nil, manyBad},
		{"half a line at the end", "vllm:num_requests_running 3", nil, 0},
		{"a name that only begins so", "vllm:num_requests_running_total 3\n", nil, 0},
		{"created when is no reading", "vllm:num_requests_running_created 1.7e9\n", nil, 0},
	} {
		e := read([]byte(c.text))
		var got []float64
		for _, s := range e.series[name] {
			got = append(got, s.value)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) || e.bad != c.bad {
			t.Errorf("%s: %v with %d bad lines, want %v with %d", c.sentence, got, e.bad, c.want, c.bad)
		}
	}
}

func TestCountersAreKnownWithTotalAndWithout(t *testing.T) {
	for _, name := range []string{"vllm:generation_tokens_total", "vllm:generation_tokens", "vllm_generation_tokens_total"} {
		var m memory
		for i := range 2 {
			e := read(fmt.Appendf(nil, "%s %d\n", name, 100*i))
			of, _, _ := e.tables()
			g := m.take(e, of, time.Duration(i)*time.Second)
			if i == 1 && g.now[bench.GenerationRate] != bench.Some(100) {
				t.Errorf("%s: %v a second", name, g.now[bench.GenerationRate])
			}
		}
	}
}

func TestCounterThatAppearsBeganAtNothing(t *testing.T) {
	var m memory
	texts := []string{"vllm:generation_tokens_total{e=\"0\"} 10\n", "vllm:generation_tokens_total{e=\"0\"} 20\nvllm:generation_tokens_total{e=\"1\"} 5\n",
		"vllm:generation_tokens_total{e=\"0\"} 30\n", "vllm:generation_tokens_total{e=\"0\"} 30\nvllm:generation_tokens_total{e=\"1\"} 6\n"}
	// Of the last growth the second before has its part: the counter was not in that text.
	for i, want := range []float64{0, 15, 10, 0.5} {
		e := read([]byte(texts[i]))
		of, _, _ := e.tables()
		g := m.take(e, of, time.Duration(i)*time.Second)
		if g.restart || i > 0 && g.now[bench.GenerationRate] != bench.Some(want) {
			t.Errorf("text %d: %v a second, restart %v", i, g.now[bench.GenerationRate], g.restart)
		}
	}
}

func TestRestartIsSeenByTheProcessToo(t *testing.T) {
	var m memory
	for i, text := range []string{"process_start_time_seconds 1.7e+09\nvllm:generation_tokens_total 10\n", "process_start_time_seconds 1.70000005e+09\nvllm:generation_tokens_total 20\n"} {
		e := read([]byte(text))
		of, _, _ := e.tables()
		if g := m.take(e, of, time.Duration(i)*time.Second); g.restart != (i == 1) || g.now[bench.GenerationRate].OK {
			t.Errorf("text %d: restart %v, %v a second", i, g.restart, g.now[bench.GenerationRate])
		}
	}
}

func TestOldTextIsNotComparedWith(t *testing.T) {
	var m memory
	for i, at := range []time.Duration{0, time.Minute, time.Minute + time.Second} {
		e := read(fmt.Appendf(nil, "vllm:generation_tokens_total %d\n", 100*i))
		of, _, _ := e.tables()
		if g := m.take(e, of, at); g.now[bench.GenerationRate].OK != (i == 2) {
			t.Errorf("at %v: %v a second", at, g.now[bench.GenerationRate])
		}
	}
}

func TestBucketsAreSpreadEvenly(t *testing.T) {
	s := estimate([]bucket{{0.1, 10}, {0.3, 110}, {math.Inf(1), 115}}, 1000)
	if s.N != 115 {
		t.Fatalf("%d values", s.N)
	}
	for q, want := range map[float64]float64{0.05: 57, 0.5: 195, 0.99: 300, 1: 300} {
		if got := s.Quantile(q).V; math.Abs(got-want) > 10 {
			t.Errorf("quantile %v is %v, want about %v", q, got, want)
		}
	}
	if s.Min < 0 || s.Max > 300*1.01 {
		t.Errorf("from %v to %v", s.Min, s.Max)
	}
	for name, odd := range map[string][]bucket{
		"none": nil, "nothing counted": {{0.1, 0}, {math.Inf(1), 0}}, "only the last": {{math.Inf(1), 3}}, "falling": {{0.1, 5}, {0.2, 3}, {math.Inf(1), 5}}, "negative": {{-1, 2}, {1, 3}},
	} {
		if s := estimate(odd, 1000); s.N > 5 || math.IsNaN(s.Sum) {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestServersThatDoNotBelongTogetherAreRefused(t *testing.T) {
	for _, c := range []struct{ text, name, why string }{
		{"vllm:a 1\nDCGM_a 1\n", "vLLM, DCGM", ""},
		{"nv_a 1\nvllm:a 1\n", "vLLM, Triton", ""},
		{"dynamo_frontend_a 1\n", "Dynamo", ""},
		{"vllm:a 1\nsglang:a 1\n", "", "metrics of vLLM and SGLang come from one address: name each server's own with --metrics-url"},
		{"vllm:a 1\ntrtllm_a 1\ndynamo_a 1\n", "", "metrics of vLLM and TensorRT-LLM come from one address: name each server's own with --metrics-url"},
		{"go_a 1\n", "", "metrics of no server that is known"},
	} {
		if _, name, why := read([]byte(c.text)).tables(); name != c.name || why != c.why {
			t.Errorf("%q is of %q: %q", c.text, name, why)
		}
	}
}

func TestLatenciesAreTakenFromTheFrontendAndTheRestFromTheEngine(t *testing.T) {
	var m memory
	text := func(n int) *exposition {
		return read(fmt.Appendf(nil, "vllm:num_requests_running 2\ndynamo_frontend_inflight_requests 9\n"+
			"vllm:time_to_first_token_seconds_sum %d\nvllm:time_to_first_token_seconds_count %d\n"+
			"dynamo_frontend_time_to_first_token_seconds_sum %d\ndynamo_frontend_time_to_first_token_seconds_count %d\n", n, 10*n, 2*n, 10*n))
	}
	of, _, _ := text(1).tables()
	m.take(text(1), of, time.Second)
	if g := m.take(text(2), of, 2*time.Second); !near(g.now[bench.ServerTTFT].V, 200) || g.now[bench.ServerRunning] != bench.Some(2) {
		t.Errorf("TTFT %v, running %v", g.now[bench.ServerTTFT], g.now[bench.ServerRunning])
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatal("no fixtures")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("vllm:num_requests_running{a=\"\\\"} 1\nvllm:num_requests_running{\n# EOF\n"))
	f.Add([]byte("vllm:generation_tokens_total{le=\"+Inf\"} -1e308\nvllm:time_to_first_token_seconds_bucket{le=\"x\"} 1e300\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var m memory
		for i, half := range [][]byte{text[:len(text)/2], text, text} {
			e := read(half)
			of, _, _ := e.tables()
			g := m.take(e, of, time.Duration(i)*time.Second)
			for gauge, a := range g.gauges {
				for _, v := range []float64{a.Sum, a.Weight, a.Max} {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Fatalf("gauge %d is %+v", gauge, a)
					}
				}
				if v := g.now[gauge]; v.OK && v.V < 0 {
					t.Fatalf("gauge %d is %v", gauge, v)
				}
			}
			for _, en := range of {
				e.size(en.kv, en)
				e.size(en.maxRunning, en)
			}
		}
		foreign(text, nil)
		for _, about := range []func([]byte) facts{ofVersion, ofLlama, ofTGI} {
			if v := about(text).version; strings.ContainsAny(v, " \n\x1b") {
				t.Fatalf("version %q", v)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	text, err := os.ReadFile("testdata/vllm.1.txt")
	if err != nil {
		b.Fatal(err)
	}
	var all bytes.Buffer
	for i := range 20_000 {
		fmt.Fprintf(&all, "vllm:request_params_n_bucket{engine=\"%d\",le=\"1.0\",model_name=\"m\"} %d\n", i, i)
	}
	all.Write(text)
	b.SetBytes(int64(all.Len()))
	for b.Loop() {
		read(all.Bytes())
	}
}
