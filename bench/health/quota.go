package health

import (
	"os"
	"path"
	"strconv"
	"strings"
)

// processors is how many processors the process may use at once: those that the runtime uses, which knows of affinity and of whole quotas, or the
// part of them that a control group grants.
func processors(used int) float64 {
	n := float64(max(used, 1))
	if q, ok := quota(os.ReadFile); ok && q < n {
		return q
	}
	return n
}

// quota is the least share of processors that the control groups of the process grant. There are none where there are no such files.
func quota(read func(string) ([]byte, error)) (least float64, ok bool) {
	groups, err := read("/proc/self/cgroup")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(groups)) {
		group, found := strings.CutPrefix(strings.TrimSpace(line), "0::")
		if !found {
			continue
		}
		for dir := path.Join("/sys/fs/cgroup", group); strings.HasPrefix(dir, "/sys/fs/cgroup"); dir = path.Dir(dir) {
			text, err := read(dir + "/cpu.max")
			if q, granted := granted(string(text)); err == nil && granted && (!ok || q < least) {
				least, ok = q, true
			}
		}
	}
	return least, ok
}

// granted reads a quota and its period, in microseconds: "150000 100000" is one and a half, "max 100000" is no limit.
func granted(text string) (float64, bool) {
	f := strings.Fields(text)
	if len(f) != 2 {
		return 0, false
	}
	q, err := strconv.ParseFloat(f[0], 64)
	period, err2 := strconv.ParseFloat(f[1], 64)
	if err != nil || err2 != nil || !(q > 0) || !(period > 0) {
		return 0, false
	}
	return q / period, true
}
