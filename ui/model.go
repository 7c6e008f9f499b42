package ui

import (
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/action"
	"redline/ui/term"
	"redline/ui/view"
)

// tick asks for a look at the engine. Only the newest chain of ticks is heard; a key starts a new one.
type tick struct{ chain int }

// wake is a tick out of turn, from outside the program.
type wake struct{}

// model is the one tea.Model. Frames are drawn in Update and kept, so that View costs nothing and tea, which compares rows, sends nothing
// when they are the same.
type model struct {
	o      Options
	engine Engine
	exit   *exit
	looks  looks
	screen *view.Screen
	st     view.State
	// snap is the newest; held what is shown of it while the view is frozen, nil otherwise.
	snap *bench.Snapshot
	held *bench.Snapshot
	// journal is the newest that was asked for; while the view is frozen that of the same instant.
	journal *bench.Journal
	// veils hide what is private; shades those of the live snapshot while the view is frozen.
	veils, shades bench.Veil
	frozen        time.Time
	frame         string
	chain         int
	// still counts ticks that changed nothing.
	still int
	// rests tells that the ticks have ended: the run is over and nothing moves.
	rests    bool
	now      func() time.Time
	notice   time.Time
	meter    meter
	lastKey  time.Time
	warned   bool
	leaves   bool
	suspend  time.Time
	answered int
	// read is the ID of the question on the screen, changed when another one took its place that the hand did not ask; handed is when the hand drove last.
	read            int
	changed, handed time.Time
	// asked is when the open question came to the screen, entered when the last Enter came if no other key did since.
	asked, entered time.Time
	// terminal is left for a suspend and entered again; nil where there is none.
	terminal *term.Screen
	crash    string
	keep     bool
	// copying: what was to be copied is on its way to the terminal.
	copying bool
	// stale: the terminal has not taken the last frame yet, and what is new is not drawn.
	stale bool
	// hides: the frame was drawn in private.
	hides bool
	// stood is what was told of the lock and the veil last.
	stood struct{ locked, private bool }
	cost  cost
	bell  bell
	// judged is how many events of the run have been looked at for what the lock refused.
	judged int
	// watch follows why the numbers are no better.
	watch analysis.Watch
	// title is that of the window, as it was told last.
	title string
	// saving: what was to be saved is on its way.
	saving bool
	// steps are the step sizes of the two modes; 0 until the mode is seen. plan is the profile that had the load last.
	steps [2]float64
	plan  *bench.Profile
	// chosen is the promise that is chosen in the sheet of the cruise; started tells that the last Enter has begun what a sheet is about.
	chosen  int
	started bool
	// wardrobe is the list of themes while that is open, pointer what the mouse did last, halfKey when half a key of the keypad came.
	wardrobe wardrobe
	pointer  pointer
	halfKey  time.Time
	// early are keys that were typed before the screen was there.
	early []tea.Msg
	// deck plays the run where that is a recording; nil where it is driven.
	deck *deck
}

func newModel(o Options, tty bool, e *exit) *model {
	m := &model{o: o, engine: o.Engine, exit: e, looks: newLooks(&o, tty), screen: view.NewScreen(), now: time.Now}
	m.steps[bench.Closed] = float64(o.Step)
	m.st = view.State{Set: m.looks.set(), Private: o.Private, Window: max(o.Window, 0), Growing: o.Window > 0, Percentile: bench.P95, Metric: bench.TTFT, Log: view.Logarithmic, Graph: o.Graph, Step: float64(o.Step), BytesPerSecond: -1, FPS: o.FPS, Keys: o.Keys, Mouse: o.Mouse}
	if m.st.Earlier = o.Ghost; o.Ghost != nil {
		m.st.Aligned = view.ByLoad
	}
	m.exit.setPrivate(o.Private)
	m.putIn(o.Deck)
	m.stands(true)
	m.fetch()
	m.lastKey = m.now()
	return m
}

// Init starts the ticks.
func (m *model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.next()}
	if m.st.Mouse {
		cmds = append(cmds, tea.EnableMouseCellMotion)
	}
	if len(m.early) > 0 {
		cmds = append(cmds, inOrder(m.early))
	}
	return tea.Batch(cmds...)
}

