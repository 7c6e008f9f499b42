package remote

import (
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Notice says where a run listens, for those who look for it. It lies in a file that only its owner may read.
type Notice struct {
	PID   int       `json:"pid"`
	Began time.Time `json:"began"`
	// Address is where it listens.
	Address string `json:"address"`
	// Token is what it wants to be shown, where it has made that itself; TokenFile is where it has it from, if that is a file.
	Token     string `json:"token,omitempty"`
	TokenFile string `json:"token_file,omitempty"`
	// Target and Model say what it drives.
	Target string `json:"target"`
	Model  string `json:"model"`
}

// noticeSize bounds the file of a notice, mostNotices how many are read.
const (
	noticeSize  = 64 << 10
	mostNotices = 1000
)

// NewToken is a token that nobody can guess: 256 bits.
func NewToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // it never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// LeastToken is how many characters a token of somebody's own has at least.
const LeastToken = 16

// CheckToken tells what is wrong with a token of somebody's own. It never repeats it.
func CheckToken(text string) error {
	if len(text) < LeastToken || len(text) > 4096 || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("want a token of %d characters or more, in one line, without blanks or what no header can hold", LeastToken)
	}
	return nil
}

// Publish puts the notice into a folder that is its owner's alone, whole or not at all. The function takes it away.
func (n Notice) Publish(dir string) (remove func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("%s: want a folder that can be made (%w)", dir, innermost(err))
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("%s: want a folder (%w)", dir, innermost(err))
	} else if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(dir, 0o700); err != nil {
			return nil, fmt.Errorf("%s: want a folder that nobody else can read (%w)", dir, innermost(err))
		}
	}
	text, err := json.Marshal(n)
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, ".notice-*")
	if err != nil {
		return nil, fmt.Errorf("%s: want a folder that can be written (%w)", dir, innermost(err))
	}
	_, wrong := f.Write(append(text, '\n'))
	path := filepath.Join(dir, fmt.Sprintf("%d.json", n.PID))
	if err := errors.Join(wrong, f.Chmod(0o600), f.Close(), os.Rename(f.Name(), path)); err != nil {
		_ = os.Remove(f.Name())
		return nil, fmt.Errorf("%s: want a folder that can be written (%w)", dir, innermost(err))
	}
	return func() { _ = os.Remove(path) }, nil
}

// Find are the runs that listen, by the notices of a folder, the one that began first at the front. What is left of runs that are gone is taken away.
func Find(dir string) []Notice {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []Notice
	for _, e := range entries[:min(len(entries), mostNotices)] {
		if !strings.HasSuffix(e.Name(), ".json") || strings.HasPrefix(e.Name(), ".") || !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if info, err := e.Info(); err != nil || info.Size() > noticeSize {
			continue
		}
		text, err := os.ReadFile(path)
		var n Notice
		if err != nil || json.Unmarshal(text, &n) != nil {
			continue
		}
		if !n.answers() {
			_ = os.Remove(path)
			continue
		}
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b Notice) int { return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.PID, b.PID)) })
	return out
}

// answers tells whether anybody listens there.
func (n *Notice) answers() bool {
	a, err := ParseAddress(n.Address)
	if err != nil {
		return false
	}
	conn, err := a.Reach().dial(dialWait)
	if err != nil {
		// One that is only slow may be there: what it has said of itself stays.
		var slow net.Error
		return errors.As(err, &slow) && slow.Timeout()
	}
	_ = conn.Close()
	return true
}
