package themes

import (
	"strings"
	"testing"
)

// tryParse resolves a lone file over the shipped themes.
func tryParse(text string) (*Theme, error) {
	return resolve("ocean", func(name string) ([]byte, string, error) {
		if name == "ocean" {
			return []byte(text), "/home/me/ocean.toml", nil
		}
		return load(name)
	})
}

const least = "fg = 252\naccent = \"#56b4e9\"\nbad = \"red\"\n"

func TestErrorsNameFileLineAndKey(t *testing.T) {
	for _, c := range []struct{ why, text, want string }{
		{"no colour", least + "\n\ngood = \"greenish\"", `ocean.toml:6: good: "greenish" is no colour`},
		{"out of the palette", "fg = 256\n", `ocean.toml:1: fg: "256" is no colour`},
		{"below the palette", "fg = -1\n", `ocean.toml:1: fg: "-1" is no colour`},
		{"short hex", "\nfg = \"#fff\"\n", `ocean.toml:2: fg: "#fff" is no colour`},
		{"a wrong kind", "fg = 1.5\n", "ocean.toml:1: fg: want a colour"},
		{"an unknown part", "fg = { x17 = 1 }\n", "ocean.toml:1: fg: x17: unknown part"},
		{"hex where 16 are", "fg = { x16 = \"#ffffff\" }\n", "ocean.toml:1: fg: x16: want 0 to 15"},
		{"256 where 16 are", "fg = { x16 = 99 }\n", "ocean.toml:1: fg: x16: want 0 to 15"},
		{"an attribute that is no truth", "fg = { bold = 1 }\n", "ocean.toml:1: fg: bold: want true or false"},
		{"a key in a table", "[lane]\nttft = \"x\"\n", "ocean.toml:2: lane.ttft: "},
		{"broken TOML", "fg = 1\naccent = = 2\n", "ocean.toml:2: "},
		{"a key given twice", "fg = 1\nfg = 2\n", "ocean.toml:2: "},
		{"a variant of its own", "variant = \"dusk\"\n", `ocean.toml:1: variant: "dusk" is none of`},
		{"a name that is no text", "name = 1\n", "ocean.toml:1: name: want text"},
		{"heat of one", "heat = [1]\n", "ocean.toml:1: heat: 1 colours"},
		{"heat that is no list", "heat = 1\n", "ocean.toml:1: heat: want a list"},
		{"what is required", "fg = 1\n", "ocean.toml:1: accent: missing"},
		{"too large", "#" + strings.Repeat("x", maxBytes), "ocean.toml: 65537 bytes"},
		{"no such parent", "inherits = \"sea\"\n", `no theme "sea" to inherit from`},
	} {
		_, err := tryParse(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.why, err, c.want)
		}
	}
}

func TestUnknownKeysWarn(t *testing.T) {
	theme, err := tryParse(least + "glow = 7\n[lane]\ne2e = 4\n")
	if err != nil {
		t.Fatal(err)
	}
	want := "ocean.toml:4: glow: unknown key|ocean.toml:6: lane.e2e: unknown key"
	if got := strings.Join(theme.Warnings, "|"); got != want {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

func TestThreeColoursAreEnough(t *testing.T) {
	theme, err := tryParse(least)
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range []Token{Accent2, LaneLoad, LaneTTFT, LaneTPM} {
		if token != Accent2 && theme.Ink(token) != theme.Ink(Accent) && theme.Ink(token) != theme.Ink(Accent2) {
			t.Errorf("%s does not follow the accent", token)
		}
	}
	if got := theme.Ink(Dim); got.X256.Index != 252 || !got.Faint {
		t.Errorf("dim is %+v, want the colour of text and faint", got)
	}
	if theme.Name != "ocean" || theme.Source != "/home/me/ocean.toml" {
		t.Errorf("name %q from %q", theme.Name, theme.Source)
	}
}

func TestDepthsThatAreNotGivenFollow(t *testing.T) {
	theme, err := tryParse(`
fg = "#ffffff"
accent = { true = "#56b4e9", x16 = "bright-cyan" }
bad = { x16 = "red", bold = true }
good = 33
[select]
bg.true = "#000080"
fg = { reverse = true }
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		token           Token
		true_, x256, at string
	}{
		{FG, "#ffffff", "231", "bright-white"},
		{Accent, "#56b4e9", "74", "bright-cyan"},
		{Bad, "red", "red", "red"},
		{Good, "33", "33", "cyan"},
	} {
		i := theme.Ink(c.token)
		if i.True.String() != c.true_ || i.X256.String() != c.x256 || i.X16.String() != c.at {
			t.Errorf("%s is %s %s %s, want %s %s %s", c.token, i.True, i.X256, i.X16, c.true_, c.x256, c.at)
		}
	}
}

func TestParentsFillWhatIsOpen(t *testing.T) {
	files := map[string]string{
		"child":  "inherits = \"middle\"\naccent = 1\n",
		"middle": "inherits = \"top\"\naccent = 2\ngood = 2\nvariant = \"dark\"\n",
		"top":    "fg = 3\naccent = 3\nbad = 3\ngood = 3\nwarn = 3\nglow = 3\n",
	}
	find := func(name string) ([]byte, string, error) {
		if text, ok := files[name]; ok {
			return []byte(text), name + ".toml", nil
		}
		return load(name)
	}
	theme, err := resolve("child", find)
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[Token]uint8{Accent: 1, Good: 2, Warn: 3, LaneITL: 1} {
		if got := theme.Ink(token).X16.Index; got != want {
			t.Errorf("%s is %d, want %d", token, got, want)
		}
	}
	if theme.Variant != Dark || len(theme.Warnings) != 1 {
		t.Errorf("variant %s, warnings %q", theme.Variant, theme.Warnings)
	}
	files["top"] = "inherits = \"child\"\n"
	if _, err := resolve("child", find); err == nil || err.Error() != "child.toml: inherits: child → middle → top → child goes in a circle" {
		t.Errorf("a circle gives %v", err)
	}
}

func TestColoursReadTheirOwnForm(t *testing.T) {
	for i := range 256 {
		c := Colour{Kind: Indexed, Index: uint8(i)}
		if got, err := ParseColour(c.String()); err != nil || got != c {
			t.Errorf("%s reads as %v, %v", c, got, err)
		}
	}
	if c, err := ParseColour(" #0A0b0C "); err != nil || c.String() != "#0a0b0c" {
		t.Errorf("hex reads as %s, %v", c, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"ansi", "mono", "redline-dark"} {
		data, _, _ := load(name)
		f.Add(data)
	}
	f.Add([]byte("fg = { true = \"#123456\", x256 = 1, x16 = \"red\", bold = true }\n[select]\nbg = 3\nheat = [1, { x16 = 2 }]"))
	f.Add([]byte("[[lane]]\n'a.b'.c = \"\"\"\n\"\"\"\nfg = 1979-05-27"))
	f.Fuzz(func(t *testing.T, data []byte) {
		theme, err := tryParse(string(data))
		if err != nil {
			// Errors of files name the file; a parent that is not there and a circle name their own.
			if !strings.Contains(err.Error(), "ocean.toml") && !strings.Contains(err.Error(), "to inherit from") {
				t.Errorf("%q does not say where", err)
			}
			return
		}
		if len(theme.Heat) < 2 {
			t.Errorf("heat has %d colours", len(theme.Heat))
		}
	})
}
