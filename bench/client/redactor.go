package client

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// redactor takes secrets out of texts that come from elsewhere: servers and proxies echo keys in their errors.
type redactor struct {
	// forms are the secrets in all their forms, and plain as they are; both in lower case, since some write them in another.
	forms, plain []string
}

// newRedactor knows the secrets as they are, and as JSON, URLs, HTML and base64 write them.
func newRedactor(secrets ...string) redactor {
	var r redactor
	for _, s := range secrets {
		if len(s) < shortestSecret {
			continue
		}
		if len(s) >= shortestUnknown {
			r.plain = append(r.plain, lower(s))
		}
		for _, form := range forms(s) {
			if form = lower(form); len(form) >= shortestSecret && !slices.Contains(r.forms, form) {
				r.forms = append(r.forms, form)
			}
		}
	}
	// The longest first: a short secret may be a part of a long one, which would no longer be known without it.
	slices.SortStableFunc(r.forms, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return r
}

// lower is a text with its ASCII letters in lower case, so that places in one are places in the other.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// Clean takes every secret that the client knows out of a text.
func (c *Client) Clean(text string) string { return c.redact.clean(text) }

// clean puts *** for each secret in a text, for the beginning of one that was cut, and for what is left of one that somebody masked.
func (r redactor) clean(s string) string {
	low := lower(s)
	for _, form := range r.forms {
		if i := strings.Index(low, form); i >= 0 {
			s = swap(s, low, form, i)
			low = lower(s)
		}
	}
	// Only now: what is the beginning of one form may be a part of another.
	for _, form := range r.forms {
		s, low = cutForm(s, low, form)
	}
	return r.unmask(s, low)
}

// swap puts *** for a form in a text, of which low is the same in lower case, from its first place on.
func swap(s, low, form string, at int) string {
	var b strings.Builder
	from := 0
	for at >= 0 {
		b.WriteString(s[from:from+at] + redacted)
		from += at + len(form)
		at = strings.Index(low[from:], form)
	}
	b.WriteString(s[from:])
	return b.String()
}

// cutForm puts *** for the beginnings of a form behind which the text ends, or shows that it was cut, and for long ones anywhere. It gives the text, and
// the same in lower case.
func cutForm(s, low, form string) (string, string) {
	const least = 2 * shortestSecret
	if len(form) <= least {
		return s, low
	}
	var b strings.Builder
	from := 0
	for at := 0; ; {
		i := strings.Index(low[at:], form[:least])
		if i < 0 {
			break
		}
		at += i
		n := least
		for n < len(form) && at+n < len(low) && low[at+n] == form[n] {
			n++
		}
		if rest := low[at+n:]; rest == "" || n >= 2*least || slices.ContainsFunc(cuts, func(mark string) bool { return strings.HasPrefix(rest, mark) }) {
			b.WriteString(s[from:at] + redacted)
			at += n
			from = at
			continue
		}
		at++
	}
	if from == 0 {
		return s, low
	}
	b.WriteString(s[from:])
	s = b.String()
	return s, lower(s)
}

// cuts are what stands behind words that were cut: a sign of it, or the end of a quotation.
var cuts = []string{"…", "...", `"`, `\"`, "'", "`"}

// shortestPiece is how much of a secret beside a mask is taken for a piece of it.
const shortestPiece = 3

// fullMask is how many stars or dots in a row are a mask.
const fullMask = 3

// unmask takes away what is left of a secret of which somebody has put stars for the middle (OpenAI: sk-ab***wxyz); low is the text in lower case. What
// stands between two masks is looked at once from either side.
func (r redactor) unmask(s, low string) string {
	begin, end := mask(s, 0)
	if begin < 0 {
		return s
	}
	var b strings.Builder
	from := 0
	for begin >= 0 {
		next, nextEnd := mask(s, end)
		behind := len(s)
		if next >= 0 {
			behind = next
		}
		head, tail := 0, 0
		for _, plain := range r.plain {
			head = max(head, ending(low[from:begin], plain))
			tail = max(tail, beginning(low[end:behind], plain))
			if rest := low[end:behind]; behind == len(s) && len(rest) >= shortestPiece && strings.Contains(plain, rest) {
				tail = len(rest) // the text ends before the piece does
			}
		}
		b.WriteString(s[from:begin-head] + s[begin:end])
		from = end + tail
		begin, end = next, nextEnd
	}
	b.WriteString(s[from:])
	return b.String()
}

// mask is where the first mask from a place on begins and ends: three stars or dots, or more of them, fewer where the text ends; -1 where there is none.
func mask(s string, at int) (begin, end int) {
	for at < len(s) {
		i := strings.IndexAny(s[at:], "*•")
		if i < 0 {
			break
		}
		begin = at + i
		mark, size := utf8.DecodeRuneInString(s[begin:])
		for end = begin; strings.HasPrefix(s[end:], string(mark)); end += size {
		}
		if end-begin >= fullMask*size || end == len(s) {
			return begin, end
		}
		at = end
	}
	return -1, -1
}

// ending is how much of a secret's beginning a text ends in.
func ending(text, secret string) int {
	for n := min(len(text), len(secret)); n >= shortestPiece; n-- {
		if strings.HasSuffix(text, secret[:n]) {
			return n
		}
	}
	return 0
}

// beginning is how much of a secret's end a text begins with.
func beginning(text, secret string) int {
	for n := min(len(text), len(secret)); n >= shortestPiece; n-- {
		if strings.HasPrefix(text, secret[len(secret)-n:]) {
			return n
		}
	}
	return 0
}

// CleanPart is Clean for a part of a text: late tells that there was more before it, goesOn that more is to come. What may belong to a secret that does not
// stand in it as a whole is left out, at either end.
func (c *Client) CleanPart(text string, late, goesOn bool) string {
	if late {
		text = text[c.redact.left(text):]
	}
	if goesOn {
		text = text[:len(text)-c.redact.begun(text)]
	}
	return c.redact.clean(text)
}

// left is how many bytes at a text's beginning are, or may be, what is left of a secret: any piece of one, and the stars of one that somebody masked.
func (r redactor) left(s string) int {
	masked := len(s) - len(strings.TrimLeft(s, "*•"))
	low := lower(s[masked:])
	most := 0
	for _, form := range r.forms {
		// Where a beginning is a piece of the form, each shorter one is.
		most = max(most, sort.Search(min(len(low), len(form)), func(n int) bool { return !strings.Contains(form, low[:n+1]) }))
	}
	n := masked + most
	for n < len(s) && !utf8.RuneStart(s[n]) {
		n++
	}
	return n
}

// unfinished are beginnings of what stands behind a secret that was cut or masked.
var unfinished = []string{".", "..", `\`, "\xe2", "\xe2\x80"}

// begun is how many bytes at a text's end are, or may be, the beginning of a secret, with what begins behind it.
func (r redactor) begun(s string) int {
	most := r.opened(s)
	for _, part := range unfinished {
		if before, ok := strings.CutSuffix(s, part); ok {
			if n := r.opened(before); n >= shortestPiece {
				most = max(most, n+len(part))
			}
		}
	}
	return most
}

// opened is how many bytes at a text's end are, or may be, the beginning of a secret, as it is or masked.
func (r redactor) opened(s string) (most int) {
	longest := 0
	if len(r.forms) > 0 {
		longest = len(r.forms[0])
	}
	low := lower(s[max(0, len(s)-longest):])
	for _, form := range r.forms {
		for n := min(len(low), len(form)-1); n > most; n-- {
			if strings.HasSuffix(low, form[:n]) {
				most = n
				break
			}
		}
	}
	return max(most, r.masking(s))
}

// masking is how many bytes at a text's end are, or may be, of a secret that somebody masks: its beginning and the first stars, or behind all of the stars
// what its end may begin with.
func (r redactor) masking(s string) (most int) {
	longest := 0
	for _, plain := range r.plain {
		longest = max(longest, len(plain))
	}
	s = s[max(0, len(s)-longest-fullMask*utf8.UTFMax):]
	at := strings.LastIndexAny(s, "*•")
	if at < 0 {
		return 0
	}
	mark, size := utf8.DecodeRuneInString(s[at:])
	begin, end := at, at+size
	for strings.HasSuffix(s[:begin], string(mark)) {
		begin -= size
	}
	low := lower(s)
	rest, full := low[end:], end-begin >= fullMask*size
	for _, plain := range r.plain {
		switch {
		case full && strings.Contains(plain, rest):
			most = max(most, len(rest))
		case !full && rest == "":
			if head := ending(low[:begin], plain); head > 0 {
				most = max(most, head+end-begin)
			}
		}
	}
	return most
}
