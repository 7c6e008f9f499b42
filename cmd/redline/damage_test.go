package main

import (
	"os"
	"strings"
	"testing"
)

func TestWhatAFileLacksIsToldWhereverItIsRead(t *testing.T) {
	path := recorded(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// Behind the header, and before the index.
	for i := len(data) - 900; i < len(data)-840; i++ {
		data[i] ^= 0x55
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		sentence string
		args     []string
		want     []string
	}{
		{"a summary", []string{"report", path}, []string{"run: at byte "}},
		{"a document in a file", []string{"report", path, "-o", t.TempDir() + "/a.json"}, []string{"run: at byte "}},
		{"the requests", []string{"report", "--requests", path}, []string{" of 12 requests are in the file", "run: at byte "}},
		{"a replay in lines", []string{"replay", "--plain", "--speed", "max", path}, []string{"run: at byte "}},
	} {
		m := start(t, nil, row.args...)
		code := m.run(t)
		for _, want := range row.want {
			if code != exitNothing || !strings.Contains(m.errs.String(), want) {
				t.Errorf("%s: exit code %d, told %q; want %q", row.sentence, code, m.errs.String(), want)
			}
		}
	}
}
