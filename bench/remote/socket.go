package remote

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"
)

// listenUnix makes a socket that only its owner may use: it is made in a folder of its owner's, and moved to its place. What a run that was killed has left
// there is taken away.
func listenUnix(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil {
		if info.Mode()&os.ModeSocket == 0 {
			return nil, fmt.Errorf("want the path of a socket, there is a file already")
		}
		if conn, err := net.DialTimeout("unix", path, time.Second); err == nil {
			_ = conn.Close()
			return nil, fmt.Errorf("want a socket that nobody listens at (address already in use)")
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("want a socket that can be made (%w)", innermost(err))
		}
	}
	private, err := os.MkdirTemp(filepath.Dir(path), ".redline-")
	if err != nil {
		return nil, fmt.Errorf("want a socket in a folder that can be written (%w)", innermost(err))
	}
	defer os.RemoveAll(private)
	hidden := filepath.Join(private, "s")
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: hidden, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("want a socket that can be made (%w)", innermost(err))
	}
	ln.SetUnlinkOnClose(false)
	if err = os.Chmod(hidden, 0o600); err == nil {
		err = os.Rename(hidden, path)
	}
	if err != nil {
		_ = ln.Close()
		return nil, fmt.Errorf("want a socket that can be made (%w)", innermost(err))
	}
	return &socket{ln, path}, nil
}

// socket takes its file away when it is closed.
type socket struct {
	*net.UnixListener
	path string
}

func (s *socket) Close() error {
	err := s.UnixListener.Close()
	_ = os.Remove(s.path)
	return err
}
