package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Extension is that of run files.
const Extension = ".jsonl.zst"

// disk is where a recorder writes; a test has one that fails.
type disk interface {
	// create makes a file that must not exist, for its owner alone.
	create(path string) (target, error)
	// same tells whether a file still lies at its path.
	same(path string, t target) bool
}

// target is a file that is open for writing. None of its methods is called by two goroutines at once.
type target interface {
	io.WriteCloser
	// cut shortens it to so many bytes, and goes on there.
	cut(to int64) error
	sync() error
}

// system is the disk of the operating system.
type system struct{}

type systemFile struct{ *os.File }

func (system) create(path string) (target, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return systemFile{f}, nil
}

func (system) same(path string, t target) bool {
	f, ok := t.(systemFile)
	if !ok {
		return false
	}
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, there)
}

func (f systemFile) cut(to int64) error {
	if err := f.Truncate(to); err != nil {
		return err
	}
	_, err := f.Seek(to, io.SeekStart)
	return err
}

func (f systemFile) sync() error { return f.Sync() }

// nameBytes bounds the part of a file's name that comes from a model.
const nameBytes = 64

// foreign is what a name does not hold: anything that a shell, a file system or a URL could take for something else.
var foreign = regexp.MustCompile(`[^A-Za-z0-9._+-]+`)

// Name is what the file of a run is called: when it began, and the model, as in 2026-11-30T18-51-21Z-qwen2.5-7b.jsonl.zst.
func Name(began time.Time, model string) string { return stem(began, model) + Extension }

func stem(began time.Time, model string) string {
	model = strings.TrimSpace(model)
	if whole := strings.TrimRight(model, `/\`); strings.HasPrefix(whole, "/") || strings.Contains(whole, `\`) {
		// The path of a file on the server's machine: its last part is what it is called.
		model = whole[strings.LastIndexAny(whole, `/\`)+1:]
	}
	word := strings.Trim(foreign.ReplaceAllString(model, "-"), "-._+")
	if len(word) > nameBytes {
		word = strings.TrimRight(word[:nameBytes], "-._+")
	}
	if word == "" {
		word = "run"
	}
	return began.UTC().Format("2006-01-02T15-04-05Z") + "-" + word
}

// runName is what Name makes; a number stands behind it where that name was taken.
var runName = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[A-Za-z0-9._+-]{1,80}\.jsonl\.zst$`)

// Free is a path in a folder that no file has, for a run that began then; the folder is made where it is missing, for its owner alone.
func Free(dir string, began time.Time, model string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	name := stem(began, model)
	for n := 1; n < 1000; n++ {
		path := filepath.Join(dir, name+Extension)
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d%s", name, n, Extension))
		}
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path, nil
		} else if err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("%s: want another folder, a thousand runs of this name are there", dir)
}
