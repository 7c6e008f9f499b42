package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"redline/bench/report"
	"redline/themes"
	"redline/ui/style"
	"redline/ui/term"
)

// themesVerb lists the looks of the dashboard, and prints one as a file.
func (m *Main) themesVerb() *cobra.Command {
	color := "auto"
	list := &cobra.Command{
		Use: "themes", Short: "list the looks of the dashboard, or print one", Args: noWords,
		Long: "themes lists the looks that --theme and the key T know: those that come with redline, and yours, which are files in your folder for\n" +
			"themes. What redline themes show NAME prints can be saved there under another name and changed.",
		Example: "  redline themes\n  redline themes show gruvbox-dark > ~/.config/redline/themes/mine.toml\n  redline --theme mine",
		RunE: func(*cobra.Command, []string) error {
			choice, err := style.ParseChoice(color)
			if err != nil {
				return fmt.Errorf("--color: %w", err)
			}
			f, isFile := m.Stdout.(*os.File)
			_, err = io.WriteString(m.Stdout, m.themeList(style.Decide(choice, m.text, isFile && term.IsTerminal(f))))
			return err
		},
	}
	list.Flags().StringVar(&color, "color", color, "colours of the swatches: auto, true, 256, 16, none")
	list.AddCommand(&cobra.Command{
		Use: "show NAME", Short: "print a look as a file of its own, with nothing inherited", Args: cobra.ExactArgs(1),
		Example: "  redline themes show okabe-dark",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return themes.Names(m.text), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			theme, err := themes.Load(args[0], m.text)
			if err != nil {
				return fmt.Errorf("themes show: %w", err)
			}
			for _, w := range theme.Warnings {
				fmt.Fprintln(m.Stderr, "! "+report.Printable(w))
			}
			_, err = io.WriteString(m.Stdout, theme.TOML())
			return err
		},
	})
	return list
}

// themeList is a line for each theme: its name, the ground that it is for, its colours, and where it comes from.
func (m *Main) themeList(profile style.Profile) string {
	names := themes.Names(m.text)
	wide := 0
	for _, n := range names {
		wide = max(wide, len(report.Printable(n)))
	}
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "%-*s  ", wide, report.Printable(name))
		theme, err := themes.Load(name, m.text)
		if err != nil {
			fmt.Fprintf(&b, "%-5s  cannot be read: %s\n", unset, report.Printable(err.Error()))
			continue
		}
		fmt.Fprintf(&b, "%-5s  ", theme.Variant)
		if profile > style.None {
			b.WriteString(swatch(style.New(theme, profile, style.Unicode)) + "  ")
		}
		b.WriteString(report.Printable(theme.Source) + "\n")
		for _, w := range theme.Warnings {
			fmt.Fprintf(&b, "%-*s  ! %s\n", wide, "", report.Printable(w))
		}
	}
	if dir := themes.Dir(m.text); dir != "" {
		b.WriteString("\nYours go to " + report.Printable(dir) + ", as NAME.toml.\n")
	}
	return b.String()
}

// swatch shows what a theme does: its text, its bars and its verdicts.
func swatch(set *style.Set) string {
	r := style.NewRow(set).Start(27)
	r.Blank(1).Put(style.FG, "abc").Put(style.Dim, "def").Blank(1)
	for _, t := range []style.Token{style.LaneLoad, style.LaneTTFT, style.LaneITL, style.LaneTPS, style.LaneRPM, style.LaneTPM} {
		r.Put(t, set.Glyphs.Bars[len(set.Glyphs.Bars)-1])
	}
	r.Blank(1).Put(style.Good, set.Glyphs.OK).Put(style.Warn, set.Glyphs.Warn).Put(style.Bad, set.Glyphs.Fail).Blank(1)
	for i := range style.HeatSteps {
		r.Put(style.Heat+style.Token(i), set.Glyphs.Shade[len(set.Glyphs.Shade)-1])
	}
	return r.String()
}
