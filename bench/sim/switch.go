package sim

import (
	"fmt"
	"slices"
)

// Switch is a property that the preset has or has not, unless it is said.
type Switch uint8

const (
	// ByPreset leaves it to the preset.
	ByPreset Switch = iota
	On
	Off
)

var switchNames = []string{"preset", "on", "off"}

// String is the switch as Set reads it.
func (s *Switch) String() string { return switchNames[min(int(*s), len(switchNames)-1)] }

// Set reads preset, on or off.
func (s *Switch) Set(text string) error {
	i := slices.Index(switchNames, text)
	if i < 0 {
		return fmt.Errorf("%q: preset, on or off", text)
	}
	*s = Switch(i)
	return nil
}

// Type names the value in a usage text.
func (s *Switch) Type() string { return "switch" }
