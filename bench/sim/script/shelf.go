package script

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed catalogue/*.toml
var shelf embed.FS

// Names are those of the built-in scripts, in alphabetical order.
func Names() []string {
	entries, err := fs.ReadDir(shelf, "catalogue")
	if err != nil {
		panic(err) // it is compiled in
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".toml"))
	}
	return names
}

// Load reads the built-in script of a name, else the file. A file that is called like a built-in one is reached as ./name.
func Load(name string) (*Script, error) {
	if data, err := shelf.ReadFile("catalogue/" + name + ".toml"); err == nil {
		return Parse(data, name)
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, `/\.`) {
		return nil, fmt.Errorf("%q: neither a file nor one of the built-in scripts, which --script list names", name)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the script: %w", err)
	}
	return Parse(data, filepath.Base(name))
}
