package stream

// count is a number of tokens that a server may not have given.
type count struct {
	n  int
	ok bool
}

func (c *count) read(w *walker) {
	if n, ok := w.count(); ok {
		c.keep(count{n, true})
	}
}

// keep takes a later value over. Zero displaces nothing: servers fill fields that they do not know with it, beside or behind the true
// number.
func (c *count) keep(later count) {
	if later.ok && (later.n > 0 || !c.ok) {
		*c = later
	}
}

// usage is one usage object of a server, under any of the names in use.
type usage struct {
	prompt, completion, total count
	cached, reasoning         count
	cacheRead, cacheWritten   count
	// chat: the prompt goes by the name of the chat dialect, in which cached tokens are part of it.
	chat bool
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

// spareUsage reads a usage object that stands aside (in a choice, in an extension), for an event that has no other.
func (e *event) spareUsage(w *walker) {
	if e.hasUsage {
		w.skip()
		return
	}
	e.readUsage(w)
}

func (u *usage) read(w *walker) {
	for w.enter(); w.member(); {
		switch string(w.key) {
		case "prompt_tokens":
			u.prompt.read(w)
			u.chat = u.chat || u.prompt.n > 0
		case "input_tokens":
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
	// prompt, cacheRead and cacheWritten are what input is made of; apart tells that the latter two are not in the first.
	prompt, cacheRead, cacheWritten count
	apart                           bool
}

// add takes one more usage object. Output is the greater of what is called completion, with the reasoning if it cannot hold that, and
// total − prompt: some servers leave reasoning out of the first (xAI), some out of both (Perplexity). A prompt of zero is one that the server
// does not know, and a difference to it is none.
func (t *tally) add(u *usage) {
	t.prompt.keep(u.prompt)
	t.cacheRead.keep(u.cacheRead)
	t.cacheWritten.keep(u.cacheWritten)
	if u.cached.ok {
		t.cached.keep(u.cached)
	} else {
		t.cached.keep(u.cacheRead)
	}
	t.reasoning.keep(u.reasoning)
	t.sumInput(u)
	output := u.completion
	switch {
	case output.n == 0 && t.output.ok:
		output = t.output
	case output.ok && t.reasoning.n > output.n:
		output.n += t.reasoning.n
	}
	if u.total.ok && t.input.n > 0 && u.total.n-t.input.n > output.n {
		output = count{u.total.n - t.input.n, true}
	}
	t.output.keep(output)
}

// sumInput adds the prompt up. The Messages dialect counts tokens read from and written to its cache apart from its input tokens; servers
// of the chat dialect that also carry these names have them inside the prompt, which their total shows. A prompt that is smaller than its
// cache cannot hold it, whatever the names; what the chat dialect calls cached is counted apart then unless the total has no room for it: some
// servers round it up to whole blocks of their cache.
func (t *tally) sumInput(u *usage) {
	cache := t.cacheRead.n + t.cacheWritten.n
	if more := t.cached.n + t.cacheWritten.n; t.cached.n > max(t.prompt.n, t.cacheRead.n) && (!u.total.ok || u.total.n >= t.prompt.n+more+u.completion.n) {
		cache = more
	}
	if u.prompt.ok {
		t.apart = cache > t.prompt.n || !u.chat && (!u.total.ok || u.total.n >= t.prompt.n+cache+u.completion.n)
	}
	if t.input = t.prompt; t.input.ok && t.apart {
		t.input.n += cache
	}
}
