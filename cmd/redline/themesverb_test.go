package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"redline/themes"
)

// themed is an environment with one theme of the user's own and one that cannot be read.
func themed(t *testing.T) map[string]string {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "redline", "themes")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"mine.toml":   "inherits = \"gruvbox-dark\"\nbad = \"#ff0000\"\nhorn = 1\n",
		"broken.toml": "fg = [[[",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return map[string]string{"XDG_CONFIG_HOME": home}
}

func TestThemesListsAllAndTheUsersOwn(t *testing.T) {
	env := themed(t)
	o := start(t, env, "themes")
	if code := o.run(t); code != 0 {
		t.Fatalf("exit code %d: %s", code, o.errs.String())
	}
	out := o.out.String()
	for _, name := range append(themes.Names(func(k string) string { return env[k] }), "horn", "cannot be read", "Yours go to") {
		if !strings.Contains(out, name) {
			t.Errorf("nothing of %s in:\n%s", name, out)
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Errorf("a file gets control sequences:\n%q", out)
	}
}

func TestAShownThemeReadsBackAsItself(t *testing.T) {
	for _, name := range []string{"mine", "tokyonight-light"} {
		env := themed(t)
		o := start(t, env, "themes", "show", name)
		if code := o.run(t); code != 0 {
			t.Fatalf("%s: exit code %d: %s", name, code, o.errs.String())
		}
		path := filepath.Join(t.TempDir(), "copy.toml")
		if err := os.WriteFile(path, []byte(o.out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		env2 := func(k string) string { return env[k] }
		copied, err := themes.Load(path, env2)
		if err != nil {
			t.Fatal(err)
		}
		if was, _ := themes.Load(name, env2); was.TOML() != copied.TOML() {
			t.Errorf("%s comes back as\n%s", name, copied.TOML())
		}
	}
}

func TestAnUnknownThemeIsNamedWithThoseThereAre(t *testing.T) {
	o := start(t, nil, "themes", "show", "gruvbux")
	if code := o.run(t); code == 0 || !strings.Contains(o.errs.String(), `"gruvbux"`) || !strings.Contains(o.errs.String(), "gruvbox-dark") {
		t.Errorf("exit code %d: %s", code, o.errs.String())
	}
}
