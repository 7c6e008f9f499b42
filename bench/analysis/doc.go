// Package analysis turns levels into answers: where the output rate bends, and at which load the first promise breaks. All of it is pure functions
// of what was measured; it knows no clock, no engine and no screen. An answer for which there are not enough samples is "not enough yet", never a guess.
package analysis
