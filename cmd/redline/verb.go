package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"redline/themes"
)

const rootHelp = `redline drives an LLM inference endpoint and measures it while you change the load with keys.

Without --url or --target it drives an embedded simulated server, whatever other programs read of the environment. Each flag is also a
key of redline.toml (redline init writes one) and a variable (REDLINE_RATE for --rate); redline config prints what is in force. When the
output is not a terminal it writes a line a second instead of a screen. Every run ends with a summary. For scripts and CI there is redline run.`

// command is the tree of verbs. Errors come back to execute, which prints them.
func (m *Main) command(forced chan<- int) *cobra.Command {
	s, found := defaults(), problems{}
	root := &cobra.Command{
		Use: "redline", Short: "drive an LLM endpoint and watch what the load does to it", Long: rootHelp,
		Version: version(), Args: noWords, SilenceErrors: true, SilenceUsage: true,
		Example: "  redline\n  redline --url http://gpu-7:8000/v1 -c 8 --step 4\n  redline --url http://gpu-7:8000/v1 --duration 1m --plain | tee run.log\n" +
			"  redline --url https://api.anthropic.com --api anthropic --model claude-haiku-4-5 --api-key-env ANTHROPIC_API_KEY",
	}
	root.SetArgs(m.Args)
	root.SetIn(m.Stdin)
	root.SetOut(m.Stdout)
	root.SetErr(m.Stderr)
	root.SetFlagErrorFunc(noFlag)
	root.Flags().SortFlags = false
	s.define(flags{root.Flags(), &found})
	groupHelp(root)
	m.complete(root)
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		return m.launch(cmd.Context(), &s, cmd.Flags(), &found, forced)
	}
	root.AddCommand(m.ctlVerb(forced), m.runsVerb())
	root.AddCommand(m.runVerb(forced), m.findVerb(forced), m.replayVerb(forced), m.simVerb(), m.selftestVerb(forced), m.configVerb(forced), m.initVerb(), m.themesVerb(), &cobra.Command{
		Use: "version", Short: "print the version", Args: noWords,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(m.Stdout, "redline %s\n", version())
			return err
		},
	})
	root.AddCommand(m.compareVerb())
	root.AddCommand(m.reportVerb())
	root.SetVersionTemplate("redline {{.Version}}\n")
	return root
}

// noWords refuses words that belong to no flag. What a shell has torn off a header or a field, for want of quotes, may be a secret, and so may what was
// given without its flag: only what could be a verb is repeated.
func noWords(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	for _, name := range []string{"header", "body"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s: want its value in quotes, as one word; what stands behind it belongs to no flag (it is not shown: it may be a secret)", name)
		}
	}
	if !shownWord(args[0]) {
		return fmt.Errorf("%s: want flags; a word that belongs to none was given (it is not shown: it may be a secret)", cmd.CommandPath())
	}
	if meant := nearest(args[0], verbNames(cmd)); meant != "" {
		return fmt.Errorf("%s: there is no %s; %s may be meant", cmd.CommandPath(), args[0], meant)
	}
	return cobra.NoArgs(cmd, args)
}

// noFlag is an error in the flags without what may be a secret: a key that stands behind a dash, or right behind the name of a flag.
func noFlag(cmd *cobra.Command, err error) error {
	text := err.Error()
	if head, _, ok := strings.Cut(text, "' in -"); ok {
		return fmt.Errorf("%s' (what it stands in is not shown: it may be a secret)", head)
	}
	name, ok := strings.CutPrefix(text, "unknown flag: --")
	switch {
	case !ok:
	case !shownWord(strings.ReplaceAll(name, "-", "")):
		return errors.New("unknown flag (it is not shown: it may be a secret)")
	default:
		if meant := nearest(name, flagNames(cmd.Flags())); meant != "" {
			return fmt.Errorf("%w; --%s may be meant", err, meant)
		}
	}
	return err
}

// verbNames are the verbs beneath a command.
func verbNames(cmd *cobra.Command) []string {
	var out []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			out = append(out, c.Name())
		}
	}
	return out
}

