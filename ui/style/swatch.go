package style

// Swatch writes text in the look of another theme, whatever the row's own: a sample of it. Text that does not fit is left out whole.
func (r *Row) Swatch(set *Set, t Token, text string) *Row {
	w := set.Width(text)
	if w > r.Left() {
		return r
	}
	if r.look != NumTokens {
		r.buf = append(r.buf, r.set.reset[r.look]...)
		r.look = NumTokens
	}
	r.buf = append(r.buf, set.Start(t)...)
	for text != "" {
		shown, _, size := set.next(text)
		r.buf = append(r.buf, shown...)
		text = text[size:]
	}
	r.buf = append(r.buf, set.Reset(t)...)
	r.cells += w
	return r
}
