package themes

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func nowhere(string) string { return "" }

func shelf(t *testing.T, files map[string]string) Env {
	t.Helper()
	base := t.TempDir()
	dir := filepath.Join(base, "redline", "themes")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return func(key string) string {
		if key == "XDG_CONFIG_HOME" {
			return base
		}
		return ""
	}
}

func TestShippedThemesResolveEveryToken(t *testing.T) {
	for _, name := range Names(nowhere) {
		theme, err := Load(name, nowhere)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for token := FG; token < NumTokens; token++ {
			ink := theme.Ink(token)
			if !ink.Coloured() && token != SelectBG {
				t.Errorf("%s: %s has no colour, not even the terminal's own", name, token)
			}
			if ink.X16.Kind == Direct || ink.X16.Kind == Indexed && ink.X16.Index > 15 || ink.X256.Kind == Direct {
				t.Errorf("%s: %s is too deep: %s, %s", name, token, ink.X256, ink.X16)
			}
		}
		if len(theme.Warnings) > 0 || theme.Name != name {
			t.Errorf("%s calls itself %s and warns %q", name, theme.Name, theme.Warnings)
		}
	}
}

func TestVerdictsAreReadableOnOwnBackground(t *testing.T) {
	for _, name := range Names(nowhere) {
		theme, err := Load(name, nowhere)
		if err != nil || !theme.Painted() {
			continue
		}
		bg := theme.Ink(BG)
		for _, token := range []Token{FG, Dim, Accent, Accent2, Good, Warn, Bad} {
			fg := theme.Ink(token)
			for depth, pair := range map[string][2]Colour{"true": {fg.True, bg.True}, "256": {fg.X256, bg.X256}} {
				if ratio, ok := Contrast(pair[0], pair[1]); !ok || ratio < 4.5 {
					t.Errorf("%s: %s in %s has contrast %.1f, want 4.5", name, token, depth, ratio)
				}
			}
			if fg.X16 == bg.X16 {
				t.Errorf("%s: %s vanishes in 16 colours", name, token)
			}
		}
	}
}

func TestContrastKeepsWhatItPromises(t *testing.T) {
	theme, err := Load("contrast", nowhere)
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range []Token{FG, Dim, Accent} {
		if ratio, _ := Contrast(theme.Ink(token).X256, theme.Ink(BG).X256); ratio < 15 {
			t.Errorf("%s has contrast %.1f, want 15", token, ratio)
		}
	}
}

func TestOkabeIsTheSameIn256Colours(t *testing.T) {
	for _, name := range []string{"okabe-dark", "okabe-light"} {
		theme, err := Load(name, nowhere)
		if err != nil {
			t.Fatal(err)
		}
		for token := FG; token < NumTokens; token++ {
			ink := theme.Ink(token)
			r, g, b, ok := ink.True.RGB()
			R, G, B, ok2 := ink.X256.RGB()
			if ok != ok2 || r != R || g != G || b != B {
				t.Errorf("%s: %s is %s in 24 bits and entry %s is another", name, token, ink.True, ink.X256)
			}
		}
	}
}

func TestAnsiKeepsTheTerminalsGround(t *testing.T) {
	theme := ANSI()
	if theme.Painted() || theme.Ink(FG).True.Kind != Default {
		t.Error("the default theme paints over the terminal's own colours")
	}
	for token := FG; token < NumTokens; token++ {
		if c := theme.Ink(token).True; c.Kind == Direct || c.Kind == Indexed && c.Index > 15 {
			t.Errorf("%s is %s, not one of the 16", token, c)
		}
	}
}

func TestMonoHasNoColour(t *testing.T) {
	for token := range NumTokens {
		if c := Mono().Ink(token).True; c.Kind == Direct || c.Kind == Indexed {
			t.Errorf("%s is %s", token, c)
		}
	}
}

