package workload

import (
	"slices"
	"testing"
)

func TestAllFilesOfAWorkloadAreKnownAndCanBeMoved(t *testing.T) {
	for _, row := range []struct {
		sentence, text, moved string
		want                  []string
	}{
		{"none", "synthetic,in=512", "synthetic,in=512", nil},
		{"a histogram that is written out has none", "in=hist(1:1)", "synthetic,in=hist(1:1)", nil},
		{"a data set", "a.jsonl", "/x/a.jsonl", []string{"a.jsonl"}},
		{"with lengths of answers from another", "a.jsonl,out=hist(b)", "/x/a.jsonl,out=hist(/x/b)", []string{"a.jsonl", "b"}},
		{"a name of letters that stand elsewhere too", "in=hist(s)", "synthetic,in=hist(/x/s)", []string{"s"}},
		{"the second of two", "in=hist(1:1),out=hist(/etc/passwd)", "synthetic,in=hist(1:1),out=hist(/x//etc/passwd)", []string{"/etc/passwd"}},
		{"what only looks like a number", "in=hist(nan,/../../etc/passwd)", "synthetic,in=hist(/x/nan,/../../etc/passwd)", []string{"nan,/../../etc/passwd"}},
	} {
		s, err := Parse(row.text)
		if err != nil {
			t.Fatalf("%s: %v", row.sentence, err)
		}
		var got []string
		for _, path := range s.Files() {
			got = append(got, *path)
			*path = "/x/" + *path
		}
		if !slices.Equal(got, row.want) || s.String() != row.moved {
			t.Errorf("%s: %q, moved %s; want %q, %s", row.sentence, got, s.String(), row.want, row.moved)
		}
		if back, err := Parse(s.String()); err != nil || back.String() != s.String() {
			t.Errorf("%s: %s reads back as %s, %v", row.sentence, s.String(), back.String(), err)
		}
	}
}
