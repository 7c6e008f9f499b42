package health

import (
	"time"

	"golang.org/x/sys/windows"
)

// Nap holds the calling thread for d, in whole milliseconds.
func Nap(d time.Duration) { windows.SleepEx(uint32(max(d.Milliseconds(), 1)), false) }
