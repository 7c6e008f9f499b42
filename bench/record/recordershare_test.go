package record

import (
	"testing"
	"time"
)

func TestCheckpointsAreAShareOfTheFile(t *testing.T) {
	for _, c := range []struct {
		why               string
		minutes, requests int
		least, most       int
	}{
		{"a run that says much has a checkpoint every minute or two", 10, 200, 5, 11},
		{"one that says next to nothing has them rarely, so that they are not most of its file", 70, 0, 2, 20},
	} {
		keeping(t, nil, func(k *kept) {
			for range c.minutes {
				k.seconds(60, c.requests)
			}
			if err := k.r.Close(); err != nil {
				t.Fatal(err)
			}
			f := k.opened("/runs/a")
			k.final(f)
			longest := time.Duration(0)
			for i := range f.frames[1:] {
				longest = max(longest, f.frames[i+1].At-f.frames[i].At)
			}
			if n := len(f.frames); n < c.least || n > c.most || longest > checkpointWithin+10*time.Second {
				t.Errorf("%s: %d frames in %d minutes, the longest %v", c.why, n, c.minutes, longest)
			}
		})
	}
}
