package client

import (
	"strconv"
	"strings"
)

// part is a piece of a word of the shell: text as it stands, or the value of a variable of the environment.
type part struct {
	text string
	name bool
}

func lit(text string) part { return part{text: text} }

// variable is the value of a variable whose name is made of a text. The prefix keeps it apart from those of the shell itself: PATH, USER, HOME.
func variable(text string) part { return part{"REDLINE_" + named(text), true} }

// distinct gives a number to each variable whose name another one has already: every one of them holds a value of its own.
func distinct(words [][]part) {
	taken := map[string]bool{}
	for _, w := range words {
		for i := range w {
			if !w[i].name {
				continue
			}
			name := w[i].text
			for n := 2; taken[w[i].text]; n++ {
				w[i].text = name + "_" + strconv.Itoa(n)
			}
			taken[w[i].text] = true
		}
	}
}

// named is a name that a shell takes, made of a text: letters in upper case, digits, and _ for all else.
func named(text string) string {
	var b strings.Builder
	for i, c := range []byte(text) {
		switch {
		case c >= 'a' && c <= 'z':
			b.WriteByte(c - 'a' + 'A')
		case c >= 'A' && c <= 'Z', c == '_', c >= '0' && c <= '9' && i > 0:
			b.WriteByte(c)
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

// joined are words, each quoted where it has to be.
func joined(words [][]part) string {
	var out []string
	for _, w := range words {
		out = append(out, quoted(w...))
	}
	return strings.Join(out, " ")
}

// quoted is a word of a POSIX shell. Text is in single quotes, in which nothing has a meaning; beside a variable it is in the variable's double quotes
// where it is harmless there, which reads better.
func quoted(word ...part) string {
	word = fused(word)
	bare, tame, names := true, true, false
	for _, p := range word {
		if p.name {
			names = true
			continue
		}
		bare = bare && only(p.text, "-./:=@_")
		tame = tame && only(p.text, " %&+,-./:;=?@_")
	}
	var b strings.Builder
	if names && tame {
		b.WriteByte('"')
		for i, p := range word {
			switch {
			case !p.name:
				b.WriteString(p.text)
			case i+1 < len(word):
				b.WriteString("${" + p.text + "}")
			default:
				b.WriteString("$" + p.text)
			}
		}
		b.WriteByte('"')
		return b.String()
	}
	for _, p := range word {
		switch {
		case p.name:
			b.WriteString(`"$` + p.text + `"`)
		case bare && !names && p.text != "":
			b.WriteString(p.text)
		default:
			b.WriteString("'" + strings.ReplaceAll(p.text, "'", `'\''`) + "'")
		}
	}
	return b.String()
}

// fused is a word without two texts beside one another.
func fused(word []part) (out []part) {
	for _, p := range word {
		if last := len(out) - 1; last >= 0 && !p.name && !out[last].name {
			out[last].text += p.text
		} else {
			out = append(out, p)
		}
	}
	return out
}

// only tells whether a text is made of ASCII letters, digits and the given characters.
func only(text, more string) bool {
	for _, r := range text {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(more, r) {
			return false
		}
	}
	return true
}
