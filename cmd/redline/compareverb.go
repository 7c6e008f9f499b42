package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"redline/bench"
	"redline/bench/analysis"
	"redline/bench/report"
	"redline/ui/style"
)

const compareHelp = `compare says in what runs differ from the first: number by number, at each load that both have (the same mode and workload, the newest visit), with a
95 % interval of the difference and a verdict. Before the numbers it lists what else differs: target, model, server, options, notes, lengths.

A run is the path of a file, or FILE@LOAD (16, or 2.5/s) for its newest level at a load, or FILE#LEVEL for one level by its number. Two levels may be of
one file, and of different loads.

better, worse: the interval has no 0 in it, the difference is more than 2 %, and it holds though so many numbers were looked at: among all that are called so,
about one in twenty is noise. "may be chance" is what differs by itself only. What one run has that the same run on another day had not is in no interval:
where much rests on it, repeat both.

It ends with 0, with 1 where --fail-on says so, and with 2 when it cannot be told: worse takes a verdict on the errors and on what the runs promise.`

// comparing is what compare was asked for.
type comparing struct {
	format, target, color string
	failOn                []string
	private               bool
}

// compareFormats are the forms of the comparison.
var compareFormats = []string{"text", "md", "json"}

// compareVerb compares runs.
func (m *Main) compareVerb() *cobra.Command {
	var k comparing
	cmd := &cobra.Command{
		Use: "compare A B…", Short: "say in what runs differ, number by number, with intervals and verdicts", Long: compareHelp,
		Example: "  redline compare before.jsonl.zst after.jsonl.zst\n  redline compare run.jsonl.zst#2 run.jsonl.zst#5\n" +
			"  redline compare main.jsonl.zst branch.jsonl.zst --format md --fail-on worse >> \"$GITHUB_STEP_SUMMARY\"\n" +
			"  redline compare main.jsonl.zst branch.jsonl.zst --fail-on ttft.p95=5% --fail-on output=3%",
		RunE: func(_ *cobra.Command, args []string) error { return m.compareRuns(&k, args) },
	}
	cmd.ValidArgsFunction = cobra.CompletionFunc(m.completeRuns)
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&k.format, "format", compareFormats[0], "form of it: text, md (Markdown, for pull requests), json")
	cmd.Flags().StringArrayVar(&k.failOn, "fail-on", nil, "end with 1 when `WHAT` is the case, repeatable: worse (any number is), or NUMBER=PERCENT (that one is worse, by so much or more), as in ttft.p95=5%")
	cmd.Flags().StringVar(&k.target, "target", "", "the `TARGET` to compare of files that have several: a letter or a name (default: the one that was shown last)")
	cmd.Flags().StringVar(&k.color, "color", colorNames[0], "colours: "+strings.Join(colorNames, ", "))
	cmd.Flags().BoolVar(&k.private, "private", false, "hide hosts, machines and options")
	for name, words := range map[string][]string{"format": compareFormats, "color": colorNames, "fail-on": {"worse", "ttft.p95=5%", "output=5%"}} {
		if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err)
		}
	}
	return cmd
}

// compareRuns opens the runs, compares each with the first and writes what came of it.
func (m *Main) compareRuns(k *comparing, words []string) error {
	gates, err := k.check(words)
	if err != nil {
		return err
	}
	var runs []*report.Party
	for i, word := range words {
		s, err := m.openPart(word, k.target)
		if err != nil {
			return fmt.Errorf("compare %w", err)
		}
		if s.Letter = bench.Letter(i); k.private {
			s = s.Veiled()
		}
		runs = append(runs, s)
	}
	var all []*report.Versus
	for _, b := range runs[1:] {
		all = append(all, report.Against(runs[0], b))
	}
	if err := k.write(m.Stdout, all, m.width(), m.colours(k.color)); err != nil {
		return err
	}
	return failing(all, gates)
}

// check finds what is wrong with the flags, all at once.
func (k *comparing) check(words []string) ([]gate, error) {
	var wrong []string
	if len(words) < 2 {
		wrong = append(wrong, "compare: want two runs or more: FILE, FILE@LOAD or FILE#LEVEL")
	}
	if !slices.Contains(compareFormats, k.format) {
		wrong = append(wrong, fmt.Sprintf("--format %s: want one of %s", k.format, strings.Join(compareFormats, ", ")))
	}
	if _, err := style.ParseChoice(k.color); err != nil {
		wrong = append(wrong, "--color: "+err.Error())
	}
	var gates []gate
	for _, text := range k.failOn {
		g, err := parseGate(text)
		if err != nil {
			wrong = append(wrong, err.Error())
		}
		gates = append(gates, g)
	}
	if len(wrong) > 0 {
		return nil, errors.New(strings.Join(wrong, "\n  "))
	}
	return gates, nil
}

// colours tells whether the output may have colours.
func (m *Main) colours(choice string) bool {
	c, err := style.ParseChoice(choice)
	out, ok := m.Stdout.(*os.File)
	return err == nil && style.Decide(c, m.text, ok && term.IsTerminal(int(out.Fd()))) >= style.ANSI16
}

func (k *comparing) write(w io.Writer, all []*report.Versus, width int, colour bool) error {
	var text string
	switch k.format {
	case "md":
		text = report.CompareMarkdown(all)
	case "json":
		var err error
		if text, err = report.CompareJSON(all, version()); err != nil {
			return err
		}
	default:
		text = report.CompareText(all, width, colour)
	}
	_, err := io.WriteString(w, text)
	return err
}

// gate is what makes a comparison fail.
type gate struct {
	// any: whatever is worse; else a quantity that is worse by so large a share or more.
	any   bool
	of    analysis.Quantity
	least float64
}

// parseGate reads worse, or NUMBER=PERCENT.
func parseGate(text string) (gate, error) {
	if text == "worse" {
		return gate{any: true}, nil
	}
	name, share, ok := strings.Cut(text, "=")
	percent, err := strconv.ParseFloat(strings.TrimSuffix(share, "%"), 64)
	var names []string
	for _, q := range analysis.Quantities() {
		names = append(names, q.String())
		if ok && err == nil && percent >= 0 && percent <= 1e6 && strings.EqualFold(name, q.String()) {
			return gate{of: q, least: percent / 100}, nil
		}
	}
	return gate{}, fmt.Errorf("--fail-on %s: want worse, or NUMBER=PERCENT as in ttft.p95=5%%, NUMBER one of %s", report.Printable(text), strings.Join(names, ", "))
}

// fails tells whether the gate is shut by a comparison, and whether that can be told.
func (g gate) fails(f *report.Versus) (fails, told bool) {
	if g.any {
		return f.AnyWorse()
	}
	return f.Worse(g.of, g.least)
}

// failing is the exit code that the gates ask for.
func failing(all []*report.Versus, gates []gate) error {
	compared := 0
	for _, f := range all {
		compared += len(f.Bouts)
		for _, g := range gates {
			if fails, _ := g.fails(f); fails {
				return &exit{code: exitNothing}
			}
		}
	}
	if compared == 0 {
		return &exit{exitUsage, errors.New("compare: there is no load at which both were measured, with the same workload")}
	}
	for _, f := range all {
		for _, g := range gates {
			if _, told := g.fails(f); !told && g.any && f.Untold() != "" {
				return &exit{exitUsage, errors.New("compare: too few samples to tell whether these are worse: " + f.Untold())}
			}
			if _, told := g.fails(f); !told {
				return &exit{exitUsage, errors.New("compare: too few samples to tell what --fail-on asks for")}
			}
		}
	}
	return nil
}
