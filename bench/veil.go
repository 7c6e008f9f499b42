package bench

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Hidden stands where a Veil took something away.
const Hidden = "(hidden)"

// ownWords are the reasons and remarks that redline itself writes, whole: anything else may be somebody's words, with a host or an account in them.
var ownWords = regexp.MustCompile(`^(quit|interrupted|cancelled|terminated|hung up|suspended|drained|internal error|output is gone|budget used up|` +
	`the (duration|profile|ramp|cruise) is over|the target is down|[A-Z] (alone )?is driven|all are driven|all prompts of the workload are sent|all \d+ requests are sent|(no key for|the terminal took no output for|the output took nothing for) [0-9hms. in]{1,12}|` +
	`no token from any of \d+ requests since [0-9hms.]{1,16}|tokens come again|drain: \d+ still running after [0-9hms.]{1,16}, cancelled|warm-up: \d+ requests have not ended|` +
	`profile [a-z0-9 ,.:/×-]{1,200} not begun: it goes up to [0-9./s]{1,16}, and the bound is [0-9./s]{1,16}|` +
	`(ramp|cruise) not begun: [a-z0-9 ,.:/×%<>=-]{1,200}|` +
	`locked: (a rise( to [0-9./s]{1,16})?|another loop|another target|a profile|a ramp|a cruise|to send|yes) is refused|` +
	`recording: (disk full|disk quota used up|read-only disk|no permission|file gone|another file in its place|file too large|disk error|slow disk|no folder), the run is not kept; tried again every \d+ s|` +
	`recording: \d+ of the oldest runs \([0-9.]+ MB\) removed, which --keep has no room for|` +
	`recording: the run is kept again(; from [0-9hms.]{1,16} to [0-9hms.]{1,16} it is lost)?|recording: (this machine is too busy|internal error), the run is kept no further|` +
	`recording: the file is (half )?as large as it may be, (gaps of requests|single requests) are left out from now on(, and one second in \d+ min is kept)?|` +
	`answer the open question before (the loop is changed|anything is forgotten|a rise to [0-9./s]{1,16}))?$`)

// Veil hides from a run what tells whom it drives and what was said: hosts and addresses, prompts and answers, the words of servers and networks,
// and what they call their quotas. Numbers, classes of failures, the model's name (of a file its last part) and the operator's own notes stay. Whatever leaves the program
// in private goes through one: screens, lines, summaries, files. It keeps what it made last, so that the same run is the same run; it is not safe for
// concurrent use.
type Veil struct {
	run, veiled *Run
	// rivals are the veils of the several targets of a run.
	rivals        []Veil
	snap, shown   *Snapshot
	journal, told *Journal
}

// Snapshot is a snapshot without what is private; the original stays as it is.
func (v *Veil) Snapshot(s *Snapshot) *Snapshot {
	if s == v.snap && s != nil {
		return v.shown
	}
	out := *s
	out.Run = v.ofRun(s.Run)
	out.Why, out.LastError = veiledWords(s.Why), ""
	out.Failures = make([]Ended, len(s.Failures))
	for i := range s.Failures {
		out.Failures[i] = veiledRequest(s.Failures[i])
	}
	out.Events = slices.Clone(s.Events)
	for i := range out.Events {
		out.Events[i].Text = veiledEvent(&out.Events[i])
	}
	out.Quotas = slices.Clone(s.Quotas)
	for i := range out.Quotas {
		out.Quotas[i].Name = "quota " + strconv.Itoa(i+1)
	}
	out.Server = veiledScrapes(s.Server)
	out.Rivals = v.ofRivals(s.Rivals)
	v.snap, v.shown = s, &out
	return &out
}

// Journal is a journal without what is private.
func (v *Veil) Journal(j *Journal) *Journal {
	switch {
	case j == nil:
		return nil
	case j == v.journal:
		return v.told
	}
	out := *j
	out.Flights = slices.Clone(j.Flights)
	for i := range out.Flights {
		out.Flights[i].Prompt = veiledPrompt(out.Flights[i].Prompt)
	}
	out.Ended = make([]*Ended, len(j.Ended))
	for i, e := range j.Ended {
		if e != nil {
			one := veiledRequest(*e)
			out.Ended[i] = &one
		}
	}
	if j.Reading.Text != "" {
		out.Reading.Text = Hidden
	}
	v.journal, v.told = j, &out
	return &out
}

