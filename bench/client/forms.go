package client

import (
	"encoding/base64"
	"fmt"
	"html"
	"net/url"
	"strings"
	"unicode/utf16"
)

// jsonEscapes are the characters that writers of JSON escape by number, beside those that all escape: none, Go's, Gson's, .NET's.
var jsonEscapes = []string{"", "<>&", "<>&='", "<>&'\"+`"}

// pages are the ways in which quotes and the plus sign stand in a page, other than Go's.
var pages = []*strings.Replacer{
	strings.NewReplacer("&#34;", "&quot;"),
	strings.NewReplacer("&#34;", "&quot;", "&#39;", "&apos;"),
	strings.NewReplacer("&#34;", "&quot;", "&#39;", "&#039;"),
	strings.NewReplacer("&#34;", "&quot;", "&#39;", "&#x27;"),
	strings.NewReplacer("&#34;", "&quot;", "&#39;", "&#x27;", "+", "&#x2b;"),
	strings.NewReplacer("+", "&#43;"),
}

// forms are the ways in which a value may stand in a text, apart from the case of its letters.
func forms(s string) []string {
	query := url.QueryEscape(s)
	list := []string{s, query, url.PathEscape(s), strings.ReplaceAll(query, "+", "%20")}
	for _, special := range jsonEscapes {
		for _, ascii := range []bool{false, true} {
			quoted := inJSON(s, special, ascii)
			list = append(list, quoted, strings.ReplaceAll(quoted, "/", `\/`))
		}
	}
	page := html.EscapeString(s)
	list = append(list, page)
	for _, p := range pages {
		list = append(list, p.Replace(page))
	}
	// In base64 a value looks different at each of three places in its group, and its ends hang together with what stands beside it.
	for _, pad := range []string{"", "a", "ab"} {
		list = append(list, inBase64(pad, s)...)
	}
	return list
}

// inJSON is a value as JSON writes it, with some characters by their numbers, and all beyond ASCII where that is asked.
func inJSON(s, special string, ascii bool) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteString(map[rune]string{'\n': `\n`, '\r': `\r`, '\t': `\t`}[r])
		case strings.ContainsRune(special, r), r < ' ', ascii && r > '~':
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// inBase64 is what base64 makes of a value behind some other bytes, without the characters that hold bits of others.
func inBase64(before, s string) []string {
	whole := base64.StdEncoding.EncodeToString([]byte(before + s))
	from := (len(before)*8 + 5) / 6
	to := (len(before) + len(s)) * 8 / 6
	if to-from < shortestUnknown {
		return nil
	}
	part := whole[from:to]
	return []string{part, strings.NewReplacer("+", "-", "/", "_").Replace(part)}
}
