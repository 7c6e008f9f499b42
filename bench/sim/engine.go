package sim

import (
	"errors"
	"sync"
	"time"

	"redline/bench/sim/model"
)

// maxLag is how far the engine may fall behind real time before it lets the lost time go: after a suspended machine
// comes back, the tokens of that time must not come as one flood.
const maxLag = time.Second

// engine runs the model's steps in real time, on an absolute schedule: a late wake-up does not shift later steps. Its
// goroutine lives while there is work, and only then.
type engine struct {
	epoch     time.Time
	speed     float64
	latencies *latencies
	// maxWaiting bounds the queue; 0 does not.
	maxWaiting int
	// wg counts the driving goroutine; the server waits on it.
	wg *sync.WaitGroup

	// mu guards what follows.
	mu      sync.Mutex
	model   *model.Model
	answers map[model.ID]*answer
	nextID  model.ID
	driving bool
}

func newEngine(p model.Params, speed float64, l *latencies, wg *sync.WaitGroup) (*engine, error) {
	m, err := model.New(p)
	if err != nil {
		return nil, err
	}
	return &engine{epoch: time.Now(), speed: speed, latencies: l, wg: wg, model: m, answers: make(map[model.ID]*answer)}, nil
}

// virtual is an instant in the model's time, real the way back.
func (e *engine) virtual(at time.Time) time.Duration {
	return time.Duration(float64(at.Sub(e.epoch)) * e.speed)
}

func (e *engine) real(at time.Duration) time.Time {
	return e.epoch.Add(time.Duration(float64(at) / e.speed))
}

// errBusy says that too many jobs wait already.
var errBusy = errors.New("the queue is full")

// submit hands a job to the model and starts the engine if it stood still. The caller is counted in wg.
func (e *engine) submit(j model.Job, accepted time.Time) (*answer, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if waiting := e.model.Gauges().Waiting; e.maxWaiting > 0 && waiting >= e.maxWaiting {
		return nil, errBusy
	}
	now := e.virtual(time.Now())
	e.nextID++
	j.ID = e.nextID
	if err := e.model.Submit(now, j); err != nil {
		return nil, err
	}
	a := newAnswer(j.ID, accepted)
	a.planned = e.model.Planned(j.ID)
	e.answers[j.ID] = a
	if !e.driving {
		e.driving = true
		e.wg.Add(1)
		go e.drive(now)
	}
	return a, nil
}

// cancel takes an answer back that nobody reads any more; ended ones are left alone.
func (e *engine) cancel(a *answer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.model.Cancel(a.id)
	delete(e.answers, a.id)
}

// drive steps until there is no work left.
func (e *engine) drive(begin time.Duration) {
	defer e.wg.Done()
	for {
		step, work := e.begin(begin)
		if !work {
			return
		}
		end := begin + step.Duration
		time.Sleep(time.Until(e.real(end)))
		e.deliver(step, e.real(end))
		begin = end
		if now := time.Now(); now.Sub(e.real(end)) > maxLag {
			begin = e.virtual(now)
		}
	}
}

// begin computes the next step; no work ends the drive.
func (e *engine) begin(at time.Duration) (model.Step, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.model.Idle() {
		e.driving = false
		return model.Step{}, false
	}
	step := e.model.Step(at)
	for _, in := range step.Admitted {
		e.latencies.queued(time.Duration(float64(in.Queued) / e.speed))
		if a := e.answers[in.ID]; a != nil {
			a.cached = in.Cached
		}
	}
	return step, true
}

// deliver hands out a step's tokens at its end. The step's slices are valid: only drive steps the model.
func (e *engine) deliver(step model.Step, at time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, id := range step.Emitted {
		a := e.answers[id]
		if a == nil {
			continue // cancelled during the step
		}
		e.latencies.token(a.accepted, a.last, at)
		a.last = at
		a.put(at)
	}
	for _, f := range step.Finished {
		a := e.answers[f.ID]
		if a == nil {
			continue
		}
		e.latencies.ended(at.Sub(a.accepted))
		a.end(f.Reason)
		delete(e.answers, f.ID)
	}
}

func (e *engine) gauges() model.Gauges {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.model.Gauges()
}
