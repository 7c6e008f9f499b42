package health

import (
	"errors"
	"testing"
)

func TestQuotaIsTheLeastOfAllGroups(t *testing.T) {
	for _, row := range []struct {
		sentence string
		files    map[string]string
		want     float64
		ok       bool
	}{
		{"no control groups here", nil, 0, false},
		{"a group without a limit", map[string]string{"/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/cpu.max": "max 100000\n"}, 0, false},
		{"one and a half processors", map[string]string{"/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/cpu.max": "150000 100000\n"}, 1.5, true},
		{"a group above has less", map[string]string{"/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/cpu.max": "150000 100000\n", "/sys/fs/cgroup/a/cpu.max": "50000 100000\n"}, 0.5, true},
		{"the root has one", map[string]string{"/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": "200000 100000\n"}, 2, true},
		{"a path that leads out", map[string]string{"/proc/self/cgroup": "0::/../../x\n", "/cpu.max": "1 100\n"}, 0, false},
		{"something else", map[string]string{"/proc/self/cgroup": "0::/a\n3:cpu:/a\n", "/sys/fs/cgroup/a/cpu.max": "0 0\n"}, 0, false},
	} {
		got, ok := quota(func(name string) ([]byte, error) {
			if text, ok := row.files[name]; ok {
				return []byte(text), nil
			}
			return nil, errors.New("no such file")
		})
		if got != row.want || ok != row.ok {
			t.Errorf("%s: %v %v, want %v %v", row.sentence, got, ok, row.want, row.ok)
		}
	}
}
