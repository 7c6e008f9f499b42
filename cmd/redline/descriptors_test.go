package main

import (
	"strings"
	"testing"
)

func TestALoadThatTheLimitOfOpenFilesForbidsIsAProblem(t *testing.T) {
	for _, row := range []struct {
		sentence, load string
		files          uint64
		want           string
	}{
		{"a load that fits", "200", 232, ""},
		{"a load above the limit", "201", 232, "--concurrency 201: want at most 200: this process may open 232 files, and needs 32 for itself (ulimit -n"},
		{"a limit that is not known", "201", 0, ""},
	} {
		o := start(t, nil, "--url", "http://127.0.0.1:1/v1", "-c", row.load, "--model", "m")
		o.Files = func() uint64 { return row.files }
		if code := o.run(t); code != exitUsage || row.want == "" == strings.Contains(o.errs.String(), "ulimit") || !strings.Contains(o.errs.String(), row.want) {
			t.Errorf("%s: %d\n%s", row.sentence, code, o.errs.String())
		}
	}
	if text := shortOfDescriptors(531, 250); !strings.Contains(text, "may open 531 files: loads near 250 can run out") {
		t.Errorf("%q", text)
	}
	if text := shortOfDescriptors(532, 250) + shortOfDescriptors(0, 250); text != "" {
		t.Errorf("%q", text)
	}
}
