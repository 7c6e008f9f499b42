package themes

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

//go:embed *.toml
var shipped embed.FS

// builtIn is the source of themes that come with the program.
const builtIn = "built in"

// Env looks up a variable of the environment; "" is not set, as with os.Getenv.
type Env func(string) string

// Resolve is the name of the theme to load, first hit of: flag, REDLINE_THEME, configuration, and by itself mono under NO_COLOR,
// else ansi.
func Resolve(flag, configured string, env Env) string {
	for _, name := range []string{flag, env("REDLINE_THEME"), configured} {
		if name != "" && name != "auto" {
			return name
		}
	}
	if env("NO_COLOR") != "" {
		return "mono"
	}
	return root
}

// Dir is where a user keeps themes: redline/themes under XDG_CONFIG_HOME, else under ~/.config; "" when there is no home.
func Dir(env Env) string {
	if base := env("XDG_CONFIG_HOME"); base != "" {
		return filepath.Join(base, "redline", "themes")
	}
	for _, home := range []string{env("HOME"), env("USERPROFILE")} {
		if home != "" {
			return filepath.Join(home, ".config", "redline", "themes")
		}
	}
	return ""
}

// Names are the themes that Load finds by name, sorted: the user's and the shipped ones.
func Names(env Env) []string {
	var names []string
	add := func(fsys fs.FS) {
		found, _ := fs.Glob(fsys, "*.toml")
		for _, f := range found {
			names = append(names, strings.TrimSuffix(f, ".toml"))
		}
	}
	add(shipped)
	if dir := Dir(env); dir != "" {
		add(os.DirFS(dir))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Load reads a theme and its parents. What has a separator or ends in .toml is a path, all else is looked for in Dir, then among
// the shipped ones. Errors name the file, the line and the key, or the names that there are.
func Load(name string, env Env) (*Theme, error) {
	if !isShipped(name) && !isPath(name) && !onDisk(name, env) {
		return nil, fmt.Errorf("no theme %q (there are %s)", name, strings.Join(Names(env), ", "))
	}
	// The user's ansi.toml may inherit the shipped ansi: a name that is asked for again means the shipped one, if there is one.
	asked := map[string]bool{}
	return resolve(name, func(want string) ([]byte, string, error) {
		defer func() { asked[want] = isShipped(want) }()
		switch {
		case isPath(want):
			data, err := readFile(want)
			return data, want, wrap(want, err)
		case onDisk(want, env) && !asked[want]:
			path := filepath.Join(Dir(env), want+".toml")
			data, err := readFile(path)
			return data, path, wrap(path, err)
		}
		return load(want)
	})
}

func load(name string) ([]byte, string, error) {
	data, err := shipped.ReadFile(name + ".toml")
	if err != nil {
		return nil, "", fmt.Errorf("no theme %q to inherit from", name)
	}
	return data, builtIn + "/" + name + ".toml", nil
}

func isShipped(name string) bool {
	_, err := fs.Stat(shipped, name+".toml")
	return err == nil
}

func isPath(name string) bool {
	return strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".toml")
}

func onDisk(name string, env Env) bool {
	dir := Dir(env)
	if dir == "" || isPath(name) {
		return false
	}
	_, err := os.Stat(filepath.Join(dir, name+".toml"))
	return err == nil
}

// readFile reads a theme file. Anything but a regular file is refused, since a pipe or a device may never come to an end.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	}
	if info.Size() > maxBytes {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("%d bytes, want at most %d", info.Size(), maxBytes)}
	}
	return os.ReadFile(path)
}

func wrap(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("theme %s: %w", path, at.Err)
	}
	return err
}

// Mono is the shipped theme without colours, which stands in wherever colour is not to be had.
var Mono = sync.OnceValue(func() *Theme { return mustShipped("mono") })

// ANSI is the shipped theme of the 16 terminal colours, the default.
var ANSI = sync.OnceValue(func() *Theme { return mustShipped(root) })

func mustShipped(name string) *Theme {
	t, err := resolve(name, load)
	if err != nil {
		panic("themes: a shipped theme does not load: " + err.Error())
	}
	return t
}