// Update answers keys, sizes and ticks. A panic in here ends the program in order: the terminal is restored first, then the trace is told.
func (m *model) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			m.crash = fmt.Sprintf("%v\n\n%s", r, debug.Stack())
			// Without a model tea would break in its turn, and print that.
			next, cmd = m, tea.Quit
		}
	}()
	began := m.now()
	defer func() { m.cost.add(began, m.now()) }()
	defer func() { cmd = m.rouse(cmd) }()
	defer m.stands(false)
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.st.W, m.st.H = max(msg.Width, 0), max(msg.Height, 0)
		m.draw()
		return m, nil
	case tea.KeyMsg:
		return m, m.typed(msg)
	case tea.MouseMsg:
		return m, m.pointed(msg)
	case redrawn:
		m.drawWaiting()
		return m, nil
	case tick:
		if msg.chain != m.chain {
			return m, nil
		}
		return m, m.look()
	case wake:
		m.chain++
		return m, m.look()
	case copied:
		m.passed(msg)
		m.draw()
		return m, nil
	case saved:
		m.told(msg)
		m.draw()
		return m, nil
	case tea.ResumeMsg:
		m.resumed()
		m.draw()
		m.chain++
		cmds := []tea.Cmd{tea.ClearScreen, m.next()}
		if m.st.Mouse {
			// The library does not give it back by itself.
			cmds = append(cmds, tea.EnableMouseCellMotion)
		}
		return m, tea.Batch(cmds...)
	}
	return m, nil
}

// View is the frame as it was drawn last.
func (m *model) View() string { return m.frame }

// look fetches the newest snapshot, draws, and goes on with the ticks.
func (m *model) look() tea.Cmd {
	m.fetch()
	if m.exit.over() && m.exit.leaving() {
		m.leaves = true
		m.snap = m.engine.Snapshot()
		m.draw()
		return tea.Quit
	}
	m.attend()
	if cmd := m.suspending(); cmd != nil {
		return cmd
	}
	was := m.frame
	m.draw()
	if m.terminal != nil && !m.stale && m.terminal.Lost() {
		return tea.Batch(tea.ClearScreen, m.next())
	}
	said := m.announce()
	if m.frame == was && !m.stale {
		m.still++
	} else {
		m.still = 0
	}
	if said != nil {
		return tea.Batch(said, m.next())
	}
	return m.next()
}

// fetch takes the newest snapshot. A frozen view goes on showing the one that it holds; the load is always the newest's.
func (m *model) fetch() {
	m.snap = m.engine.Snapshot()
	m.heed()
	m.followDeck()
	mode := m.snap.Target.Mode & 1
	if m.steps[mode] == 0 {
		m.steps[mode] = firstStep(m.snap.Target.N)
	}
	m.st.Step = m.steps[mode]
	if some, read := m.looksAtRequests(); some && !m.st.Frozen {
		m.journal = m.engine.Journal(read)
	}
	m.forget()
	if m.o.Recording != nil {
		m.st.Recording = m.o.Recording()
	}
	if p := m.snap.Following; p != nil && p.Profile != nil {
		m.plan = p.Profile
	}
}

// shown is the snapshot whose lanes, numbers and log are on screen.
func (m *model) shown() *bench.Snapshot {
	if m.held != nil {
		return m.veiled(m.held)
	}
	return m.veiled(m.snap)
}

// freeze holds the view, or lets it go on. The requests of that instant are held too: they may be looked at first while the view is frozen.
func (m *model) freeze() {
	m.fetch()
	m.frozen, m.held = m.now(), nil
	if m.st.Frozen = !m.st.Frozen; !m.st.Frozen {
		m.fetch()
		return
	}
	_, read := m.looksAtRequests()
	m.held, m.journal = m.snap, m.engine.Journal(read)
}

// heed says what the engine has refused under the lock since the last look. What was refused before a screen began is not its own.
func (m *model) heed() {
	s := m.snap
	if m.deck != nil {
		// It was refused long ago.
		return
	}
	end, from := s.EventsGone+len(s.Events), max(m.judged-s.EventsGone, 0)
	first := m.judged == 0
	m.judged = end
	if first || from > len(s.Events) {
		return
	}
	for _, e := range s.Events[from:] {
		if !e.Locked {
			continue
		}
		text := e.Text
		if m.st.Locked {
			text += "; " + m.st.Keys.Key(action.Lock) + " unlocks"
		}
		m.say(text)
	}
}

// stillTicks is after how many ticks without a change the screen looks once a second only.
const stillTicks = 8

