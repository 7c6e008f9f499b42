//go:build unix

package health

import (
	"syscall"
	"time"
)

// ProcessCPU is the processor time that this process has used, user and system.
func ProcessCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
