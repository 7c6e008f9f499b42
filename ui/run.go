package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// Run shows the dashboard until the operator has left it. The run itself may be over before (the screen then shows DONE and waits) or
// not after: the caller stops an engine that still runs. Cancelling ctx leaves at once.
func Run(ctx context.Context, o Options) (Result, error) {
	m := newModel(o)
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithAltScreen(),
		tea.WithoutSignalHandler(), tea.WithFPS(maxFlushes))
	_, err := p.Run()
	return Result{}, err
}

// maxFlushes bounds how often tea writes to the terminal: keys show within 70 ms, and its idle ticker costs little.
const maxFlushes = 15
