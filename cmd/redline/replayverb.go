package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"redline/bench"
	"redline/bench/record"
	"redline/bench/replay"
	"redline/ui/view"
)

const replayHelp = `replay shows a recorded run on the screens that it had when it ran: all views, at the speed at which it was, ten times as fast, or at once. Space
plays and rests, the arrows go about in it, and n adds a note to it. Nothing is sent to anybody.

FILE is a run file; without one it is the newest that is kept. One that is still being written is followed. Without a terminal the summary is printed
that the run ended with, or that it had --at an instant. With --plain the lines of the run come before it, as they were printed once a second or would have
been: all at once, or as fast as --speed says.`

// replaying is what replay was asked for.
type replaying struct {
	file  string
	speed bench.Tempo
	at    time.Duration
	// placed tells that a place was asked for, lined that lines were, paced that they come at a speed.
	placed, lined, paced bool
}

// newestRun is the word for the run file that was begun last.
const newestRun = "last"

func (p *replaying) define(f flags) {
	define(f, &p.speed, "speed", "", "SPEED", "how many times as fast as it was: 1, 10, or max, which shows its end", bench.ParseTempo)
	define(f, &p.at, "at", "", "TIME", "begin at this instant of the run, as in 12m30s or 12:30, and wait there for space", func(text string) (time.Duration, error) {
		at, err := bench.ParseInstant(text)
		if err != nil {
			return 0, errors.New("want an instant of the run, as in 12m30s, 12:30 or 1:02:03")
		}
		p.placed = true
		return at, nil
	})
}

// replayVerb shows a recorded run.
func (m *Main) replayVerb(forced chan<- int) *cobra.Command {
	s, found := defaults(), problems{}
	p := replaying{file: newestRun, speed: bench.Tempos[0]}
	cmd := &cobra.Command{
		Use: "replay [FILE]", Short: "show a recorded run on the same screens", Long: replayHelp,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%s: want one run file, got %d words", cmd.CommandPath(), len(args))
			}
			return nil
		},
		Example: "  redline replay\n  redline replay run.jsonl.zst --speed 10\n  redline replay run.jsonl.zst --at 12m30s\n  redline replay run.jsonl.zst --plain",
	}
	cmd.Flags().SortFlags = false
	f := flags{cmd.Flags(), &found}
	f.group("Replay", p.define)
	f.group("Screen", s.defineScreen)
	f.StringVar(&s.config, "config", "", "read the settings of the screen in the file `PATH`; none reads no file")
	m.completeReplay(cmd)
	cmd.ValidArgsFunction = cobra.CompletionFunc(m.completeRuns)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			p.file = args[0]
		}
		return m.replay(cmd.Context(), &s, &p, cmd.Flags(), &found, forced)
	}
	return cmd
}

// completeReplay tells the shell which words the flags take.
func (m *Main) completeReplay(cmd *cobra.Command) {
	if err := cmd.RegisterFlagCompletionFunc("ghost", m.completeRuns); err != nil {
		panic(err)
	}
	for name, words := range map[string][]string{"speed": {"1", "10", "max"}, "color": colorNames, "graph": graphNames, "window": windowNames, "bell": bellNames} {
		if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err)
		}
	}
}

// screenSettings completes what the flags say of the screen from the environment and the files of settings. What else these say is about runs that are driven.
func (m *Main) screenSettings(ctx context.Context, s *settings, fs *pflag.FlagSet, found *problems) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	scratch := flags{own, found}
	scratch.group("Screen", func(f flags) {
		fs.VisitAll(func(flag *pflag.Flag) {
			if flag.Annotations[groupOf] != nil && flag.Annotations[groupOf][0] == "Screen" {
				f.AddFlag(flag)
			}
		})
	})
	r := &resolution{main: m, set: s, flags: own, found: found}
	if found.from == nil {
		found.from = origins{}
	}
	fs.Visit(func(f *pflag.Flag) { found.from[f.Name] = origin{source: fromFlag} })
	if v := m.text(variableOf("config")); v != "" && !found.from.asked("config") {
		s.config, found.from["config"] = v, origin{source: fromEnvironment, name: variableOf("config")}
	}
	r.file = m.openDocument(ctx, s.config, found)
	r.file.check(found)
	s.screen.keys = r.file.bound()
	r.environment()
	r.fromFile()
	m.checkScreen(s, found)
}

// replay shows a run file, or prints its summary where there is nobody to show it to.
func (m *Main) replay(ctx context.Context, s *settings, p *replaying, fs *pflag.FlagSet, found *problems, forced chan<- int) error {
	ctx, end, rest := m.attend(ctx, forced)
	defer rest()
	m.screenSettings(ctx, s, fs, found)
	if err := end.givenUp(); err != nil {
		return err
	}
	if err := found.err(); err != nil {
		return err
	}
	f, err := m.openRun(p.file)
	if err != nil {
		return err
	}
	if p.placed && p.at > f.Length && (f.Complete || !record.Writing(f.Path)) {
		defer f.Close()
		return &exit{exitUsage, fmt.Errorf("--at %s: the recording ends at %s", view.Stamp(p.at), view.Stamp(f.Length))}
	}
	if err := m.replayGhost(f, &s.screen); err != nil {
		return err
	}
	if s.screen.plain {
		if found.from.asked("ghost") {
			fmt.Fprintln(m.Stderr, "redline: --ghost: "+noScreen)
		}
		defer f.Close()
		p.lined, p.paced = found.from.asked("plain"), found.from.asked("speed")
		return m.printRun(ctx, f, s, p, end)
	}
	return m.play(ctx, f, s, p, end)
}

// play shows a run on the screen until that is left.
func (m *Main) play(ctx context.Context, f *record.File, s *settings, p *replaying, end *endgame) error {
	deck := replay.New(f, replay.Options{Speed: p.speed, At: p.at, Paused: p.placed})
	heard := listen()
	defer heard.release()
	r := &session{Main: m, set: s, engine: deck, deck: deck, end: end, heard: heard, clean: func(text string) string { return text }, private: s.screen.private, ascii: s.screen.ascii}
	ctx, stop := context.WithCancel(ctx)
	end.engage(deck)
	played := make(chan struct{})
	go func() {
		defer close(played)
		defer r.crash.catch(func() { end.stopAll("internal error") })
		_ = deck.Run(ctx)
	}()
	frame, stray := r.showScreen()
	stop()
	<-played
	if frame != "" {
		fmt.Fprintln(m.Stdout, frame)
	}
	heard.tell(m.Stderr, stray, r.concealed)
	if text := r.crash.text(); text != "" {
		return &exit{exitCrash, fmt.Errorf("internal error, please report it with this trace:\n%s", text)}
	}
	if code := end.code(); code != exitOK {
		return &exit{code: code}
	}
	return nil
}
