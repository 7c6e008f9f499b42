package stream

// count is a number of tokens that a server may not have given.
type count struct {
	n  int
	ok bool
}

func (c *count) read(w *walker) {
	if n, ok := w.count(); ok {
		*c = count{n, true}
	}
}

// usage is one usage object of a server, under any of the names in use.
type usage struct {
	prompt, completion, total count
	cached, reasoning         count
	cacheRead, cacheWritten   count
}

// readUsage reads a usage object; null and anything else that is no object is none.
func (e *event) readUsage(w *walker) {
	if w.peek() != '{' {
		w.skip()
		return
	}
	e.usage = usage{}
	e.usage.read(w)
	u := &e.usage
	e.hasUsage = u.prompt.ok || u.completion.ok || u.total.ok
}

func (u *usage) read(w *walker) {
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "prompt_tokens", "input_tokens":
			u.prompt.read(w)
		case "completion_tokens", "output_tokens":
			u.completion.read(w)
		case "total_tokens":
			u.total.read(w)
		case "cached_tokens", "prompt_cache_hit_tokens":
			u.cached.read(w)
		case "reasoning_tokens":
			u.reasoning.read(w)
		case "cache_read_input_tokens":
			u.cacheRead.read(w)
		case "cache_creation_input_tokens":
			u.cacheWritten.read(w)
		case "prompt_tokens_details", "completion_tokens_details", "input_tokens_details", "output_tokens_details":
			u.details(w)
		default:
			w.skip()
		}
	}
}

func (u *usage) details(w *walker) {
	if w.peek() != '{' {
		w.skip()
		return
	}
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "cached_tokens":
			u.cached.read(w)
		case "reasoning_tokens":
			u.reasoning.read(w)
		default:
			w.skip()
		}
	}
}

// tally is what all usage objects of a stream say together: of each number the last that was given.
type tally struct {
	input, output, cached, reasoning count
}

// add takes one more usage object. Output is the greater of what is called completion and total − prompt: some servers leave
// reasoning out of the former (xAI).
func (t *tally) add(u *usage) {
	if u.prompt.ok {
		n := u.prompt.n
		// The Messages dialect counts tokens read from and written to its cache apart from its input tokens; servers of the chat
		// dialect that also carry these names have them inside the prompt, which their total shows.
		if apart := u.cacheRead.n + u.cacheWritten.n; apart > 0 && !u.total.ok {
			n += apart
		}
		t.input = count{n, true}
	}
	output := u.completion
	if u.total.ok && t.input.ok && u.total.n-t.input.n > output.n {
		output = count{u.total.n - t.input.n, true}
	}
	if output.ok {
		t.output = output
	}
	if u.cached.ok {
		t.cached = u.cached
	} else if u.cacheRead.ok {
		t.cached = u.cacheRead
	}
	if u.reasoning.ok {
		t.reasoning = u.reasoning
	}
}
