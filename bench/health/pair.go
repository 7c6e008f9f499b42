package health

import (
	"encoding/binary"
	"io"
	"net"
	"runtime"
	"time"
)

// pair is the canary of systems without a timer that can be read: a connection over the loopback interface into which a thread of its own writes
// the instant of each write. The thread sleeps in the kernel, so that the runtime's timers and scheduler have no part in when it wakes.
type pair struct {
	conn        net.Conn
	wait        chan time.Duration
	stop, ended chan struct{}
	born        time.Time
	buf         [8]byte
}

func newPair() (canary, error) {
	near, far, err := loop()
	if err != nil {
		return nil, err
	}
	p := &pair{conn: near, wait: make(chan time.Duration), stop: make(chan struct{}), ended: make(chan struct{}), born: time.Now()}
	go p.write(far)
	return p, nil
}

// loop is both ends of a connection over the loopback interface.
func loop() (near, far net.Conn, err error) {
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	if near, err = net.DialTCP("tcp", nil, l.Addr().(*net.TCPAddr)); err != nil {
		return nil, nil, err
	}
	for {
		if far, err = l.Accept(); err != nil {
			_ = near.Close()
			return nil, nil, err
		}
		if far.RemoteAddr().String() == near.LocalAddr().String() {
			return near, far, nil
		}
		_ = far.Close() // a stranger's
	}
}

// write is the thread's work, until the canary is closed.
func (p *pair) write(far net.Conn) {
	defer close(p.ended)
	defer far.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var stamp [8]byte
	for {
		select {
		case d := <-p.wait:
			Nap(d)
		case <-p.stop:
			return
		}
		binary.LittleEndian.PutUint64(stamp[:], uint64(time.Since(p.born)))
		if _, err := far.Write(stamp[:]); err != nil {
			return
		}
	}
}

func (p *pair) fly(d time.Duration) (time.Duration, error) {
	select {
	case p.wait <- d:
	case <-p.ended:
		return 0, net.ErrClosed
	}
	if _, err := io.ReadFull(p.conn, p.buf[:]); err != nil {
		return 0, err
	}
	return time.Since(p.born) - time.Duration(binary.LittleEndian.Uint64(p.buf[:])), nil
}

func (p *pair) close() {
	close(p.stop)
	_ = p.conn.Close()
	<-p.ended
}
