//go:build unix

package selftest

import (
	"os"
	"sync"
	"syscall"
	"time"
)

// A server in trouble must not be taken for a client that is: this one stands still for a third of each second, and then sends all at once.
func init() {
	disturbances = append(disturbances, disturbance{"a server that stops again and again", func(server *os.Process) func() {
		over := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				_ = server.Signal(syscall.SIGSTOP)
				time.Sleep(333 * time.Millisecond)
				_ = server.Signal(syscall.SIGCONT)
				select {
				case <-time.After(667 * time.Millisecond):
				case <-over:
					return
				}
			}
		})
		return func() { close(over); wg.Wait() }
	}})
}
