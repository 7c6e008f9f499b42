package stream

import (
	"html"
	"strings"
)

// pageStarts are what a web page, or an error written in XML, begins with, in lower case.
var pageStarts = []string{"<!doctype", "<html", "<head", "<title", "<body", "<center", "<h1", "<h2", "<meta", "<!--", "<?xml", "<error"}

// Page is what a web page says: its title, else its first heading, else the message of an error in XML, else all its text; decoded, and
// empty where it says nothing. It is false for a text that does not begin like a page.
func Page(s string) (string, bool) {
	s = strings.TrimLeft(s, "\uFEFF \t\r\n")
	low := lower(s)
	if i := pageStart(low); i != 0 {
		return "", false
	}
	for _, part := range [][2]string{{"<!--", "-->"}, {"<script", "</script>"}, {"<style", "</style>"}, {"<svg", "</svg>"}} {
		s, low = without(s, low, part[0], part[1])
	}
	for _, name := range []string{"title", "h1", "h2", "h3", "message"} {
		text := element(s, low, name)
		if text == "" {
			continue
		}
		if strings.EqualFold(text, "error") { // Express, whose words stand below
			if more, _, _ := strings.Cut(element(s, low, "pre"), "\n"); more != "" {
				text += ": " + more
			}
		}
		return text, true
	}
	return plainText(s), true
}

// pageStart is where a page begins in a text in lower case: at its beginning, or, for a page of HTML, behind other words; -1 if nowhere.
func pageStart(low string) int {
	if !strings.Contains(low, "<") {
		return -1
	}
	for _, start := range pageStarts {
		if strings.HasPrefix(low, start) {
			return 0
		}
	}
	first := -1
	for _, start := range []string{"<!doctype html", "<html"} {
		if i := strings.Index(low, start); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	return first
}

// worded puts what a page says in place of a page in a text: gateways quote those of the servers behind them.
func worded(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	s = strings.TrimLeft(s, "\uFEFF \t\r\n")
	i := pageStart(lower(s))
	if i < 0 {
		return s
	}
	text, _ := Page(s[i:])
	return strings.TrimSpace(s[:i] + text)
}

// element is the text of the first element of a name that has some; its end may be missing.
func element(s, low, name string) string {
	for at := 0; ; {
		i := strings.Index(low[at:], "<"+name)
		if i < 0 {
			return ""
		}
		at += i + 1 + len(name)
		if at < len(low) && low[at] != '>' && low[at] > ' ' {
			continue // another name that begins so
		}
		open := strings.IndexByte(low[at:], '>')
		if open < 0 {
			return ""
		}
		at += open + 1
		end := len(s)
		if i := strings.Index(low[at:], "</"+name); i >= 0 {
			end = at + i
		}
		if text := plainText(s[at:end]); text != "" {
			return text
		}
	}
}

// plainText is the text between tags, decoded. Only a line break keeps lines apart.
func plainText(s string) string {
	var b strings.Builder
	for s = strings.ReplaceAll(s, "\n", " "); s != ""; {
		i := strings.IndexByte(s, '<')
		if i < 0 || i+1 == len(s) {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		tag := s[i+1:]
		if c := tag[0] | 0x20; (c < 'a' || c > 'z') && tag[0] != '/' && tag[0] != '!' && tag[0] != '?' {
			b.WriteByte('<') // a sign, no tag
			s = tag
			continue
		}
		end := strings.IndexByte(tag, '>')
		if end < 0 {
			break
		}
		if strings.HasPrefix(lower(tag[:min(2, end)]), "br") {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
		s = tag[end+1:]
	}
	lines := strings.Split(html.UnescapeString(b.String()), "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// without takes all that stands from one mark to another out of a text, of which low is the same in lower case. What has no end goes to the
// end of the text.
func without(s, low, from, to string) (string, string) {
	for {
		i := strings.Index(low, from)
		if i < 0 {
			return s, low
		}
		end := len(s)
		if j := strings.Index(low[i:], to); j >= 0 {
			end = i + j + len(to)
		}
		s, low = s[:i]+s[end:], low[:i]+low[end:]
	}
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
