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

// tellTaken tells those who wait that their commands are done, and show.
func (c *control) tellTaken() {
	for _, taken := range c.waiting {
		close(taken)
	}
	c.waiting = nil
}
