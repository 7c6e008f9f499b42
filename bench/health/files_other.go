//go:build !linux

package health

// files: nobody counts them here.
func files() (open, limit int) { return 0, 0 }
