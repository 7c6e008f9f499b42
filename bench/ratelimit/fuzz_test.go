package ratelimit

import (
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// FuzzRead puts arbitrary names and values into headers: nothing panics, every number is one that the dashboard can
// draw, and the same headers say the same twice, in the order of names.
func FuzzRead(f *testing.F) {
	for _, g := range append(providers, drafts...) {
		f.Add(g.headers, g.host)
	}
	f.Add("retry-after: 1e300\ndate: Mon, 01 Jan 0001 00:00:00 GMT\nx-ratelimit-reset: 9999-12-31T23:59:59Z\nx-ratelimit-limit: 1", "[::1]:80")
	f.Add("ratelimit: \"a\\\nratelimit-policy: ;;,,=;w=;q=-0\nx-ratelimit-limit: ,5\nx-ratelimit-limit-1e5s: 9007199254740993", ":")
	f.Fuzz(func(t *testing.T, lines, host string) {
		h := http.Header{}
		for line := range strings.Lines(lines) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			h[name] = append(h[name], value)
		}
		got := Read(h, host, noon, time.Second)
		if !reflect.DeepEqual(got, Read(h, host, noon, time.Second)) {
			t.Fatal("two readings differ")
		}
		if !slices.IsSortedFunc(got, func(a, b bench.Quota) int { return strings.Compare(a.Name, b.Name) }) {
			t.Fatalf("not in order: %+v", got)
		}
		for i, q := range got {
			check(t, q)
			if i > 0 && got[i-1].Name == q.Name {
				t.Fatalf("two quotas are called %q", q.Name)
			}
		}
		if d := RetryAfter(h, noon); d < 0 || d > longestWait {
			t.Fatalf("wait for %v", d)
		}
	})
}

func check(t *testing.T, q bench.Quota) {
	t.Helper()
	for _, v := range []bench.Value{q.Limit, q.Remaining} {
		if math.IsNaN(v.V) || math.Signbit(v.V) || v.V > largestCount || !v.OK && v.V != 0 {
			t.Fatalf("%+v", q)
		}
	}
	switch {
	case !q.Limit.OK && !q.Remaining.OK, q.Limit.OK && q.Remaining.OK && q.Remaining.V > q.Limit.V:
		t.Fatalf("limit and remaining: %+v", q)
	case q.Reset.At < 0 || q.Reset.At > longestReset || !q.Reset.OK && q.Reset.At != 0:
		t.Fatalf("reset: %+v", q)
	case q.Per < time.Second || q.Per > longestReset:
		t.Fatalf("period: %+v", q)
	case q.Name == "" || len(q.Name) > longestName+8 || strings.Trim(q.Name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "":
		t.Fatalf("name: %q", q.Name)
	}
}