// ofRivals hides what the targets of a run are called, but for their letters.
func (v *Veil) ofRivals(r *Rivals) *Rivals {
	if r == nil {
		return nil
	}
	out := *r
	out.Names = slices.Clone(r.Names)
	for i := range out.Names {
		out.Names[i] = Hidden
	}
	for len(v.rivals) < len(r.Of) {
		v.rivals = append(v.rivals, Veil{})
	}
	out.Of = make([]*Snapshot, len(r.Of))
	for i, s := range r.Of {
		out.Of[i] = v.rivals[i].Snapshot(s)
	}
	return &out
}

func (v *Veil) ofRun(r *Run) *Run {
	switch {
	case r == nil:
		return nil
	case r == v.run:
		return v.veiled
	}
	out := *r
	out.Target, out.Host, out.Address, out.Model = Hidden, Hidden, "", veiledModel(r.Model)
	if n := len(r.Notes); n > 0 {
		// They tell of proxies, redirects and lists of models.
		out.Notes = []string{"what the first answer showed is hidden"}
	}
	out.Works = slices.Clone(r.Works)
	for i := range out.Works {
		if out.Works[i].Left != "" {
			out.Works[i].Left = "rows of its file were left out"
		}
	}
	v.run, v.veiled = r, &out
	return &out
}

// anywhere is how a path begins that says where a file lies on a machine: at its root, a drive, another machine's share, a home, or here.
var anywhere = regexp.MustCompile(`^(?i:file:)?([/\\~]|[A-Za-z]:[/\\]|\.{1,2}[/\\])`)

// veiledModel is a model's name without the folders of a server's machine, which tell of accounts and disks: a server that was started with a file calls its
// model by the path of it. An owner's name ("Qwen/Qwen2.5") is public, and stays.
func veiledModel(name string) string {
	if name = strings.TrimSpace(name); !anywhere.MatchString(name) {
		return name
	}
	whole := strings.TrimRight(name, `/\`)
	last := whole[strings.LastIndexAny(whole, `/\`)+1:]
	if last == "" || strings.Trim(last, ".~") == "" || strings.HasPrefix(last, "~") || strings.HasSuffix(last, ":") {
		return Hidden
	}
	return last
}

// finishes are the reasons that servers agree on.
var finishes = []string{"", "stop", "length", "tool_calls", "function_call", "content_filter", "end_turn", "max_tokens", "stop_sequence", "tool_use", "refusal", "completed", "incomplete"}

func veiledRequest(e Ended) Ended {
	e.Prompt = veiledPrompt(e.Prompt)
	e.Message, e.Head, e.Answer, e.Reply, e.Header = "", "", "", "", nil
	if !slices.Contains(finishes, e.Finish) {
		e.Finish = Hidden
	}
	return e
}

func veiledPrompt(p Prompt) Prompt {
	p.Text, p.History = "", nil
	return p
}

func veiledWords(text string) string {
	if ownWords.MatchString(text) {
		return text
	}
	return Hidden
}

// released is what a version looks like that tells of nothing else.
var released = regexp.MustCompile(`^v?\d{1,5}(\.\d{1,5}){0,3}([-.+]?(a|b|rc|dev|post)\d{0,4}){0,2}$`)

// veiledScrapes are scrapes without their addresses; what is wrong with one is said in words of redline's own.
func veiledScrapes(all []Scrape) []Scrape {
	out := slices.Clone(all)
	for i := range out {
		out[i].URL = Hidden
		if v := out[i].Version; v != "" && !released.MatchString(v) {
			out[i].Version = Hidden
		}
	}
	return out
}

// veiledEvent is an event's text. Those of kinds that never quote anybody are the operator's and redline's own.
func veiledEvent(e *Event) string {
	switch e.Kind {
	case EventFailure, EventDown:
		return ""
	case EventTarget, EventPause, EventResume, EventDrain, EventDrained, EventUp, EventWarn, EventEnd, EventGap:
		return veiledWords(e.Text)
	case EventServer:
		text, _, _ := strings.Cut(e.Text, ServerAt)
		return text
	}
	return e.Text
}
