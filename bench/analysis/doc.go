// Package analysis turns levels into answers: where the output rate bends, and at which load the first promise breaks; which law it follows, where that peaks, and
// whether the server left it; whether two levels differ, or one drifts, by more than noise; and what a load costs. All of it is pure functions
// of what was measured; it knows no clock, no engine and no screen. An answer for which there are not enough samples is "not enough yet", never a guess.
package analysis
