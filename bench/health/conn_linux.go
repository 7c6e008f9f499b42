package health

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// timespec is the size of the kernel's note.
	timespec = 16
)

// conn is a TCP connection that asks the kernel when bytes came.
type conn struct {
	*net.TCPConn
	raw    syscall.RawConn
	sample *sample
	// A connection has one reader at a time, whose call the fields below describe.
	b    []byte
	n    int
	err  error
	note [64]byte
	read func(fd uintptr) bool
}

func watched(c *net.TCPConn, s *sample) net.Conn {
	raw, err := c.SyscallConn()
	if err != nil {
		return c
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1) })
	if err != nil || failed != nil {
		return c
	}
	k := &conn{TCPConn: c, raw: raw, sample: s}
	k.read = k.receive
	return k
}

// Read implements net.Conn.
func (k *conn) Read(b []byte) (int, error) {
	if len(b) == 0 || !k.sample.drawn() {
		return k.TCPConn.Read(b)
	}
	k.b = b
	err := k.raw.Read(k.read)
	k.b = nil
	switch op := (*net.OpError)(nil); {
	case errors.As(err, &op):
		op.Op = "read" // it is no raw read to whoever asked for it
		return 0, op
	case err != nil:
		return 0, err
	case k.err != nil:
		return 0, &net.OpError{Op: "read", Net: "tcp", Source: k.LocalAddr(), Addr: k.RemoteAddr(), Err: os.NewSyscallError("read", k.err)}
	case k.n == 0:
		return 0, io.EOF
	}
	return k.n, nil
}

// receive reads once, and tells whether there is a result.
func (k *conn) receive(fd uintptr) bool {
	for {
		n, notes, _, _, err := syscall.Recvmsg(int(fd), k.b, k.note[:], 0)
		switch err {
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			return false
		}
		k.n, k.err = n, err
		if err == nil && n > 0 {
			k.tell(k.note[:notes])
		}
		return true
	}
}

// tell takes the kernel's note of when the bytes came, by the wall clock.
func (k *conn) tell(note []byte) {
	head := syscall.CmsgLen(0)
	if len(note) < head+timespec {
		return
	}
	h := note[syscall.SizeofCmsghdr-8:]
	if int32(binary.NativeEndian.Uint32(h)) != unix.SOL_SOCKET || int32(binary.NativeEndian.Uint32(h[4:])) != unix.SO_TIMESTAMPNS {
		return
	}
	sec, ns := int64(binary.NativeEndian.Uint64(note[head:])), int64(binary.NativeEndian.Uint64(note[head+8:]))
	if lag := time.Now().UnixNano() - sec*int64(time.Second) - ns; lag < int64(credible) {
		k.sample.lags.Add(time.Duration(lag))
	}
}
