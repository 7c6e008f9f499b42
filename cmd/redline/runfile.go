package main

import (
	"path/filepath"

	"redline/bench/record"
)

// openRun opens a run file that was named on the command line: by a path, by its name among those that are kept, by a unique beginning of that, or as the last.
func (m *Main) openRun(word string) (*record.File, error) {
	path, err := record.Find(m.runsFolder(), word)
	if err != nil {
		return nil, err
	}
	return record.Open(path)
}

// runsFolder is where runs are kept: redline/runs under XDG_STATE_HOME, else in the user's folder for settings on Windows, and in ~/.local/state elsewhere;
// empty where no home is known.
func (m *Main) runsFolder() string {
	if base := m.text("XDG_STATE_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "redline", "runs")
	}
	if base := m.text("APPDATA"); filepath.IsAbs(base) {
		return filepath.Join(base, "redline", "runs")
	}
	if home := m.home(); home != "" {
		return filepath.Join(home, ".local", "state", "redline", "runs")
	}
	return ""
}
