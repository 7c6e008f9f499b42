package health

import (
	"time"

	"golang.org/x/sys/windows"
)

// nap holds the thread for d, in whole milliseconds.
func nap(d time.Duration) { windows.SleepEx(uint32(max(d.Milliseconds(), 1)), false) }
