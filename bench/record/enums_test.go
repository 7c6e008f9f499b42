package record

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"redline/bench"
)

// What stands in a file as a number must mean the same for ever: words may be added behind the last, and columns too.
func TestNumbersAndColumnsInFilesKeepTheirMeaning(t *testing.T) {
	path := filepath.Join("testdata", "format.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var pinned struct {
		Schema  int
		Columns []Column
		Enums   map[string][]string
	}
	if err := json.Unmarshal(text, &pinned); err != nil {
		t.Fatal(err)
	}
	if pinned.Schema != Schema {
		t.Errorf("schema %d, in %s %d", Schema, path, pinned.Schema)
	}
	for i, c := range pinned.Columns {
		if i >= len(columns) || columns[i] != c {
			t.Fatalf("column %d is not %+v any more: raise the schema, or put it last", i, c)
		}
	}
	if len(columns) > len(pinned.Columns) {
		t.Errorf("%s lacks the columns %+v", path, columns[len(pinned.Columns):])
	}
	for name, words := range enums() {
		if len(words) < len(pinned.Enums[name]) {
			t.Fatalf("%s has fewer words than %s", name, path)
		}
		for i, word := range words {
			if i >= len(pinned.Enums[name]) {
				t.Errorf("%s lacks %s %d, %q", path, name, i, word)
			} else if word != pinned.Enums[name][i] {
				t.Errorf("%s %d is %q, and was %q: raise the schema, or put it last", name, i, word, pinned.Enums[name][i])
			}
		}
	}
}

// Some enums have no words of their own: their lists are as long as they are.
func TestEveryNumberHasAWord(t *testing.T) {
	for name, most := range map[string]int{"cause": int(bench.CauseTarget), "gauge": int(bench.NumGauges) - 1, "scraping": int(bench.ScrapeTooLarge), "quota": int(bench.QuotaOutput)} {
		if n := len(enums()[name]); n != most+1 {
			t.Errorf("%s has %d words for 0 to %d", name, n, most)
		}
	}
}

func TestFilesThatCannotBeUnderstoodAreRefusedInWords(t *testing.T) {
	run := `,"tracks":[{"run":{}}]`
	for line, want := range map[string]string{
		`{"redline":"run","schema":2,"version":"9.1"` + run + `}`:                                  "written in format 2 by redline \"9.1\"; this redline reads formats 1 to 1",
		`{"redline":"run","schema":0` + run + `}`:                                                  "written in format 0 by redline \"\"; this redline reads formats 1 to 1",
		`{"schema":1` + run + `}`:                                                                  `at byte 0: no run file: want a line {"redline":"run", …}`,
		`{"redline":"run","schema":1}`:                                                             "at byte 0: the header has 0 targets; want 1 to 26",
		`{"redline":"run","schema":1,"tracks":[{}]}`:                                               "at byte 0: the header says nothing of target 0",
		`{"redline":"run","schema":1,"columns":[{"name":"id"}]` + run + `}`:                        `at byte 0: column 0 of a request is "id"; want "track"`,
		`{"redline":"run","schema":1,"enums":{"outcome":["ok","overloaded"]}` + run + `}`:          `at byte 0: outcome 1 is "overloaded" in this file, and "429" here`,
		`{"redline":"run","schema":1,"enums":{"mode":["closed","open","ajar"],"x":[]}` + run + `}`: "",
	} {
		_, err := readHeader([]byte(line))
		if got := said(err); got != want {
			t.Errorf("%s\nis refused with %q, not %q", line, got, want)
		}
	}
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
