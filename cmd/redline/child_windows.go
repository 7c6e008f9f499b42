package main

import (
	"os/exec"
	"syscall"
)

// apart keeps ctrl+c in the console from the child: requests in flight drain against a server that still lives.
func apart(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
