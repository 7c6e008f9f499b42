package engine

import "sync"

// mailbox is an unbounded queue with one reader: posting never blocks and never drops.
type mailbox struct {
	mu    sync.Mutex
	items []any
	ready chan struct{}
}

func newMailbox() *mailbox { return &mailbox{ready: make(chan struct{}, 1)} }

// post appends an item and wakes the reader.
func (m *mailbox) post(item any) {
	m.mu.Lock()
	m.items = append(m.items, item)
	m.mu.Unlock()
	select {
	case m.ready <- struct{}{}:
	default:
	}
}

// take empties the queue, in order.
func (m *mailbox) take() []any {
	m.mu.Lock()
	defer m.mu.Unlock()
	items := m.items
	m.items = nil
	return items
}
