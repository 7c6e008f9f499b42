package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"redline/bench/remote"
	"redline/bench/report"
)

const ctlHelp = `ctl asks a run that was started with --listen, and drives it: what keys do on its screen, words do here. It finds the run by itself; of several say which
with --run. The run says in its log that a command came from elsewhere. What its screen asks before a rise, ctl asks too: --yes answers.

A script that restarts the server with other flags marks that on the lanes:

  redline ctl drain
  systemctl restart vllm
  redline ctl note 'max_num_seqs 256'
  redline ctl resume

It ends with 0 when it is done, with 1 when the run refuses it (a question is open, the screen is locked, the run is over), and with 2 when there is no such
run, or no such command.`

// control is what ctl was asked for beside its command.
type control struct {
	main               *Main
	run, address, file string
	json, yes          bool
}

// ctlVerb drives a run from elsewhere.
func (m *Main) ctlVerb(forced chan<- int) *cobra.Command {
	c := &control{main: m}
	root := &cobra.Command{
		Use: "ctl", Short: "ask a run that listens, and drive it", Long: ctlHelp, Args: noWords,
		Example: "  redline --listen :0\n  redline ctl load 16\n  redline ctl load +4\n  redline ctl note 'max_num_seqs 256'\n  redline ctl status\n  redline ctl watch",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	fs := root.PersistentFlags()
	fs.SortFlags = false
	fs.StringVar(&c.run, "run", "", "of several runs that listen the one with the number, port or target `WORD`")
	fs.StringVar(&c.address, "address", "", "ask the run that listens at `ADDR`, as --listen has it")
	fs.StringVar(&c.file, "token-file", "", "show the token in the file `PATH` (else the one in "+tokenVariable+", or the run's own)")
	fs.BoolVar(&c.json, "json", false, "print the answer for machines")
	if err := root.RegisterFlagCompletionFunc("run", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var out []string
		for _, n := range remote.Find(m.noticeFolder()) {
			out = append(out, fmt.Sprintf("%d\t%s %s", n.PID, n.Target, n.Model))
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}); err != nil {
		panic(err)
	}
	for _, v := range remote.Verbs {
		root.AddCommand(c.verb(v, forced))
	}
	root.AddCommand(c.status(forced), c.watch(forced))
	return root
}

// verb is a command of the table.
func (c *control) verb(v *remote.Verb, forced chan<- int) *cobra.Command {
	cmd := &cobra.Command{Use: strings.TrimSpace(v.Name + " " + v.Forms), Short: v.About, Args: cobra.ArbitraryArgs, ValidArgsFunction: cobra.NoFileCompletions}
	if v.Asks() {
		cmd.Flags().BoolVarP(&c.yes, "yes", "y", false, "answer yes to what it may ask")
	}
	// A load that is taken away begins like a flag, and a note is as a rule about one of the server's.
	cmd.DisableFlagParsing = v.Name == "load" || v.Name == "note"
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.DisableFlagParsing {
			var err error
			apart := c.apart
			if v.Name == "note" {
				apart = c.aside
			}
			if args, err = apart(cmd, args); err != nil || args == nil {
				return err
			}
		}
		body, err := v.Body(args)
		if err != nil {
			return fmt.Errorf("ctl: %w", err)
		}
		if c.yes && v.Asks() {
			body["yes"] = true
		}
		return c.ask(cmd.Context(), forced, func(ctx context.Context, run *remote.Client) error {
			done, err := run.Do(ctx, v.Name, body)
			if err != nil {
				return err
			}
			return c.print(done, fmt.Sprintf("%s: %s\n", report.Printable(done.Did), stands(done.Now)))
		})
	}
	return cmd
}

// lowering is a load that is taken away.
var lowering = regexp.MustCompile(`^-[0-9.]`)

// apart parses the flags among words of which some begin like one; nil where help was asked for.
func (c *control) apart(cmd *cobra.Command, args []string) ([]string, error) {
	words, rest := []string{}, []string{}
	for _, a := range args {
		if lowering.MatchString(a) {
			words = append(words, a)
		} else {
			rest = append(rest, a)
		}
	}
	cmd.DisableFlagParsing = false
	err := cmd.ParseFlags(rest)
	if help, _ := cmd.Flags().GetBool("help"); help {
		return nil, cmd.Help()
	}
	if err != nil {
		return nil, noFlag(cmd, err)
	}
	return append(words, cmd.Flags().Args()...), nil
}

