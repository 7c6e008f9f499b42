package main

import (
	"path/filepath"
	"strings"

	"redline/bench/workload"
)

// wantWithin is what is wrong with a path in a file of the current folder that leads out of it.
const wantWithin = "want a path within the folder of the file, which was found in the current folder" + advice

// placed is a path of the document, read against the folder in which it stands.
func (d *document) placed(path string) string {
	if path == "" || filepath.IsAbs(path) || d.folder == "." {
		return path
	}
	return filepath.Join(d.folder, path)
}

// place reads all paths of a workload against the folder of the document. ok is false where a stranger's document leads out of its folder.
func (d *document) place(spec *workload.Spec) (ok bool) {
	ok = true
	for _, path := range spec.Files() {
		ok = ok && (!d.stranger || d.within(*path))
		*path = d.placed(*path)
	}
	return ok
}

// lengths is a length by the key that it is of, with its file, if it has one, read against the folder of the document; ok is as that of place.
func (d *document) lengths(key, text string) (placed string, ok bool) {
	var spec workload.Spec
	if err := spec.Set(key, text); err != nil || len(spec.Files()) == 0 {
		return text, true // What is wrong with it is told where it is read.
	}
	ok = d.place(&spec)
	return spec.In.String() + spec.Out.String(), ok // One of them is set.
}

// spec is a workload as a key of a document gives it: the name of one of its tables as it is, else with its paths read against the document's folder.
func (d *document) spec(text string) string {
	if d.table("workloads", text) != nil {
		return text
	}
	spec, err := workload.Parse(text)
	if err != nil || len(spec.Files()) == 0 {
		return text // What is wrong with it is told where it is read.
	}
	d.place(&spec)
	return spec.String()
}

// resolved is a text of a file with its paths read against the folder in which the file stands, and ~ as the operator's own folder.
func (d *document) resolved(flag, text, home string) string {
	at := func(path string) string {
		if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" && !d.stranger {
			return filepath.Join(home, rest)
		}
		return d.placed(path)
	}
	switch flag {
	case "record":
		if text != recordOff && text != "" {
			return at(text)
		}
	case "api-key-file", "ca-file", "client-cert", "client-key", "save-dir":
		return at(text)
	case "input-tokens", "output-tokens":
		text, _ = d.lengths(flag, text)
	case "workload":
		return d.spec(text)
	case "theme", "profile":
		if strings.HasSuffix(text, ".toml") || strings.ContainsRune(text, '/') && flag == "theme" {
			return at(text)
		}
	case "header":
		if name, path, ok := strings.Cut(text, ":"); ok && strings.HasPrefix(strings.TrimSpace(path), "@") {
			return name + ": @" + at(strings.TrimPrefix(strings.TrimSpace(path), "@"))
		}
	}
	return text
}

// within tells whether a path stays in the folder of the file, links followed.
func (d *document) within(path string) bool {
	if !filepath.IsLocal(path) {
		return false
	}
	whole, err := filepath.EvalSymlinks(filepath.Join(d.folder, path))
	base, also := filepath.EvalSymlinks(d.folder)
	if err != nil || also != nil {
		return err != nil && also == nil // What is not there leads nowhere.
	}
	rest, err := filepath.Rel(base, whole)
	return err == nil && filepath.IsLocal(rest)
}
