package action

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fullWidth are the forms that an input method for Chinese or Japanese types in place of ASCII.
var fullWidth = strings.NewReplacer("＋", "+", "－", "-", "＝", "=", "＿", "_", "？", "?", "［", "[", "］", "]", "＜", "<", "＞", ">", "，", ",", "．", ".", "、", ",", "。", ".", "　", "space")

// Key is the table's name for a key of the keyboard: full-width forms become their ASCII twins, the blank becomes "space".
func Key(name string) string {
	if name == " " {
		return "space"
	}
	if len(name) < 2 {
		return name
	}
	name = fullWidth.Replace(name)
	// Full-width letters and digits follow ASCII at a fixed distance.
	if r := []rune(name); len(r) == 1 && r[0] > 0xff00 && r[0] < 0xff5f {
		return string(r[0] - 0xff00 + 0x20)
	}
	return name
}

// narrow is text with its full-width forms as ASCII.
func narrow(text string) string {
	var b strings.Builder
	for _, r := range text {
		if k := Key(string(r)); k != "space" {
			b.WriteString(k)
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// special are keys that have a name and no character.
var special = []string{"space", "enter", "tab", "shift+tab", "backspace", "delete", "insert", "home", "end", "pgup", "pgdown", "up", "down", "left", "right"}

// moved are those that also come with shift or ctrl held.
var moved = []string{"up", "down", "left", "right", "home", "end"}

// alias are other names of keys, and names of keys that reach a program as another one: those of the keypad come as their characters.
var alias = map[string]string{
	"return": "enter", "escape": "esc", "del": "delete", "ins": "insert", "pageup": "pgup", "pagedown": "pgdown", "pgdn": "pgdown", "spc": "space", "blank": "space",
	"plus": "+", "minus": "-", "kp+": "+", "kp-": "-", "kp*": "*", "kp/": "/", "kp.": ".", "kp=": "=", "kpenter": "enter",
	"kp0": "0", "kp1": "1", "kp2": "2", "kp3": "3", "kp4": "4", "kp5": "5", "kp6": "6", "kp7": "7", "kp8": "8", "kp9": "9",
}

// samePress are keys that a terminal can not tell from others.
var samePress = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+h": "backspace, in many terminals"}

// KeyNames are what ParseKey reads, in words.
const KeyNames = `a character, "space", "enter", "esc", "tab", "shift+tab", "backspace", "delete", "insert", "home", "end", "pgup", "pgdown", "up", "down", "left", "right", ` +
	`"f1" to "f20", "ctrl+a" to "ctrl+z", "alt+a", "shift+up", "ctrl+up" and the like, "kp+" and the like`

// ParseKey reads the name of a key as settings write it, and gives it in the words of Key.
func ParseKey(text string) (string, error) {
	if name := Key(text); oneSign(name) {
		return name, nil
	}
	name := strings.ToLower(strings.TrimSpace(text))
	if other, ok := alias[name]; ok {
		return other, nil
	}
	if other, ok := samePress[name]; ok {
		return "", fmt.Errorf("want another key: terminals send it as %s", other)
	}
	mod, rest, _ := strings.Cut(name, "+")
	switch {
	case name == "esc" || slices.Contains(special, name) || function(name):
		return name, nil
	case (mod == "shift" || mod == "ctrl") && slices.Contains(moved, rest), mod == "ctrl" && (rest == "pgup" || rest == "pgdown"):
		return name, nil
	case mod == "shift" && len(rest) == 1 && rest[0] >= 'a' && rest[0] <= 'z':
		return strings.ToUpper(rest), nil
	case mod == "ctrl" && len(rest) == 1 && (rest[0] >= 'a' && rest[0] <= 'z' || strings.Contains(`@\]^_`, rest)):
		return name, nil
	}
	if head, sign, ok := strings.Cut(strings.TrimSpace(text), "+"); ok && strings.EqualFold(head, "alt") && oneSign(sign) {
		return "alt+" + sign, nil
	}
	return "", fmt.Errorf("want the name of a key: %s", KeyNames)
}

// oneSign tells whether a text is one printable character, and no blank.
func oneSign(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size > 0 && size == len(text) && r != utf8.RuneError && unicode.IsPrint(r) && !unicode.IsSpace(r)
}

// function tells whether a name is that of a function key: f1 to f20.
func function(name string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "f"))
	return err == nil && strings.HasPrefix(name, "f") && n >= 1 && n <= 20 && name == "f"+strconv.Itoa(n)
}