// aside parses ctl's own flags among the words of a text, which all others are part of; behind -- all are. It is nil where help was asked for.
func (c *control) aside(cmd *cobra.Command, args []string) ([]string, error) {
	words, own := []string{}, []string{}
	cmd.InheritedFlags() // so that those of ctl are known
	for i := 0; i < len(args); i++ {
		name, _, given := strings.Cut(strings.TrimPrefix(args[i], "--"), "=")
		flag := cmd.Flags().Lookup(name)
		switch {
		case args[i] == "--":
			words = append(words, args[i+1:]...)
			i = len(args)
		case args[i] == "-h", flag != nil && args[i] != name && flag.NoOptDefVal != "":
			own = append(own, args[i])
		case flag != nil && args[i] != name && (given || i+1 == len(args)):
			own = append(own, args[i])
		case flag != nil && args[i] != name:
			own = append(own, args[i], args[i+1])
			i++
		default:
			words = append(words, args[i])
		}
	}
	cmd.DisableFlagParsing = false
	if err := cmd.ParseFlags(own); err != nil {
		return nil, noFlag(cmd, err)
	}
	if help, _ := cmd.Flags().GetBool("help"); help {
		return nil, cmd.Help()
	}
	return words, nil
}

// ask finds the run and asks it something.
func (c *control) ask(ctx context.Context, forced chan<- int, what func(context.Context, *remote.Client) error) error {
	ctx, end, rest := c.main.attend(ctx, forced)
	defer rest()
	run, err := c.client(ctx)
	if err != nil {
		return err
	}
	err = what(ctx, run)
	if code := end.code(); code != exitOK {
		return &exit{code: code}
	}
	var refused *remote.Refused
	if errors.As(err, &refused) {
		return c.refused(refused)
	}
	if err != nil {
		return fmt.Errorf("ctl: %s", report.Printable(err.Error()))
	}
	return nil
}

// refused is the error of what the run does not do.
func (c *control) refused(r *remote.Refused) error {
	if c.json {
		if text, err := json.Marshal(r.Refusal); err == nil {
			fmt.Fprintf(c.main.Stdout, "%s\n", text)
		}
	}
	text := "ctl: " + report.Printable(r.Error())
	switch {
	case r.Status == 401:
		text = "ctl: the run wants another token: want --token-file, or " + tokenVariable
	case r.Question != nil:
		text += fmt.Sprintf(" (redline ctl answer yes %d, or no %[1]d)", r.Question.ID)
	case r.Status == 400 && len(r.Allowed) > 0:
		return &exit{exitUsage, errors.New(text)}
	}
	if r.Status == 401 || r.Status == 403 || r.Status == 404 {
		return &exit{exitUsage, errors.New(text)}
	}
	return &exit{exitNothing, errors.New(text)}
}

// print writes an answer: as it came, or in words.
func (c *control) print(document any, words string) error {
	if c.json {
		text, err := json.Marshal(document)
		if err != nil {
			return err
		}
		words = string(text) + "\n"
	}
	_, err := io.WriteString(c.main.Stdout, words)
	return err
}

// stands is how a run stands, in a few words.
func stands(s *remote.Standing) string {
	load := "concurrency " + s.Words
	if s.Loop == "open" {
		load = "rate " + s.Words
	}
	text := fmt.Sprintf("%s, %s, level %d, %d in flight", report.Printable(s.State), load, s.Level, s.InFlight)
	if s.Held > 0 {
		text += fmt.Sprintf(", %d held", s.Held)
	}
	if s.Target != "" {
		text += ", target " + s.Target
	}
	return text
}

// status tells how the run stands.
func (c *control) status(forced chan<- int) *cobra.Command {
	return &cobra.Command{Use: "status", Short: "tell how the run stands", Args: noWords, RunE: func(cmd *cobra.Command, _ []string) error {
		return c.ask(cmd.Context(), forced, func(ctx context.Context, run *remote.Client) error {
			text, err := run.Get(ctx, "/v1/status")
			if err != nil {
				return err
			}
			var s remote.Standing
			if err := json.Unmarshal(text, &s); err != nil {
				return errors.New("the answer is not that of a run of redline")
			}
			words := fmt.Sprintf("%s  %s\n", clockOf(s.AtS), stands(&s))
			if s.Why != "" {
				words += "because: " + report.Printable(s.Why) + "\n"
			}
			if s.Locked {
				words += "the screen is locked: nothing that raises the load is done\n"
			}
			if q := s.Question; q != nil {
				words += fmt.Sprintf("question %d: %s\n", q.ID, report.Printable(q.Text))
			}
			return c.print(&s, words)
		})
	}}
}

