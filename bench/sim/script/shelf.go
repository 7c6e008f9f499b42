package script

import (
	"embed"
	"errors"
	"fmt"
	"io"
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
	data, err := readRegular(name)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, `/\.`) {
		return nil, fmt.Errorf("%q: neither a file nor one of the built-in scripts, which --script list names", name)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the script: %w", err)
	}
	return Parse(data, filepath.Base(name))
}

// readRegular reads a file of a bounded size. Pipes and devices are not opened: one may never end, the other never begin.
func readRegular(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxBytes {
		return nil, fmt.Errorf("%s: a regular file of at most %d MiB", name, maxBytes>>20)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
}
