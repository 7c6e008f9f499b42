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
