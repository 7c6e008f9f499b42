package report

import (
	"slices"

	"redline/bench"
)

// Cleaned is a snapshot without secrets in the words of others, for files: taken out of what is written already, a secret that is also a word of the file's
// own form would break the form, and one that Markdown writes with marks would not be known. The original stays as it is.
func Cleaned(s *bench.Snapshot, clean func(string) string) *bench.Snapshot {
	take := func(texts ...*string) {
		for _, text := range texts {
			*text = clean(Printable(*text))
		}
	}
	s = Begun(s)
	out, run := *s, *s.Run
	out.Run = &run
	take(&out.Why, &out.LastError, &out.HeldBy, &out.Health.Why)
	run.Target = clean(run.Target)
	take(&run.Host, &run.Model, &run.Scenario, &run.Protocol, &run.Address)
	run.Notes = slices.Clone(run.Notes)
	for i := range run.Notes {
		take(&run.Notes[i])
	}
	run.Works = slices.Clone(run.Works)
	for i := range run.Works {
		take(&run.Works[i].Name, &run.Works[i].Words, &run.Works[i].Left)
	}
	out.Levels = slices.Clone(s.Levels)
	for i, l := range s.Levels {
		one := *l
		take(&one.Note)
		out.Levels[i] = &one
	}
	out.Events = slices.Clone(s.Events)
	for i := range out.Events {
		take(&out.Events[i].Text)
	}
	out.Failures = slices.Clone(s.Failures)
	for i := range out.Failures {
		take(&out.Failures[i].Message, &out.Failures[i].Head, &out.Failures[i].Finish)
	}
	out.Quotas = slices.Clone(s.Quotas)
	for i := range out.Quotas {
		take(&out.Quotas[i].Name)
	}
	if f := s.Following; f != nil && f.Profile != nil {
		following, profile := *f, *f.Profile
		take(&profile.Text)
		following.Profile, out.Following = &profile, &following
	}
	if r := s.Rivals; r != nil {
		rivals := *r
		rivals.Names, rivals.Of = slices.Clone(r.Names), slices.Clone(r.Of)
		for i := range rivals.Names {
			take(&rivals.Names[i])
			rivals.Of[i] = Cleaned(r.Of[i], clean)
		}
		out.Rivals = &rivals
	}
	return &out
}