// clockOf is an instant of a run.
func clockOf(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	return fmt.Sprintf("%02d:%02d:%02d", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
}

// client is a client of the run that is meant.
func (c *control) client(ctx context.Context) (*remote.Client, error) {
	found := remote.Find(c.main.noticeFolder())
	if c.address != "" {
		a, err := remote.ParseAddress(c.address)
		if err != nil {
			return nil, fmt.Errorf("--address %s: %w", report.Printable(c.address), err)
		}
		if a.Network == "unix" {
			if path, err := filepath.Abs(a.Path); err == nil {
				a.Path = path
			}
		}
		var own remote.Notice
		for _, n := range found {
			if there, err := remote.ParseAddress(n.Address); err == nil && there.Reach().String() == a.Reach().String() {
				own = n
			}
		}
		token, err := c.token(ctx, own)
		if err != nil {
			return nil, err
		}
		return remote.NewClient(a, token), nil
	}
	n, err := c.chosen(found)
	if err != nil {
		return nil, err
	}
	a, err := remote.ParseAddress(n.Address)
	if err != nil {
		return nil, fmt.Errorf("ctl: run %d says that it listens at %s: %w", n.PID, report.Printable(n.Address), err)
	}
	token, err := c.token(ctx, n)
	if err != nil {
		return nil, err
	}
	return remote.NewClient(a, token), nil
}

// chosen is the run that is meant of those that listen.
func (c *control) chosen(found []remote.Notice) (remote.Notice, error) {
	var fits []remote.Notice
	for _, n := range found {
		_, port, _ := strings.Cut(n.Address[max(strings.LastIndex(n.Address, ":"), 0):], ":")
		if c.run == "" || c.run == fmt.Sprint(n.PID) || c.run == port || c.run == n.Address {
			fits = append(fits, n)
		}
	}
	// A number is that of a process or a port, never part of another; what is no number may be part of a name.
	if _, err := strconv.Atoi(c.run); len(fits) == 0 && err != nil {
		for _, n := range found {
			if strings.Contains(n.Target, c.run) || strings.Contains(n.Model, c.run) {
				fits = append(fits, n)
			}
		}
	}
	if len(fits) == 1 {
		return fits[0], nil
	}
	var b strings.Builder
	switch {
	case len(found) == 0:
		return remote.Notice{}, errors.New("ctl: no run listens here; redline --listen :0 starts one that does")
	case len(fits) == 0:
		fmt.Fprintf(&b, "ctl: no run that listens fits --run %s; there are:", report.Printable(c.run))
		fits = found
	default:
		fmt.Fprintf(&b, "ctl: %d runs listen; say which with --run:", len(fits))
	}
	for _, n := range fits {
		fmt.Fprintf(&b, "\n  %-8d %s  %s  %s  since %s", n.PID, report.Printable(n.Address), report.Printable(n.Target), report.Printable(n.Model), n.Began.Local().Format("15:04:05"))
	}
	return remote.Notice{}, errors.New(b.String())
}

// token is what the run is shown: what was named, else what the run has told, else that of the environment.
func (c *control) token(ctx context.Context, n remote.Notice) (string, error) {
	if c.file != "" {
		token, err := readToken(ctx, c.file)
		if err != nil {
			return "", fmt.Errorf("--token-file %s: %w", shownPath(c.file), err)
		}
		return token, nil
	}
	if n.Token != "" {
		return n.Token, nil
	}
	if n.TokenFile != "" {
		if token, err := readToken(ctx, n.TokenFile); err == nil {
			return token, nil
		}
	}
	if text := strings.TrimSpace(c.main.text(tokenVariable)); text != "" {
		return text, nil
	}
	return "", errors.New("ctl: the token of the run is not known: want --token-file, or " + tokenVariable)
}