func TestResolveTakesTheFirstThatIsSaid(t *testing.T) {
	for _, c := range []struct {
		why, flag, configured string
		env                   map[string]string
		want                  string
	}{
		{"nothing said", "", "", nil, "ansi"},
		{"NO_COLOR", "", "", map[string]string{"NO_COLOR": "1"}, "mono"},
		{"the flag beats all", "a", "c", map[string]string{"REDLINE_THEME": "b", "NO_COLOR": "1"}, "a"},
		{"then the environment", "", "c", map[string]string{"REDLINE_THEME": "b"}, "b"},
		{"then the configuration", "", "c", map[string]string{"NO_COLOR": "1"}, "c"},
		{"auto is to say nothing", "auto", "auto", map[string]string{"REDLINE_THEME": "auto"}, "ansi"},
	} {
		if got := Resolve(c.flag, c.configured, func(k string) string { return c.env[k] }); got != c.want {
			t.Errorf("%s: %s, want %s", c.why, got, c.want)
		}
	}
}

func TestUsersThemesComeFirst(t *testing.T) {
	env := shelf(t, map[string]string{
		"ocean.toml": "inherits = \"ansi\"\naccent = 33\n",
		"ansi.toml":  "inherits = \"ansi\"\naccent = 44\n",
		"ring.toml":  "inherits = \"ring\"\n",
	})
	if names := Names(env); !slices.Contains(names, "ocean") || !slices.Contains(names, "mono") {
		t.Errorf("names are %q", names)
	}
	for name, want := range map[string]uint8{"ocean": 33, "ansi": 44} {
		theme, err := Load(name, env)
		if err != nil {
			t.Fatal(err)
		}
		if got := theme.Ink(Accent).X256.Index; got != want {
			t.Errorf("%s has accent %d, want %d", name, got, want)
		}
	}
	path := filepath.Join(Dir(env), "ocean.toml")
	if theme, err := Load(path, nowhere); err != nil || theme.Source != path || theme.Name != "ocean" {
		t.Errorf("by path: %v, %v", theme, err)
	}
	if _, err := Load("ring", env); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Errorf("a theme that is its own parent gives %v", err)
	}
}

func TestMissingThemesSayWhatThereIs(t *testing.T) {
	_, err := Load("nonesuch", nowhere)
	if err == nil || !strings.Contains(err.Error(), `no theme "nonesuch" (there are ansi, `) {
		t.Errorf("got %v", err)
	}
	if _, err := Load("./nonesuch.toml", nowhere); err == nil || !strings.Contains(err.Error(), "./nonesuch.toml") {
		t.Errorf("got %v", err)
	}
	if _, err := Load("../ansi", nowhere); err == nil {
		t.Error("a name may leave the shelf")
	}
}

func TestDirPrefersXDG(t *testing.T) {
	env := map[string]string{"HOME": "/home/me"}
	get := func(k string) string { return env[k] }
	if got := Dir(get); got != filepath.Join("/home/me", ".config", "redline", "themes") {
		t.Error(got)
	}
	env["XDG_CONFIG_HOME"] = "/etc/me"
	if got := Dir(get); got != filepath.Join("/etc/me", "redline", "themes") {
		t.Error(got)
	}
	if got := Dir(nowhere); got != "" {
		t.Error(got)
	}
}

func TestPrintedThemesReadBackTheSame(t *testing.T) {
	for _, name := range Names(nowhere) {
		want, err := Load(name, nowhere)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tryParse(want.TOML())
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, want.TOML())
			continue
		}
		if got.inks != want.inks || !slices.Equal(got.Heat, want.Heat) || got.Name != want.Name || got.Variant != want.Variant {
			t.Errorf("%s reads back as another:\n%s\n%s", name, want.TOML(), got.TOML())
		}
	}
}

func TestFilesThatCannotBeThemesAreNotRead(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.toml")
	if err := os.WriteFile(large, []byte("#"+strings.Repeat("x", maxBytes)), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		large:            "theme " + large + ": 65537 bytes, want at most 65536",
		dir + "/":        "theme " + dir + "/: not a regular file",
		dir + "/no.toml": "no.toml: no such file",
	} {
		if _, err := Load(path, nowhere); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}
