//go:build !race

package pilot

const raced = false
