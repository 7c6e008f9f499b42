//go:build !race

package analysis_test

const raced = false
