package client

import (
	"regexp"
	"slices"
	"strings"
)

// Many refusals list what a server takes (serde: unknown field `a`, expected one of `b`, `c`). Of such a list nothing is refused, so that it
// is left out of the words in which a field is looked for.
var (
	// listed begins such a list.
	listed = regexp.MustCompile(`\b(?:expected|expects|expecting|must|should|can|may|has to|have to|is not|isn't|are not|aren't)(?: only)?(?: be| have| contain)? (?:one|any|some) of\b` +
		"|\\b(?:expected|expects|expecting)(?:\\s*[:=(\\[{`'\"]|\\s+[a-z0-9_.]+,)" +
		`|\b(?:choose|pick|select)(?: one)?(?: of| from| between)\b` +
		`|\b(?:` + takes + `)(?: [a-z-]+)?[ -](?:fields?|keys?|names?|param(?:eter)?s?|arg(?:ument)?s?|propert(?:y|ies)|attributes?|options?|inputs?|members?|values?|ones)\b` +
		`|\b(?:` + takes + `)(?: (?:are|is))?\s*[:=(\[{]` +
		`|\bonly\b[^.;\n]*?\bare (?:` + takes + `)\b`)
	// ends ends it: with the sentence, or where the refusal comes back to what it got.
	ends = regexp.MustCompile(`[.;](?:\s|$)|\n|\b(?:but|got|found|received)\b`)
)

const takes = `allowed|permitted|supported|accepted|acceptable|valid|known|available|possible|recogni[sz]ed|expected`

// denials are the words behind which nothing is taken (are not allowed: a).
var denials = []string{"not", "no", "never", "cannot", "nor", "neither", "without"}

// apart are a refusal's words, in lower case, without its lists of what is taken, and these lists.
func apart(text string) (words, lists string) {
	var kept, taken strings.Builder
	for from := 0; ; {
		span := listed.FindStringIndex(text[from:])
		if span == nil {
			kept.WriteString(text[from:])
			return kept.String(), taken.String()
		}
		begin, end := from+span[0], from+span[1]
		if denied(text[:begin], text[begin:end]) {
			kept.WriteString(text[from:end])
			from = end
			continue
		}
		kept.WriteString(text[from:begin] + "\n")
		from = len(text)
		if stop := ends.FindStringIndex(text[end:]); stop != nil {
			from = end + stop[0]
		}
		taken.WriteString(text[begin:from] + "\n")
	}
}

// denied tells whether what looks like the beginning of a list is of what is refused, or of something else than fields: behind a denial, or
// where "expected" is the first word.
func denied(before, mark string) bool {
	if strings.HasPrefix(mark, "only") || strings.HasSuffix(mark, " of") {
		return false
	}
	words := strings.Fields(before)
	if len(words) == 0 {
		return strings.HasPrefix(mark, "expect")
	}
	for _, word := range slices.Backward(words[max(0, len(words)-3):]) {
		switch {
		case word == "of" || strings.ContainsAny(word[len(word)-1:], ".,:;)"):
			return false
		case slices.Contains(denials, word) || strings.HasSuffix(word, "n't"):
			return true
		}
	}
	return false
}

// listing tells whether a member of a refusal is such a list by its name.
func listing(name string) bool { return lists.MatchString(strings.ToLower(name)) }

var lists = regexp.MustCompile(`^(?:` + takes + `|enum$|choices$|did_you_mean)`)
