package bench

// Strain tells whether the client itself could explain what is on the screen.
type Strain uint8

const (
	// Unstrained: its instants are good to about ten milliseconds.
	Unstrained Strain = iota
	// Busy: one in a hundred of its instants is more than ten milliseconds late.
	Busy
	// Saturated: it does not keep up; latencies and speeds are its own.
	Saturated
)

// String is the verdict's word.
func (s Strain) String() string { return [...]string{"ok", "busy", "saturated", ""}[s&3] }

// Health is what the engine sees of itself, so that the client's own slowness is not taken for the server's.
type Health struct {
	// Strain is the verdict, Why its reason in a few words ("cpu 94%").
	Strain Strain `json:",omitzero"`
	Why    string `json:",omitzero"`
	// CPU is this process's share of the processors that it may use, 0..1, GC the collector's share of them.
	CPU, GC float64 `json:",omitzero"`
	// TimerLag is how late our own timers fired, WakeLag how long bytes that had come waited for their reader, SchedLag how long goroutines that could
	// run waited for a processor, SendLag how late requests of the open loop were handed over: each the 99th percentile of the second or close to it,
	// in ms; absent where it was not measured.
	TimerLag, WakeLag, SchedLag, SendLag Value `json:",omitzero"`
	// Late are tokens that were booked a second late, Dropped samples that were lost.
	Late, Dropped int `json:",omitzero"`
	// Files and FilesMax are open descriptors and their limit; 0 where they are not known.
	Files, FilesMax int `json:",omitzero"`
}

// Lapse is the newest second in which the client was strained so much: its end, absent where there was none, and the reason in a few words.
type Lapse struct {
	At  Mark
	Why string
}

// Lag is the worst of the lags of which TTFT and ITL are made, in ms; absent where none was measured.
func (h *Health) Lag() Value {
	var worst Value
	for _, v := range []Value{h.TimerLag, h.WakeLag, h.SchedLag} {
		if v.OK && (!worst.OK || v.V > worst.V) {
			worst = v
		}
	}
	return worst
}
