package workload

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"redline/bench"
)

// file writes a file for a test.
func file(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTracesAreReplayedRowByRow(t *testing.T) {
	rows := []struct {
		text    string
		in, out []int
		gaps    []float64
		rate    float64
		left    string
	}{
		{"testdata/azure2023.csv", []int{374, 879, 396, 91}, []int{44, 55, 109, 16},
			[]float64{0, 1.31941 / 4.314579 * 3, 2.995169 / 4.314579 * 3, 0}, 3 / 4.314579, ""},
		{"testdata/azure2024.csv", []int{2162, 2399, 76}, []int{5, 6, 15}, []float64{0, 0.007405 / 0.99007 * 2, 0.982665 / 0.99007 * 2}, 2 / 0.99007,
			"1 of 4 rows left out: 1 without an answer (0 output tokens)"},
		{"testdata/burstgpt.csv", []int{472, 1087, 417, 220}, []int{18, 230, 276, 12}, []float64{0, 40 / 180.5 * 3, 73 / 180.5 * 3, 67.5 / 180.5 * 3}, 3 / 180.5,
			"1 of 5 rows left out: 1 without an answer (0 output tokens)"},
		{"testdata/mooncake.jsonl", []int{1300, 1600, 100, 1024}, []int{6, 4, 3, 8}, []float64{0, 0.04, 0, 2.96}, 1, ""},
		{"testdata/azure2023.csv,replay=lengths,max=50", []int{374, 879, 396, 91}, []int{44, 50, 50, 16}, []float64{1, 1, 1, 1}, 0, ""},
		{"testdata/azure2023.csv,max-input=400", []int{374, 396, 91}, []int{44, 109, 16}, []float64{0, 2, 0}, 2 / 4.314579,
			"1 of 4 rows left out: 1 longer than max-input=400"},
	}
	for _, row := range rows {
		s := open(t, row.text)
		for pass := range 3 {
			for i := range row.in {
				gap := row.gaps[i]
				if pass > 0 && i == 0 {
					gap = 1
				}
				if got := s.Gap(); math.Abs(got-gap) > 1e-5 {
					t.Errorf("%s, pass %d: the gap before row %d is %v, not %v", row.text, pass, i, got, gap)
				}
				p := next(t, s)
				if p.InputTokens != row.in[i] || p.MaxTokens != row.out[i] {
					t.Errorf("%s, pass %d: row %d is %d in, %d out; the file says %d, %d", row.text, pass, i, p.InputTokens, p.MaxTokens, row.in[i], row.out[i])
				}
			}
		}
		w := s.Words()
		if math.Abs(w.Rate-row.rate) > 1e-6 || w.Left != row.left || w.MaxTokens != slices.Max(row.out) {
			t.Errorf("%s is told as %+v, with a rate of %v and %q left", row.text, w, row.rate, row.left)
		}
	}
}

func TestGapsAreOneOnAverage(t *testing.T) {
	for _, text := range []string{"testdata/azure2023.csv", "testdata/burstgpt.csv", "testdata/mooncake.jsonl"} {
		s := open(t, text)
		n := len(s.table.rows)
		sum := 0.0
		for i := range 11 * n {
			if gap := s.Gap(); i >= n {
				sum += gap
			}
			next(t, s)
		}
		if mean := sum / float64(10*n); math.Abs(mean-1) > 1e-9 {
			t.Errorf("%s: the mean gap is %v", text, mean)
		}
	}
}

func TestATraceOfOneInstantHasNoTimes(t *testing.T) {
	s := open(t, file(t, "a.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n5,10,1\n5,20,1\n"))
	next(t, s)
	if s.Gap() != 1 || s.Words().Rate != 0 {
		t.Errorf("the gap is %v and the rate %v", s.Gap(), s.Words().Rate)
	}
}

func TestATraceReadOnceEnds(t *testing.T) {
	s := open(t, "testdata/azure2023.csv,once")
	warm := s.WarmUp()
	for range 4 {
		next(t, s)
	}
	for range 3 {
		if p, ok := s.Next(0); ok {
			t.Fatalf("a fifth row of four: %d in", p.InputTokens)
		}
	}
	for range 9 {
		next(t, warm) // has no end
	}
}

func TestBlocksOfATraceAreSharedWhereTheyRecur(t *testing.T) {
	s := open(t, "testdata/mooncake.jsonl")
	p := next(t, s.Short(100))
	s.Learn(&p, int(1.25*float64(p.Counted)))
	q := next(t, s.Short(400))
	s.Learn(&q, int(1.25*float64(q.Counted)))
	var texts [][]string
	for range 4 {
		p := next(t, s)
		s.Learn(&p, int(1.25*float64(p.Counted)))
		texts = append(texts, strings.Fields(p.Text))
	}
	common := func(a, b []string) int {
		n := 0
		for n < min(len(a), len(b)) && a[n] == b[n] {
			n++
		}
		return n
	}
	size, _ := s.fit.part(blockLength)
	if size > 450 {
		t.Errorf("a block of 512 tokens has %d of ours, of which each is 1.25 of the server's", size)
	}
	// 1300 tokens are two whole blocks, 0 and 1, and a tail; 1600 are 0, 1, 3 and a tail.
	for _, row := range []struct{ a, b, blocks int }{{0, 1, 2}, {0, 3, 1}, {0, 2, 0}, {1, 3, 1}} {
		if got := common(texts[row.a], texts[row.b]); got < row.blocks*size-1 || got > row.blocks*size+1 {
			t.Errorf("rows %d and %d share %d tokens of ours, not %d blocks of %d", row.a, row.b, got, row.blocks, size)
		}
	}
	for range 4 {
		p := next(t, s)
		fields := strings.Fields(p.Text)
		for i, before := range texts {
			if len(fields) == len(before) && common(fields, before) == len(fields) {
				t.Errorf("row %d is the same, its tail too, on the second pass", i)
			}
		}
	}
	warm := strings.Fields(next(t, s.WarmUp()).Text)
	if common(warm, texts[0]) > 0 {
		t.Error("the warm-up has the blocks that are measured")
	}
}

// TestSharedPartsKeepTheirLength: what is learned later moves the rest of a prompt, not what others share.
func TestSharedPartsKeepTheirLength(t *testing.T) {
	for _, text := range []string{"testdata/mooncake.jsonl", "in=2000,prefix=1024"} {
		s := open(t, text)
		for _, n := range []int{16, 400} {
			p := next(t, s.Short(n))
			s.Learn(&p, p.Counted+10)
		}
		first := next(t, s)
		for range 2 * fitPoints {
			p := next(t, s.Short(900))
			s.Learn(&p, int(1.4*float64(p.Counted)))
		}
		if s.table != nil {
			for range 3 {
				next(t, s)
			}
		}
		again := next(t, s)
		if again.Counted >= first.Counted {
			t.Fatalf("%s: nothing was learned: %d tokens of ours, and %d before", text, again.Counted, first.Counted)
		}
		a, b, n := strings.Fields(first.Text), strings.Fields(again.Text), 0
		for n < min(len(a), len(b)) && a[n] == b[n] {
			n++
		}
		if n != min(1024, again.Counted-uniqueTokens) {
			t.Errorf("%s: %d tokens are shared, of 1024", text, n)
		}
	}
}

func TestDataSetsAreReadInAnyShape(t *testing.T) {
	s := open(t, "testdata/chat.jsonl")
	want := []struct {
		history, turns, most int
		text                 string
	}{
		{0, 1, 0, "Tell me a story"}, {0, 1, 64, "Name three"}, {1, 1, 32, "Why is the sky"}, {2, 1, 0, "And twice that?"}, {0, 2, 0, "Write a poem"},
		{0, 2, 0, "Hello there."}, {0, 1, 100, "Explain how a lighthouse works, to a child of six."}, {0, 1, 0, "A string alone"},
	}
	check(t, s, want)
	if w := s.Words(); w.Name != "chat" || w.MaxTokens != 512 || w.Words != "8 conversations of chat.jsonl, 10 turns" || w.Left != "" || w.Rate != 0 {
		t.Errorf("it is told as %+v", w)
	}
	s = open(t, "testdata/sharegpt.json,max=50")
	check(t, s, []struct {
		history, turns, most int
		text                 string
	}{{0, 2, 0, "What is a keel?"}, {1, 1, 0, "Count to five, you [clever]"}, {0, 1, 0, "Which is larger, } or ]?"}, {0, 1, 0, "Go on, then."}, {0, 3, 0, "One?"}})
	const left = "2 of 7 rows left out: 1 without a prompt, 1 with a role that is not system, user or assistant"
	if w := s.Words(); w.Left != left || w.MaxTokens != 50 {
		t.Errorf("it is told as %+v", w)
	}
}

func check(t *testing.T, s *Source, want []struct {
	history, turns, most int
	text                 string
}) {
	t.Helper()
	if len(s.table.chats) != len(want) {
		t.Fatalf("there are %d rows, not %d", len(s.table.chats), len(want))
	}
	for i, w := range want {
		c := s.table.chats[i]
		if len(c.history) != w.history || len(c.turns) != w.turns || c.most != w.most || !strings.HasPrefix(c.turns[0], w.text) {
			t.Errorf("row %d is %+v, not %+v", i, c, w)
		}
		p := next(t, s)
		honest(t, p)
		if p.Text != c.turns[0] || len(p.History) != w.history || (p.Turn > 0) != (w.turns > 1) {
			t.Errorf("row %d is sent as %+v", i, p)
		}
	}
}

func TestBadFilesAreToldBeforeAnythingStarts(t *testing.T) {
	azure := "TIMESTAMP,ContextTokens,GeneratedTokens\n"
	rows := []struct{ name, content, names string }{
		{"nothing", "", "is empty"},
		{"white space", " \r\n\t\n", "nothing but white space"},
		{"more white space than is looked at", strings.Repeat("\n", 100<<10) + "{}", "nothing but white space"},
		{"a mark alone", mark, "nothing but white space"},
		{"a heading alone", azure, "no rows"},
		{"an empty array", "[]", "no rows"},
		{"an array that is cut", `[{"conversations":[{"from":"human","value":"a"}]},` + "\n" + `{"conversations":`, "what begins on line 2 is not closed"},
		{"an array that goes on in a string", "[\n{\"a\": \"b", "what begins on line 2 is not closed"},
		{"an archive", "\x1f\x8b\x08\x00", "compressed"},
		{"UTF-16", "\xff\xfeT\x00", "UTF-16"},
		{"zeros", "\x00\x00\x00", `\x00`},
		{"prose", "Once upon a time\nthere was", `line 1 begins with "Once upon a time"`},
		{"a terminal's commands", "\x1b[2Jhello", `\x1b[2Jhello`},
		{"another heading", "a,b,c\n1,2,3\n", `"a,b,c"`},
		{"a heading that lacks a column", "TIMESTAMP,ContextTokens\n1,2\n", "no column generatedtokens"},
		{"all rows broken", azure + "x,1,1\n2,0,1\n3,1,-1\n", `line 2: "x,1,1"`},
		{"most rows broken", azure + "1,1,1\n2,a,1\n3,2\n", "2 of 3 rows left out: 1 without input tokens, 1 with too few columns; the first of them is on line 3: \"2,a,1\""},
		{"absurd lengths", azure + "1,1e300,1\n2,2000000,1\n3,5,99999999999999999999\n", "3 of 3 rows left out: 3 above 1000000 tokens"},
		{"no answers at all", azure + "1,5,0\n2,6,0\n", "without an answer"},
		{"lines that are no JSON", "{\"prompt\": \"a\n{\"prompt\": \"b\n", `line 1: "{\"prompt\": \"a"`},
		{"objects without prompts", `{"question":"a"}` + "\n" + `{"answer":"b"}`, "2 of 2 rows left out: 2 without a prompt"},
		{"blank prompts", `{"prompt":"  "}`, "without a prompt"},
		{"pictures", `{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{}}]}]}`, "something other than text"},
		{"no bound", `{"prompt":"a","max_tokens":0}`, "max_tokens is no whole number"},
		{"hashes that are no numbers", `{"timestamp":0,"input_length":5,"output_length":5,"hash_ids":["a"]}`, "not such JSON"},
	}
	for _, row := range rows {
		path := file(t, "data", row.content)
		_, err := Open(t.Context(), Spec{File: path}, 1)
		if err == nil || !strings.Contains(err.Error(), row.names) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: the error is %v, and should name %s", row.name, err, row.names)
		}
	}
	for _, path := range []string{t.TempDir(), "/dev/zero", filepath.Join(t.TempDir(), "none")} {
		if _, err := Open(t.Context(), Spec{File: path}, 1); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: the error is %v", path, err)
		}
	}
}

