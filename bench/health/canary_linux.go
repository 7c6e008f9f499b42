package health

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// clockCanary is a timer of the kernel's that is read like a socket: no thread of ours has to run for its event to come in time.
type clockCanary struct {
	file *os.File
	buf  [8]byte
}

func newCanary() (canary, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return newPair()
	}
	return &clockCanary{file: os.NewFile(uintptr(fd), "canary")}, nil
}

func (c *clockCanary) fly(d time.Duration) (time.Duration, error) {
	raw, err := c.file.SyscallConn()
	if err != nil {
		return 0, err
	}
	var due time.Time
	var failed error
	if err := raw.Control(func(fd uintptr) {
		due = time.Now().Add(d)
		failed = unix.TimerfdSettime(int(fd), 0, &unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}, nil)
	}); err != nil {
		return 0, err
	}
	if failed != nil {
		return 0, failed
	}
	if _, err := c.file.Read(c.buf[:]); err != nil {
		return 0, err
	}
	return time.Since(due), nil
}

func (c *clockCanary) close() { _ = c.file.Close() }
