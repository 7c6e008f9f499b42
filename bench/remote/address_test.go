package remote

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestAddressesAreThoseOfThisMachineUnlessMoreIsSaid(t *testing.T) {
	for _, row := range []struct {
		text, want string
		wide       bool
	}{
		{":0", "127.0.0.1:0", false}, {":7777", "127.0.0.1:7777", false}, {"7777", "127.0.0.1:7777", false}, {"localhost:1", "localhost:1", false}, {"[::1]:7", "[::1]:7", false},
		{"127.0.0.9:7", "127.0.0.9:7", false}, {"0.0.0.0:7777", "0.0.0.0:7777", true}, {"[::]:7", "[::]:7", true}, {"10.0.0.7:7", "10.0.0.7:7", true}, {"gpu-7:7", "gpu-7:7", true},
		{"/run/r.sock", "unix:/run/r.sock", false}, {"unix:r.sock", "unix:r.sock", false}, {"./r.sock", "unix:./r.sock", false},
		{"", "", false}, {"x", "", false}, {":x", "", false}, {":65536", "", false}, {":-1", "", false}, {":07", "", false}, {"http://h:1", "", false}, {"a@b:1", "", false}, {"unix:", "", false}, {"::1", "", false},
	} {
		a, err := ParseAddress(row.text)
		if (err == nil) != (row.want != "") || err == nil && (a.String() != row.want || a.Wide != row.wide) {
			t.Errorf("%q: %s, wide %v, %v; want %q", row.text, a, a.Wide, err, row.want)
			continue
		}
		if again, wrong := ParseAddress(a.String()); err == nil && (wrong != nil || again != a) {
			t.Errorf("%q comes back as %v, %v", row.text, again, wrong)
		}
	}
}

func FuzzNoAddressBreaksItsParser(f *testing.F) {
	for _, text := range []string{":0", "127.0.0.1:7777", "[::1]:1", "unix:/a", "/a", "x", ":", "[", "a:b:c", "%:1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if a, err := ParseAddress(text); err == nil && a.Network == "tcp" {
			if again, err := ParseAddress(a.String()); err != nil || again != a {
				t.Errorf("%q: %v, then %v, %v", text, a, again, err)
			}
		}
	})
}

func TestARunThatListensIsFoundUntilItIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "redline")
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	remove, err := Notice{PID: 2, Began: now, Address: ln.Addr().String(), Token: NewToken(), Target: "gpu-7"}.Publish(dir)
	if err != nil {
		t.Fatal(err)
	}
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Notice{PID: 1, Began: now.Add(-time.Hour), Address: gone.Addr().String()}).Publish(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "3.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found := Find(dir); len(found) != 2 || found[0].PID != 1 || found[1].Target != "gpu-7" || found[1].Token == "" {
		t.Errorf("found %+v", found)
	}
	_ = gone.Close()
	if found := Find(dir); len(found) != 1 || found[0].PID != 2 {
		t.Errorf("found %+v", found)
	}
	if _, err := os.Stat(filepath.Join(dir, "1.json")); err == nil {
		t.Error("what a run that is gone has left is there still")
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "2.json"): 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
	}
	remove()
	if found := Find(dir); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
	_ = ln.Close()
}

func TestASocketIsItsOwnersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes of files here")
	}
	path := filepath.Join(t.TempDir(), "s")
	a, err := ParseAddress(path)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := a.Listen()
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if _, err := a.Listen(); err == nil || !strings.Contains(err.Error(), "already in use") {
		t.Errorf("a second one: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- serve(newRun(), nil).Serve(ctx, ln) }()
	if text, err := NewClient(a, testToken).Get(t.Context(), "/v1/status"); err != nil || !strings.Contains(string(text), `"state":"running"`) {
		t.Errorf("%s, %v", text, err)
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the socket is left behind")
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Listen(); err == nil || !strings.Contains(err.Error(), "there is a file already") {
		t.Errorf("in place of a file: %v", err)
	}
}

func TestTokensCannotBeGuessed(t *testing.T) {
	if a, b := NewToken(), NewToken(); a == b || len(a) < 40 || CheckToken(a) != nil {
		t.Errorf("%q, %q", a, b)
	}
	for _, bad := range []string{"", "short", strings.Repeat("x", 15), "with a blank in the middle", "a-token-of-two\n-lines-or-more", strings.Repeat("x", 5000)} {
		if err := CheckToken(bad); err == nil || bad != "" && strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestAnswersOfOthersAreNoRuns(t *testing.T) {
	other := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) })}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = other.Serve(ln) }()
	defer other.Close()
	a, _ := ParseAddress(ln.Addr().String())
	if _, err := NewClient(a, testToken).Do(t.Context(), "pause", nil); err == nil || !strings.Contains(err.Error(), "not that of a run of redline") {
		t.Errorf("%v", err)
	}
}
