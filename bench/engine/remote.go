package engine

import "redline/bench"

// remote does a command that came from elsewhere than the screen, and says so first: whoever looks at the screen did not press a key.
func (c *control) remote(m bench.Remote) {
	if m.Text != "" {
		c.event(bench.Event{Kind: bench.EventRemote, Text: m.Text})
	}
	if m.Taken != nil {
		c.waiting = append(c.waiting, m.Taken)
	}
	if m.Command != nil {
		c.take(m.Command)
	}
}

// agreed does a command and says yes to the question that it makes, in one turn: nothing comes between, so that no other question is answered.
func (c *control) agreed(command bench.Command) {
	c.posed = false
	if c.take(command); c.posed && c.ask != nil {
		c.answer(bench.Answer{ID: c.ask.ID, Yes: true})
	}
}

// tellTaken tells those who wait that their commands are done, and show.
func (c *control) tellTaken() {
	for _, taken := range c.waiting {
		close(taken)
	}
	c.waiting = nil
}
