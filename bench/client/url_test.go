package client

import (
	"strings"
	"testing"
)

func TestParseURL(t *testing.T) {
	tests := []struct{ text, want string }{
		{"http://h:8000", "http://h:8000/v1"},
		{" http://h:8000/ \n", "http://h:8000/v1"},
		{"http://h:8000/v1", "http://h:8000/v1"},
		{"http://h:8000/v1///", "http://h:8000/v1"},
		{"http://h/v1/chat/completions", "http://h/v1"},
		{"http://h/v1/chat/completions/", "http://h/v1"},
		{"http://h/chat/completions", "http://h/v1"},
		{"http://h/v1/models", "http://h/v1"},
		{"http://h/v1/v1", "http://h/v1"},
		{"http://h/v1/v1/chat/completions", "http://h/v1"},
		{"https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1"},
		{"https://open.bigmodel.cn/api/paas/v4/", "https://open.bigmodel.cn/api/paas/v4"},
		{"https://x/v1beta/openai", "https://x/v1beta/openai"},
		{"https://x/openai/deployments/d/chat/completions?api-version=2024-06-01", "https://x/openai/deployments/d?api-version=2024-06-01"},
		{"https://x.openai.azure.com", "https://x.openai.azure.com/openai/v1"},
		{"https://x.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview", "https://x.services.ai.azure.com/models?api-version=2024-05-01-preview"},
		{"https://api.anthropic.com", "https://api.anthropic.com/v1"},
		{"https://api.anthropic.com/v1/messages", "https://api.anthropic.com/v1"},
		{"https://api.openai.com/v1/responses/ ", "https://api.openai.com/v1"},
		{"http://h/v1/completions", "http://h/v1"},
		{"http://h//v1//chat/completions", "http://h/v1"},
		{"http://h/v1//v1/v1/", "http://h/v1"},
		{"http://h/models/completions", "http://h/v1"},
		{"http://h/v1/my-completions", "http://h/v1/my-completions"},
		{"localhost:8000", "http://localhost:8000/v1"},
		{"192.168.1.5:8000/v1", "http://192.168.1.5:8000/v1"},
		{"gpu-7:8000", "http://gpu-7:8000/v1"},
		{"[::1]:8000", "http://[::1]:8000/v1"},
		{"http://h/ok%2Fb/v1/chat/completions", "http://h/ok%2Fb/v1"},
		{"http://h/a b/v1 ", "http://h/a%20b/v1"},
		{"http://h/a%20b%C3%A9/", "http://h/a%20b%C3%A9"},
		{"api.example.com/v1#frag", "https://api.example.com/v1"},
	}
	for _, tt := range tests {
		u, err := ParseURL(tt.text)
		if err != nil || u.String() != tt.want {
			t.Errorf("%q: %v %v, want %s", tt.text, u, err, tt.want)
		}
	}
	for _, text := range []string{"", "  ", "ftp://h", "http://", "http://user:hunter2@h:port/", "://"} {
		if u, err := ParseURL(text); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v %v", text, u, err)
		}
	}
}

func TestOtherForm(t *testing.T) {
	for text, want := range map[string]string{"http://h/v1": "http://h", "http://h/api": "http://h/api/v1", "http://h/x/v1": "http://h/x",
		"http://h/ok%2Fb/v1": "http://h/ok%2Fb", "http://h/ok%2Fb": "http://h/ok%2Fb/v1"} {
		u, _ := ParseURL(text)
		if got := otherForm(u); got.String() != want || endpoint(got, "/models").String() != want+"/models" {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
}

func TestFiveSpellingsAreOneAddress(t *testing.T) {
	for _, spelling := range []string{"http://h:8000", "http://h:8000/", "http://h:8000/v1", "http://h:8000/v1/", "http://h:8000/v1/chat/completions", "h:8000/v1/models", " http://h:8000/v1/v1 "} {
		if u, err := ParseURL(spelling); err != nil || u.String() != "http://h:8000/v1" {
			t.Errorf("%q: %v %v", spelling, u, err)
		}
	}
}

// FuzzParseURL: what is read once reads as itself, shown or not, never holds /v1/v1, and never shows a password.
func FuzzParseURL(f *testing.F) {
	for _, s := range []string{"http://h:8000/v1", "h/v1/v1", " https://user:hunter22@h//v1//v1/chat/completions/?key=hunter22&api-version=1#x", "[::1]:8000/%2f/ a b /messages",
		"https://x.services.ai.azure.com/models/models", "http://h/?;=hunter22", "http://h/%zz", "http://h/v1%20/v1", "http://h?", "0? #", "http://h/../v1/./v1", "http://h/%76%31/v1", "a://b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := ParseURL(text)
		if err != nil {
			return
		}
		once := u.String()
		again, err := ParseURL(once)
		if err != nil || again.String() != once {
			t.Fatalf("%q: %q reads as %v, %v", text, once, again, err)
		}
		face := shown(u)
		seen, err := ParseURL(face)
		if err != nil || shown(seen) != face {
			t.Fatalf("%q: shown as %q, which reads as %v, %v", text, face, seen, err)
		}
		for _, path := range []string{u.EscapedPath(), otherForm(u).EscapedPath()} {
			if strings.Contains(path+"/", "/v1/v1/") {
				t.Fatalf("%q: path %s", text, path)
			}
		}
	})
}

func TestPortsThatAreNone(t *testing.T) {
	for _, port := range []string{"0", "65536", "99999", "99999999999999999999"} {
		_, err := New(Options{URL: "http://user:hunter22@h:" + port + "/v1"})
		if err == nil || !strings.Contains(err.Error(), "port "+port+" ") || !strings.Contains(err.Error(), "1 to 65535") || strings.Contains(err.Error(), "hunter") {
			t.Errorf("%s: %v", port, err)
		}
	}
	for _, port := range []string{"", ":", ":1", ":65535", ":08080"} {
		if _, err := ParseURL("http://h" + port); err != nil {
			t.Errorf("%q: %v", port, err)
		}
	}
}
