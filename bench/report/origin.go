package report

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Origin is what is known of a run beside its snapshot: of one that was read from a file.
type Origin struct {
	// Name is what the run is called where there are several.
	Name string
	// Began is the wall time of instant 0.
	Began time.Time
	// Complete: it is known to its end; else its file was cut off, or is being written still.
	Complete bool
	// Damage is what could not be read of its file, a sentence each; it is missing in the numbers.
	Damage []string
	// Options are the flags of the run that differ from their defaults, without secrets.
	Options []string
	Machine Machine
	// Annotations are notes that were added when the run was over, in the order of their instants.
	Annotations []Annotation
}

// Machine is what the client ran on.
type Machine struct {
	// Name is its host name, OS and Arch are as Go names them, CPUs how many may be used at once, Go the toolchain.
	Name, OS, Arch string
	CPUs           int
	Go             string
}

// Annotation is what somebody wrote at an instant of a run that was over.
type Annotation struct {
	At   time.Duration
	Text string
}

// reportOrigin is what a saved summary tells of the file that it was made of; null where it was made of a run in force.
type reportOrigin struct {
	Name        string             `json:"name"`
	Began       string             `json:"began"`
	Complete    bool               `json:"complete"`
	Damage      []string           `json:"damage"`
	Options     []string           `json:"options"`
	Machine     reportMachine      `json:"machine"`
	Annotations []reportAnnotation `json:"annotations"`
}

type reportMachine struct {
	Name string `json:"name"`
	OS   string `json:"os"`
	Arch string `json:"arch"`
	CPUs int    `json:"cpus"`
	Go   string `json:"go"`
}

type reportAnnotation struct {
	AtS  *float64 `json:"at_s"`
	Text string   `json:"text"`
}

func reportOriginOf(o *Origin) *reportOrigin {
	if o == nil {
		return nil
	}
	m := o.Machine
	out := &reportOrigin{Name: Printable(o.Name), Began: o.Began.Format(time.RFC3339), Complete: o.Complete, Damage: []string{}, Options: []string{}, Annotations: []reportAnnotation{},
		Machine: reportMachine{Printable(m.Name), Printable(m.OS), Printable(m.Arch), m.CPUs, Printable(m.Go)}}
	for _, text := range o.Damage {
		out.Damage = append(out.Damage, Printable(text))
	}
	for _, word := range o.Options {
		out.Options = append(out.Options, Printable(word))
	}
	for _, a := range o.Annotations {
		out.Annotations = append(out.Annotations, reportAnnotation{inSeconds(a.At), Printable(a.Text)})
	}
	return out
}

// writeOrigin is what is known of a run beside its snapshot: notes that were added afterwards, its flags, and the machine of the client.
func writeOrigin(b *strings.Builder, o *Origin, width int) {
	if o == nil {
		return
	}
	for _, a := range o.Annotations {
		entry(b, stamp(a.At), "note afterwards "+strconv.Quote(Printable(a.Text)), width)
	}
	if len(o.Options) > 0 {
		entry(b, "flags", Printable(strings.Join(o.Options, " ")), width)
	}
	if text := o.Machine.words(); text != "" {
		entry(b, "machine", text, width)
	}
	for _, text := range o.Damage {
		b.WriteString(wrapped("! the file of this run lacks a part: "+Printable(text), width))
	}
	if !o.Complete {
		b.WriteString(wrapped("! the file of this run ends before the run did: what came later is not in it", width))
	}
}

// words are the machine in a line; empty where nothing is known of it.
func (m Machine) words() string {
	cpus := counted(m.CPUs)
	if cpus != "" {
		cpus += " CPUs"
	}
	words := []string{Printable(m.Name), strings.Trim(Printable(m.OS+"/"+m.Arch), "/"), cpus, Printable(m.Go)}
	words = slices.DeleteFunc(words, func(text string) bool { return text == "" })
	return strings.Join(words, ", ")
}
