//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// apart puts a child into a process group of its own: ctrl+c in the terminal is ours to answer, and requests in flight drain against a
// server that still lives.
func apart(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
