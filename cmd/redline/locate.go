package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// fileName is what a file of settings is called.
const fileName = "redline.toml"

// noFile is the word that asks for none.
const noFile = "none"

// place is where a file of settings may stand.
type place struct {
	path string
	// flag: it was named, by the flag or its variable, so that it must be there.
	named bool
	// stranger: it is what the current folder has, whoever put it there.
	stranger bool
}

// places are where a file of settings is looked for. One that is named is read alone; else that of the current folder goes before the operator's own in
// all that a stranger may say, and in nothing else.
func (m *Main) places(named string) []place {
	switch named {
	case noFile:
		return nil
	case "":
	default:
		return []place{{path: named, named: true}}
	}
	all := []place{{path: filepath.Join(m.Folder, fileName), stranger: true}}
	if own := m.ownFile(); own != "" {
		all = append(all, place{path: own})
	}
	return all
}

// ownFile is the operator's own file: redline/redline.toml under XDG_CONFIG_HOME, else in the user's folder for settings; empty where there is none.
func (m *Main) ownFile() string {
	if base := m.text("XDG_CONFIG_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "redline", fileName)
	}
	if base := m.text("APPDATA"); filepath.IsAbs(base) {
		return filepath.Join(base, "redline", fileName)
	}
	if home := m.home(); home != "" {
		return filepath.Join(home, ".config", "redline", fileName)
	}
	return ""
}

// home is the operator's own folder; empty where it is not known.
func (m *Main) home() string {
	for _, home := range []string{m.text("HOME"), m.text("USERPROFILE")} {
		if filepath.IsAbs(home) {
			return home
		}
	}
	return ""
}

// openDocument reads the files of settings that are in force: the one that was named, else that of the current folder with the operator's own beneath it. It
// is nil where there is none, or one cannot be read, which is a problem.
func (m *Main) openDocument(ctx context.Context, named string, found *problems) *document {
	var first, last *document
	for _, p := range m.places(named) {
		d := m.read(ctx, p, found)
		switch {
		case d == nil:
		case first == nil:
			first, last = d, d
		case last.stranger:
			last.own = d
		}
	}
	return first
}

// read reads one file; nil where it is not there, or cannot be read.
func (m *Main) read(ctx context.Context, p place, found *problems) *document {
	info, err := os.Stat(p.path)
	switch {
	case p.named:
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !info.Mode().IsRegular():
		// A pipe that somebody left in a folder would keep us waiting.
		found.addAt(origin{source: fromFile, name: p.path, line: 1}, "no file", "want a regular file; say --config to read from anything else, or --config none")
		return nil
	}
	data, err := readSmall(ctx, p.path, fileSize)
	if err != nil && err.Error() == emptyFile {
		data, err = nil, nil
	}
	switch {
	case err == nil:
		return readDocument(data, &document{path: p.path, mine: m.ownFile(), folder: filepath.Dir(p.path), stranger: p.stranger && !m.same(p.path, m.ownFile())}, found)
	case p.named:
		found.add("config", p.path, err.Error())
	default:
		found.addAt(origin{source: fromFile, name: p.path, line: 1}, "not read", err.Error())
	}
	return nil
}

// same tells whether two paths lead to one file.
func (m *Main) same(a, b string) bool {
	one, err := os.Stat(a)
	other, also := os.Stat(b)
	return err == nil && also == nil && os.SameFile(one, other)
}
