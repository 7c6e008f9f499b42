package bench

import "strings"

// clauseCells bound a reason where there is little room for it, in characters.
const clauseCells = 40

// Clause is a reason in few words: what somebody else wrote at length ends at the last mark before 40 characters, else within them at an ellipsis.
func Clause(text string) string {
	all := []rune(text)
	if len(all) <= clauseCells {
		return text
	}
	for i := clauseCells - 1; i >= 12; i-- {
		if strings.ContainsRune(".,;:", all[i]) && all[i+1] == ' ' {
			return string(all[:i])
		}
	}
	head := string(all[:clauseCells-1])
	if i := strings.LastIndexByte(string(all[:clauseCells]), ' '); i > 0 {
		head = head[:i]
	}
	return strings.TrimRight(head, " .,;:") + "…"
}