// launch checks what was asked for and drives. Signals are answered from here on: a key, a theme or a name may be long in coming, too.
func (m *Main) launch(ctx context.Context, s *settings, fs *pflag.FlagSet, found *problems, forced chan<- int) error {
	ctx, end, rest := m.attend(ctx, forced)
	defer rest()
	others := m.others(ctx, s, found)
	t := m.check(ctx, s, m.resolve(ctx, s, fs, found), found)
	s.keysApart(t, others, found)
	s.metrics.checkSeveral(others, found)
	s.look(found)
	s.open(ctx, found)
	s.steer(found)
	s.headed(fs, found)
	if s.headless.json && closed(m.Stdout) || s.seek.json && closed(s.seek.out) {
		found.addSwitch("json", "want an output to write to, it is closed")
	}
	others.open(ctx, s, found)
	s.openGhost(m, found)
	t.notes = append(t.notes, s.unused(found.from)...)
	if err := end.givenUp(); err != nil {
		return err
	}
	if err := found.err(); err != nil {
		return err
	}
	if code := m.drive(ctx, s, t, others, end); code.code != exitOK {
		return code
	}
	return nil
}

// complete tells the shell which words the flags take.
func (m *Main) complete(root *cobra.Command) {
	if err := root.RegisterFlagCompletionFunc("ghost", m.completeRuns); err != nil {
		panic(err)
	}
	for name, words := range map[string]func() []string{
		"preset":        presetNames,
		"api":           apiNames,
		"record":        func() []string { return []string{recordOff} },
		"keep":          func() []string { return []string{"500MB", "2GB", "50 runs", "all"} },
		"on-429":        func() []string { return on429Names },
		"quota-reserve": func() []string { return []string{"10%", "20%", "30%", "50%"} },
		"header":        func() []string { return []string{"Authorization: @", "api-key: @", "x-api-key: @"} },
		"body":          func() []string { return []string{"top_p=", "seed=", "ignore_eos=true", "chat_template_kwargs."} },
		"arrivals":      func() []string { return arrivalNames },
		"rate":          func() []string { return []string{"1/s", "2.5/s", "60/m", "150/m"} },
		"max-rate":      func() []string { return []string{"10/s", "100/s", "1000/s"} },
		"profile":       func() []string { return append(m.tables("profiles"), "4:1m,8:1m,16:1m", "ramp 1..32 in 2m") },
		"cruise":        func() []string { return []string{"ttft.p95<=500ms", "tps.p5>=20", "e2e.p95<=5s in 4..64"} },
		"scenario":      func() []string { return append(scenarioNames(), m.tables("scenarios")...) },
		"target":        func() []string { return m.tables("targets") },
		"workload": func() []string {
			return append(m.tables("workloads"), "synthetic,in=512,out=256", "synthetic,in=", "prefix=")
		},
		"input-tokens":  func() []string { return []string{"512", "100..1000", "lognormal(512,0.6)", "normal(512,64)"} },
		"output-tokens": func() []string { return []string{"256", "100..500", "lognormal(256,0.6)"} },
		"theme":         func() []string { return themes.Names(m.text) },
		"color":         func() []string { return colorNames },
		"bell":          func() []string { return bellNames },
		"graph":         func() []string { return graphNames },
		"window":        func() []string { return windowNames },
		"slo":           func() []string { return append([]string{"none"}, scenarios[0].promises...) },
	} {
		err := root.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
			var out []string
			for _, w := range words() {
				if strings.HasPrefix(w, prefix) {
					out = append(out, w)
				}
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		})
		if err != nil {
			panic(err)
		}
	}
}

// tables are the names that the file of settings has of a kind, for the shell. What is wrong with the file is no matter here.
func (m *Main) tables(kind string) []string {
	ctx, cancel := context.WithTimeout(context.Background(), completionWait)
	defer cancel()
	return m.openDocument(ctx, m.text(variableOf("config")), &problems{}).names(kind)
}

// completionWait is how long the shell may be kept waiting for a file.
const completionWait = 500 * time.Millisecond
