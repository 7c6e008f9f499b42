package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"redline/bench/remote"
)

// listeningRun is a run in plain lines that listens, and what ctl says to it.
type listeningRun struct {
	*outside
	env  map[string]string
	code chan int
}

// listenRun starts one, and waits until it drives.
func listenRun(t *testing.T, args ...string) *listeningRun {
	t.Helper()
	env := map[string]string{"XDG_RUNTIME_DIR": t.TempDir()}
	l := &listeningRun{outside: start(t, env, append(small(simulated(t, nil), "--plain", "--listen", "127.0.0.1:0", "-c", "4"), args...)...), env: env, code: make(chan int, 1)}
	go func() { l.code <- l.Run(t.Context()) }()
	l.out.await(t, "event start load 4")
	return l
}

// ctl runs redline ctl beside it.
func (l *listeningRun) ctl(t *testing.T, words ...string) (code int, out, errs string) {
	t.Helper()
	o := start(t, l.env, append([]string{"ctl"}, words...)...)
	code = o.run(t)
	return code, o.out.String(), o.errs.String()
}

// end ends it by ctl.
func (l *listeningRun) end(t *testing.T) {
	t.Helper()
	if code, _, errs := l.ctl(t, "stop"); code != exitOK {
		t.Errorf("stop: %d %s", code, errs)
	}
	if code := <-l.code; code != exitOK {
		t.Errorf("exit code %d\n%s", code, l.errs.String())
	}
}

func TestARunThatListensIsDrivenByCtl(t *testing.T) {
	l := listenRun(t)
	for _, row := range []struct {
		sentence string
		words    []string
		code     int
		want     string
	}{
		{"how it stands", []string{"status"}, exitOK, "running, concurrency 4, level 1"},
		{"more", []string{"load", "6"}, exitOK, "load 6: running, concurrency 6"},
		{"less", []string{"load", "-2"}, exitOK, "load -2: running, concurrency 4"},
		{"a note", []string{"note", "max_num_seqs", "256"}, exitOK, "note: running"},
		{"much more is asked", []string{"load", "60"}, exitNothing, "question"},
		{"no", []string{"answer", "no"}, exitOK, "answer no"},
		{"much more, agreed", []string{"load", "--yes", "30"}, exitOK, "concurrency 30"},
		{"a pause, which somebody may end", []string{"pause"}, exitOK, "paused"},
		{"and does", []string{"resume"}, exitOK, "running"},
		{"for machines", []string{"status", "--json"}, exitOK, `"load":30`},
		{"no load", []string{"load", "much"}, exitUsage, "want 16, +4"},
		{"help on a load", []string{"load", "--help"}, exitOK, "ctl load 16"},
		{"no verb", []string{"dance"}, exitUsage, "there is no dance"},
		{"no run of that name", []string{"status", "--run", "99999999"}, exitUsage, "there are:"},
		{"another token", []string{"status", "--token-file", tokenFile(t, "another-token-for-tests")}, exitUsage, "wants another token"},
	} {
		code, out, errs := l.ctl(t, row.words...)
		if code != row.code || !strings.Contains(out+errs, row.want) {
			t.Errorf("%s: exit code %d, want %d and %q\n%s%s", row.sentence, code, row.code, row.want, out, errs)
		}
	}
	l.end(t)
	for _, want := range []string{"event remote load 6", "event remote load -2", "event remote note", `event note "max_num_seqs 256"`, "event remote pause", "event remote stop"} {
		if !strings.Contains(l.out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, l.out.String())
		}
	}
	if left := remote.Find(filepath.Join(l.env["XDG_RUNTIME_DIR"], "redline")); len(left) > 0 {
		t.Errorf("left behind: %+v", left)
	}
	if code, _, errs := l.ctl(t, "status"); code != exitUsage || !strings.Contains(errs, "no run listens") {
		t.Errorf("behind its end: %d %s", code, errs)
	}
}

// tokenFile is a file with a token.
func tokenFile(t *testing.T, token string) string {
	path := filepath.Join(t.TempDir(), "token")
	writeFile(t, path, token+"\n")
	return path
}

