package workload

// Files are the paths of the files that the workload is read from: its data set or trace, and those of hist(FILE). What is written through them moves the
// workload to other files; before Open only.
func (s *Spec) Files() []*string {
	var out []*string
	for _, path := range []*string{&s.File, &s.In.file, &s.Out.file, &s.Think.file} {
		if *path != "" {
			out = append(out, path)
		}
	}
	return out
}