func TestSettingsThatAFileHasNoUseForAreTold(t *testing.T) {
	for text, names := range map[string]string{
		"testdata/azure2023.csv,turns=one":       "turns=one",
		"testdata/azure2023.csv,think=2s":        "think=2s",
		"testdata/azure2023.csv,out=5":           "max= bounds",
		"testdata/mooncake.jsonl,prefix=50":      "prefix=50",
		"testdata/chat.jsonl,replay=lengths":     "replay=lengths",
		"testdata/chat.jsonl,prefix=5":           "prefix=5",
		"testdata/chat.jsonl,max-input=1":        "longer than max-input=1",
		"testdata/azure2023.csv,format=jsonl":    "JSON object",
		"testdata/chat.jsonl,format=azure":       "no column timestamp",
		"testdata/chat.jsonl,format=sharegpt":    "array begins with [",
		"testdata/azure2023.csv,format=burstgpt": "no column request tokens",
	} {
		spec, err := Parse(text)
		if err == nil {
			_, err = Open(t.Context(), spec, 1)
		}
		if err == nil || !strings.Contains(err.Error(), names) {
			t.Errorf("%s: the error is %v, and should name %s", text, err, names)
		}
	}
}

func TestPartlyBrokenFilesAreUsed(t *testing.T) {
	rows := []struct{ name, content, left string }{
		{"marks, line ends, blank lines and zeros", mark + "TIMESTAMP,ContextTokens,GeneratedTokens\r\n\r\n1,5,5\r\n2,\x00,5\r\n3,5.0,\"5\"\r\n\r\n",
			"1 of 3 rows left out: 1 without input tokens"},
		{"a huge line", "{\"prompt\":\"a\"}\n{\"prompt\":\"" + strings.Repeat("b", longestLine) + "\"}\n{\"prompt\":\"c\"}", "1 of 3 rows left out: 1 longer than 16 MiB"},
		{"a huge element", "[{\"items\":[{\"from\":\"human\",\"value\":\"a\"}]},\"" + strings.Repeat("b", longestLine) + "\"]", "1 of 2 rows left out: 1 longer than 16 MiB"},
		{"times in any order", "timestamp,contexttokens,generatedtokens\n3,3,1\n1,1,1\n3,4,1\n2,2,1", ""},
	}
	for _, row := range rows {
		s := open(t, file(t, "data", row.content))
		if s.Words().Left != row.left {
			t.Errorf("%s: left out is %q, not %q", row.name, s.Words().Left, row.left)
		}
		if row.left == "" {
			for i := range 4 {
				if p := next(t, s); p.InputTokens != i+1 {
					t.Errorf("row %d by time has %d tokens", i, p.InputTokens)
				}
			}
		}
	}
}