// settleDelay is how soon after a key the screen looks again: the engine has taken the command by then.
const settleDelay = 40 * time.Millisecond

// next schedules the next tick: as often as asked while things move, once a second while they do not, never again when the run is over and
// nothing waits.
func (m *model) next() tea.Cmd {
	every := time.Second / time.Duration(m.o.FPS)
	if m.reads() {
		every = min(every, time.Second/time.Duration(max(m.o.flow, 1)))
	}
	switch {
	case m.stale:
	case m.deck != nil:
		if m.still >= stillTicks && !m.deck.moves() {
			every = time.Second
		}
	case m.snap.State == bench.Done && m.exit.over() && m.st.Notice == "":
		m.rests = true
		return nil
	case m.st.Frozen, m.still >= stillTicks && m.snap.State != bench.Running:
		every = time.Second
	}
	return m.tickIn(every)
}

// rouse begins the ticks anew where they have ended and a notice waits to be taken away.
func (m *model) rouse(cmd tea.Cmd) tea.Cmd {
	if !m.rests || m.st.Notice == "" || m.leaves {
		return cmd
	}
	m.chain++
	return tea.Batch(cmd, m.next())
}

func (m *model) tickIn(d time.Duration) tea.Cmd {
	m.rests = false
	chain := m.chain
	return tea.Tick(d, func(time.Time) tea.Msg { return tick{chain} })
}

// draw makes the frame anew; the same rows give the same string. While the terminal has not taken the last one nothing is drawn: nobody would see it, and a
// frame that is not drawn holds nothing up, so that keys go on being heard. No question opens meanwhile that nobody sees. The last frame of all is drawn, for it may
// be left behind, and so is one that hides what the last one showed, for that may be written once more.
func (m *model) draw() {
	if m.stale = m.terminal != nil && m.terminal.Busy(); m.stale && !m.leaves && (m.hides || !m.st.Private) {
		if m.st.Mode == action.Asked {
			m.mode()
		}
		return
	}
	if !m.stale || m.st.Mode == action.Asked {
		m.mode()
	}
	m.preview()
	m.previewCourse()
	m.search()
	rate := m.meter.rate(m.now())
	if m.st.Mode == action.Helping {
		m.st.BytesPerSecond = rate
		m.st.Drawing = bench.Value{V: m.cost.share, OK: m.cost.known}
	}
	frame := m.picture()
	m.hides = m.st.Private
	if frame != m.frame {
		m.frame = frame
	}
}

// picture is the screen as it is to be now: what has been chosen since the last frame, a veil above all, is in it.
func (m *model) picture() string {
	now := m.now()
	if m.st.Notice != "" && now.After(m.notice) {
		m.st.Notice = ""
	}
	m.st.FrozenFor = 0
	if m.st.Frozen {
		m.st.FrozenFor = now.Sub(m.frozen)
	}
	m.st.Live = m.live()
	m.st.Journal = m.journal
	if m.st.Private {
		m.st.Journal = m.veils.Journal(m.journal)
	}
	shown := m.shown()
	m.st.Why = m.watch.See(shown)
	return strings.Join(m.screen.Rows(shown, &m.st), "\n")
}

// mode opens the engine's question when there is one, and closes it when it is gone. It never pushes another question aside, and waits behind an open input
// line: what is typed there must not answer it.
func (m *model) mode() {
	ask := m.snap.Ask
	if m.deck != nil {
		// What was asked then has been answered.
		ask = nil
	}
	switch {
	case m.st.Mode == action.Asked && (ask == nil || ask.ID == m.answered || m.st.Entry != nil):
		m.st.Mode = action.Driving
	case (m.st.Mode == action.Driving || m.st.Mode == action.Helping) && ask != nil && ask.ID != m.answered && m.st.Entry == nil:
		m.st.Mode, m.asked, m.read = action.Asked, m.now(), ask.ID
	case m.st.Mode == action.Asked && ask.ID != m.read:
		if m.read = ask.ID; m.now().Sub(m.handed) > changeRest {
			m.changed = m.now()
		}
	case m.st.Mode == action.Quitting && m.exit.over():
		m.st.Mode = action.Driving
	}
}

// say puts a notice into the footer for a few seconds.
func (m *model) say(text string) {
	m.st.Notice = text
	m.notice = m.now().Add(4 * time.Second)
}
