package action

import "strings"

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

// index finds a binding by mode and key.
var index = func() map[Mode]map[string]*Binding {
	out := map[Mode]map[string]*Binding{}
	for i := range Table {
		b := &Table[i]
		if out[b.Mode] == nil {
			out[b.Mode] = map[string]*Binding{}
		}
		for _, k := range b.Keys {
			out[b.Mode][k] = b
		}
	}
	return out
}()

// Find is the binding that hears a key in a state, nil if none does: the answers of an open question first, then the dashboard's keys.
func Find(key string, s State) *Binding {
	key = Key(key)
	if b := index[s.Mode][key]; b != nil && b.Works(s) {
		return b
	}
	if b := index[Driving][key]; b != nil && b.Works(s) {
		return b
	}
	return nil
}