func TestTheTokenOfARunIsInNoOutput(t *testing.T) {
	l := listenRun(t)
	found := remote.Find(filepath.Join(l.env["XDG_RUNTIME_DIR"], "redline"))
	if len(found) != 1 || len(found[0].Token) < 40 {
		t.Fatalf("found %+v", found)
	}
	path := filepath.Join(l.env["XDG_RUNTIME_DIR"], "redline", fmt.Sprintf("%d.json", os.Getpid()))
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	all := ""
	for _, words := range [][]string{{"status", "--json"}, {"note", "x"}, {"load", "4", "--json"}} {
		_, out, errs := l.ctl(t, words...)
		all += out + errs
	}
	for _, path := range []string{"/v1", "/v1/snapshot", "/v1/snapshot?form=second", "/metrics"} {
		all += string(l.get(t, found[0], path))
	}
	l.end(t)
	if all += l.out.String() + l.errs.String(); strings.Contains(all, found[0].Token) {
		t.Error("the token is told")
	}
}

// get asks for a path.
func (l *listeningRun) get(t *testing.T, n remote.Notice, path string) []byte {
	t.Helper()
	a, err := remote.ParseAddress(n.Address)
	if err != nil {
		t.Fatal(err)
	}
	text, err := remote.NewClient(a, n.Token).Get(t.Context(), path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return text
}

func TestWhatARunTellsAfarIsWhatItIs(t *testing.T) {
	l := listenRun(t, "--private")
	l.out.await(t, "RUNNING level=1/ready")
	n := remote.Find(filepath.Join(l.env["XDG_RUNTIME_DIR"], "redline"))[0]
	var doc struct {
		Schema  string
		Private bool
		Total   struct{ Requests struct{ OK int } }
	}
	if err := json.Unmarshal(l.get(t, n, "/v1/snapshot"), &doc); err != nil || !doc.Private || doc.Total.Requests.OK == 0 || !strings.HasPrefix(doc.Schema, "redline.summary/") {
		t.Errorf("%+v %v", doc, err)
	}
	text := l.get(t, n, "/metrics")
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
	if err != nil || families["redline_time_to_first_token_seconds"] == nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if strings.Contains(string(text), "127.0.0.1") {
		t.Errorf("private, and yet:\n%s", text)
	}
	o := start(t, l.env, "ctl", "watch")
	watched := make(chan int, 1)
	go func() { watched <- o.Run(t.Context()) }()
	o.out.await(t, "RUNNING load=4 inflight=")
	l.end(t)
	if code := <-watched; code != exitOK || strings.Contains(o.out.String(), "127.0.0.1") {
		t.Errorf("watch ended with %d\n%s%s", code, o.out.String(), o.errs.String())
	}
}

func TestAnAddressInUseIsSaidBeforeAnythingStarts(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	asked := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the target was asked") })
	target := &http.Server{Handler: asked}
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = target.Serve(other) }()
	defer target.Close()
	for _, row := range []struct {
		sentence string
		args     []string
		want     string
	}{
		{"in use", []string{"--listen", ln.Addr().String()}, "address already in use"},
		{"no address", []string{"--listen", "somewhere"}, "want HOST:PORT"},
		{"a token without an address", []string{"--listen-token-file", "x"}, "want --listen with"},
		{"a short token", []string{"--listen", ":0", "--listen-token-file", tokenFile(t, "short")}, "16 characters"},
		{"no token", []string{"--listen", ":0", "--listen-token-file", filepath.Join(t.TempDir(), "none")}, "want a file that can be read"},
	} {
		o := start(t, nil, append([]string{"--url", "http://" + other.Addr().String(), "--model", "m", "--plain"}, row.args...)...)
		if code := o.run(t); code != exitUsage || !strings.Contains(o.errs.String(), row.want) || o.out.String() != "" || strings.Contains(o.errs.String(), "short-") {
			t.Errorf("%s: exit code %d\n%s", row.sentence, code, o.errs.String())
		}
	}
}
