package view

// Sort is a column that the Requests are sorted by.
type Sort uint8

const (
	// ByNewest: what came last stands first.
	ByNewest Sort = iota
	ByTTFT
	ByITL
	ByGap
	ByE2E
	ByOutput
	numSorts
)

// Next is the column after this one.
func (s Sort) Next() Sort { return (s + 1) % numSorts }

// requestsPage draws single requests, and the chosen one below or, when it is inspected, alone.
func (f *frame) requestsPage(rows int) { f.absent("no request yet", rows) }

func (v *Screen) moveRequest(st *State, m Motion) {}
