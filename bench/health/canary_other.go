//go:build !linux

package health

func newCanary() (canary, error) { return newPair() }
