package bench

// Rivals are the targets of a run that drives several.
type Rivals struct {
	// Names are those of the targets, in the order in which they were given: at least two. What stands for the name of one is its Letter.
	Names []string
	// Shown is the target that the snapshot is of, and that the operator's hand drives, as its place in Names.
	Shown int
	// Both tells that all targets are driven, at the load of the one that is shown; else it is driven alone.
	Both bool
	// Of are the snapshots of all targets, in the order of Names. Their Spend is their own, while that of the snapshot beside them is of all together.
	Of []*Snapshot
}

// Letter is the short name of a target by its place: A, B, C, and so on.
func Letter(i int) string { return string(rune('A' + i%26)) }

// Other is the target that Other goes to, as its place in Names.
func (r *Rivals) Other() int { return (r.Shown + 1) % max(len(r.Names), 1) }

// Spent is what all targets have spent together; the budgets, which are one for all, are those of out.
func Spent(all []*Snapshot, out Spend) Spend {
	out.In, out.Out, out.Reserved, out.Cost, out.PerHour = 0, 0, 0, Value{}, Value{}
	for _, s := range all {
		out.In, out.Out, out.Reserved = out.In+s.Spend.In, out.Out+s.Spend.Out, out.Reserved+s.Spend.Reserved
		out.Cost, out.PerHour = added(out.Cost, s.Spend.Cost), added(out.PerHour, s.Spend.PerHour)
	}
	return out
}

// added is the sum of what is known.
func added(a, b Value) Value {
	return Value{V: a.V + b.V, OK: a.OK || b.OK}
}