func TestVeryLargeFilesAreCut(t *testing.T) {
	var b strings.Builder
	b.WriteString("TIMESTAMP,ContextTokens,GeneratedTokens\n")
	for i := range usual.rows + 5000 {
		fmt.Fprintf(&b, "%d,5,5\n", i)
	}
	s := open(t, file(t, "data.csv", b.String()))
	if len(s.table.rows) != usual.rows || s.Words().Left != "of the file's 1.0 MB only the first 100000 rows are used" {
		t.Errorf("%d rows, %q", len(s.table.rows), s.Words().Left)
	}
	line := `{"prompt":"` + strings.Repeat("word and ", 100) + "\"}\n"
	read, err := readRows(t.Context(), strings.NewReader(strings.Repeat(line, 20)), &Spec{}, bounds{rows: 100, bytes: 10_000, read: 1 << 20})
	if err != nil || len(read.chats) != 10 || !read.cut {
		t.Errorf("of rows of 964 bytes, %d fit into 10,000; %v", len(read.chats), err)
	}
}

// fuzz reads a file of a format, and uses what it gives.
func fuzz(f *testing.F, format Format, seeds ...string) {
	for _, seed := range seeds {
		content, err := os.ReadFile(seed)
		if err != nil {
			content = []byte(seed)
		}
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		spec := Spec{File: "data", Format: format}
		table, err := readRows(t.Context(), strings.NewReader(string(content)), &spec, usual)
		if err != nil {
			if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' && r != '\n' }) {
				t.Fatalf("the error is not printable: %q", err)
			}
			return
		}
		s := &Source{spec: spec, table: table}
		s.counting(newFit())
		s.words, s.feed = s.describe(), s.newFeed()
		for i := range 30 {
			if gap := s.Gap(); !(gap >= 0) || math.IsInf(gap, 0) {
				t.Fatalf("a gap of %v", gap)
			}
			if i < len(table.rows) && table.rows[i].in > 5000 {
				return
			}
			p := next(t, s)
			honest(t, p)
			s.Ended(0, &bench.Ended{Request: bench.Request{Prompt: p}, Answer: "yes", Counts: bench.Counts{Input: p.Counted}})
		}
	})
}

func FuzzAnyFile(f *testing.F) {
	fuzz(f, Detect, "testdata/azure2023.csv", "testdata/azure2024.csv", "testdata/burstgpt.csv", "testdata/mooncake.jsonl", "testdata/chat.jsonl", "testdata/sharegpt.json", mark+"[", "\x00")
}

func FuzzJSONL(f *testing.F) {
	fuzz(f, JSONL, "testdata/chat.jsonl", `{"prompt":[]}`, `{"body":null,"prompt":"a"}`)
}
func FuzzShareGPT(f *testing.F) {
	fuzz(f, ShareGPT, "testdata/sharegpt.json", `["a",,"b"]`, `[[[`, `["\"]`)
}
func FuzzAzure(f *testing.F) { fuzz(f, Azure, "testdata/azure2023.csv", "testdata/azure2024.csv") }
func FuzzMooncake(f *testing.F) {
	fuzz(f, Mooncake, "testdata/mooncake.jsonl", `{"timestamp":1e300,"input_length":1,"output_length":1,"hash_ids":[18446744073709551615,-1]}`)
}
func FuzzBurstGPT(f *testing.F) { fuzz(f, BurstGPT, "testdata/burstgpt.csv") }
