package view

import "redline/ui/style"

// overlay lays lines over the lower rows of the frame, all but the last. What could be clicked there can not be any more.
func (f *frame) overlay(lines []func(*style.Row)) {
	all := f.out
	foot := all[len(all)-1]
	first := max(len(all)-1-len(lines), 0)
	f.shelve(first, len(all)-1)
	f.out = all[:first]
	if f.events > 0 && first == f.events+1 {
		// Nothing is left of the log but its heading.
		f.out = all[:f.events]
		f.start()
		f.end()
	}
	for _, draw := range lines[:len(all)-1-first] {
		r := f.start()
		draw(r)
		f.end()
	}
	f.out = append(f.out, foot)
}

// overlayRows are how many rows of a frame a list in front of it may take: most of it stays seen.
func (f *frame) overlayRows(most int) int {
	room := len(f.out) - 1 - min(f.Head, 2)
	return max(min((room*2+2)/3, most), 0)
}

// firstShown is the first of n rows that are shown of so many, with the chosen one about in their middle.
func firstShown(row, n, all int) int { return max(min(row-n/2, all-n), 0) }
