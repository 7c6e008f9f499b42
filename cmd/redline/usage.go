package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageFlags is where cobra's template lists all flags at once.
const usageFlags = "{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}"

func init() { cobra.AddTemplateFunc("groupedFlags", groupedFlags) }

// groupHelp makes a command's help list its flags in their groups.
func groupHelp(root *cobra.Command) {
	text := root.UsageTemplate()
	root.SetUsageTemplate(strings.Replace(text, "Flags:\n"+usageFlags, "{{groupedFlags .}}", 1))
}

// groupedFlags lists flags under the headings of their groups, in the order in which they were laid; those of none come last.
func groupedFlags(c *cobra.Command) string {
	var titles []string
	sets := map[string]*pflag.FlagSet{}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		if of := f.Annotations[groupOf]; len(of) > 0 {
			title = of[0]
		}
		if sets[title] == nil {
			sets[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
			sets[title].SortFlags = false
			titles = append(titles, title)
		}
		sets[title].AddFlag(f)
	})
	var b strings.Builder
	for _, title := range titles {
		b.WriteString(title + ":\n" + strings.TrimRight(sets[title].FlagUsages(), " \n") + "\n\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
