package ui

import (
	"encoding/base64"
	"io"
	"os"
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/term"
	"redline/ui/view/viewtest"
)

// listing is a dashboard that shows requests of a scene, over a terminal that is a pipe; read gives what came out of it.
func listing(t *testing.T, curl func(*bench.Request) bench.Curl) (m *model, read func() string) {
	t.Helper()
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	m = opened(showing(viewtest.Running))
	m.o.Curl, m.terminal = curl, term.NewScreen(to, false)
	press(m, "4")
	m.journal = viewtest.Journal(m.snap)
	m.st.Frozen = true
	m.draw()
	read = func() string {
		to.Close()
		out, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	return m, read
}

// copyNow presses Y and carries out what it asks for.
func copyNow(m *model) {
	if cmd := m.do(action.Copy); cmd != nil {
		m.Update(cmd())
	}
}

func TestARequestIsCopiedAsCurl(t *testing.T) {
	var asked uint64
	m, read := listing(t, func(r *bench.Request) bench.Curl {
		asked = r.ID
		return bench.Curl{Text: "curl -H \"Authorization: Bearer $OPENAI_API_KEY\" 接続", Variables: []string{"OPENAI_API_KEY"}}
	})
	press(m, "j", "j")
	copyNow(m)
	if want := "copied as curl, 54 B; needs $OPENAI_API_KEY"; m.st.Notice != want {
		t.Errorf("%q, want %q", m.st.Notice, want)
	}
	if asked != m.st.Request || asked == 0 {
		t.Errorf("request %d was copied, %d is chosen", asked, m.st.Request)
	}
	out := read()
	body, ok := strings.CutPrefix(out, "\x1b]52;c;")
	text, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(body, "\x07"))
	if !ok || err != nil || !strings.HasSuffix(string(text), "接続") {
		t.Errorf("the terminal got %q: %q, %v", out, text, err)
	}
}

// TestTheNoticeNamesAllThatTheCommandNeeds, and what is not as it was sent.
func TestTheNoticeNamesAllThatTheCommandNeeds(t *testing.T) {
	for _, c := range []struct {
		curl bench.Curl
		mux  term.Multiplexer
		want string
	}{
		{bench.Curl{Text: "curl $HOME_KEY"}, term.NoMux, "copied as curl, 14 B"},
		{bench.Curl{Text: "curl", Variables: []string{"REVKEY", "X_ODD", "CA_FILE"}}, term.NoMux, "copied as curl, 4 B; needs $REVKEY, $X_ODD, $CA_FILE"},
		{bench.Curl{Text: "curl", Variables: []string{"REVKEY"}, Differs: "its prompt is not whole"}, term.Tmux,
			"copied as curl, 4 B; needs $REVKEY; not the body that was sent: its prompt is not whole; tmux needs set-clipboard on"},
	} {
		if got := copiedWords(c.curl, c.mux); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestWhatCannotBeCopiedSaysWhy(t *testing.T) {
	fine := func(*bench.Request) bench.Curl { return bench.Curl{Text: "curl"} }
	for _, c := range []struct {
		sentence string
		curl     func(*bench.Request) bench.Curl
		set      func(*model)
		want     string
	}{
		{"nothing is chosen", fine, func(m *model) {}, "no request is chosen"},
		{"what is private stays here", fine, func(m *model) { press(m, "j", "P") }, "private: a request is not copied"},
		{"a recorded run asks no server", nil, func(m *model) { press(m, "j") }, "nothing to copy"},
		{"a prompt that no clipboard takes", func(*bench.Request) bench.Curl { return bench.Curl{Text: strings.Repeat("x", term.ClipboardBytes+1)} }, func(m *model) { press(m, "j") }, "too long for a terminal's clipboard: 74 995 bytes, of 74 994 at most; S saves"},
		{"no terminal", fine, func(m *model) { press(m, "j"); m.terminal = nil }, "there is no terminal"},
		{"a terminal that takes nothing", fine, func(m *model) { press(m, "j"); m.do(action.Copy) }, "has not taken what was copied before"},
	} {
		m, read := listing(t, c.curl)
		c.set(m)
		copyNow(m)
		if !strings.Contains(m.st.Notice, c.want) {
			t.Errorf("%s: %q, want %q", c.sentence, m.st.Notice, c.want)
		}
		if out := read(); out != "" {
			t.Errorf("%s: the terminal got %q", c.sentence, out)
		}
	}
}

// TestAFilterThatCannotBeReadStaysOpen with what is wrong, and a good one closes the line.
func TestAFilterThatCannotBeReadStaysOpen(t *testing.T) {
	m, _ := listing(t, nil)
	press(m, "/", "t", "t", "f", "t", ">", "x", "enter")
	if m.st.Entry == nil || !strings.Contains(m.st.Entry.Problem, "want a time such as ttft>500") || m.st.Filter[action.Requests] != "" {
		t.Fatalf("entry %+v, filter %q", m.st.Entry, m.st.Filter[action.Requests])
	}
	press(m, "backspace", "5", "0", "0", "enter")
	if m.st.Entry != nil || m.st.Filter[action.Requests] != "ttft>500" {
		t.Errorf("entry %+v, filter %q", m.st.Entry, m.st.Filter[action.Requests])
	}
}

// TestEnterInspectsTheChosenRequest, or the first where none is chosen, and esc goes back step by step.
func TestEnterInspectsTheChosenRequest(t *testing.T) {
	m, _ := listing(t, nil)
	press(m, "enter")
	if !m.st.Inspecting || m.st.Request == 0 || !strings.Contains(m.frame, "POST /v1/chat/completions") {
		t.Fatalf("inspecting %v, request %d:\n%s", m.st.Inspecting, m.st.Request, m.frame)
	}
	press(m, "esc")
	if m.st.Inspecting || m.st.Request == 0 {
		t.Errorf("after esc: inspecting %v, request %d", m.st.Inspecting, m.st.Request)
	}
	press(m, "esc")
	if m.st.Request != 0 || m.st.View != action.Requests {
		t.Errorf("after two: request %d, view %s", m.st.Request, m.st.View)
	}
	press(m, "esc")
	if m.st.View != action.Live {
		t.Errorf("after three: view %s", m.st.View)
	}
}
