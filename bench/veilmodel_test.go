package bench

import "testing"

func TestAVeilLeavesOfAModelsFileItsNameOnly(t *testing.T) {
	for _, c := range []struct{ what, name, want string }{
		{"an owner's name is public", "Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-7B-Instruct"},
		{"a plain name", "gpt-4o-mini", "gpt-4o-mini"},
		{"a name with a tag", "llama3:8b", "llama3:8b"},
		{"a name with its registry", "accounts/fireworks/models/llama-v3p1-8b", "accounts/fireworks/models/llama-v3p1-8b"},
		{"a drive's letter is no name of one letter with a tag", "q:8b", "q:8b"},
		{"a file of a server", "/tmp/pad.gguf", "pad.gguf"},
		{"a folder of a server", "/srv/alice/secret-customer/model/", "model"},
		{"two slashes", "//nas/share/m.gguf", "m.gguf"},
		{"a drive", `C:\Users\alice\m.gguf`, "m.gguf"},
		{"a drive with slashes", "d:/models/m.gguf", "m.gguf"},
		{"a share", `\\nas\share\m.gguf`, "m.gguf"},
		{"a home", "~/models/m.gguf", "m.gguf"},
		{"somebody's home", "~alice/models/m.gguf", "m.gguf"},
		{"a folder near by", "./alice/m.gguf", "m.gguf"},
		{"a folder above", "../alice/m.gguf", "m.gguf"},
		{"a file's URL", "file:///srv/alice/m.gguf", "m.gguf"},
		{"blanks before it", "  /srv/alice/m.gguf", "m.gguf"},
		{"nothing but a home", "~alice", Hidden},
		{"nothing but a root", "/", Hidden},
		{"nothing but a drive", `C:\`, Hidden},
		{"nothing but a way", "../..", Hidden},
		{"no name", "", ""},
	} {
		var v Veil
		got := v.Snapshot(&Snapshot{Run: &Run{Model: c.name}}).Run.Model
		if got != c.want {
			t.Errorf("%s: %q is shown as %q, want %q", c.what, c.name, got, c.want)
		}
	}
}
