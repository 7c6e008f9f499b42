package load

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// linesOf are the lines, from 1, of the keys of a file that can be read: "mode", "stage.0", "stage.0.load". Keys within a value in braces are not among them.
func linesOf(data []byte) map[string]int {
	lines, stages, table := map[string]int{}, 0, ""
	var ends []int
	for i, b := range data {
		if b == '\n' {
			ends = append(ends, i)
		}
	}
	p := &unstable.Parser{}
	p.Reset(data)
	for p.NextExpression() {
		n := p.Expression()
		it := n.Key()
		var parts []string
		line := 1
		for it.Next() {
			if len(parts) == 0 {
				// The parser's own way to a line counts from the top each time.
				before, _ := slices.BinarySearch(ends, int(it.Node().Raw.Offset))
				line = before + 1
			}
			parts = append(parts, string(it.Node().Data))
		}
		key := strings.Join(parts, ".")
		switch {
		case n.Kind == unstable.ArrayTable && key == "stage":
			key = "stage." + strconv.Itoa(stages)
			table = key + "."
			stages++
		case n.Kind == unstable.Table || n.Kind == unstable.ArrayTable:
			table = key + "."
		case n.Kind == unstable.KeyValue:
			key = table + key
		}
		if _, ok := lines[key]; !ok {
			lines[key] = line
		}
		if _, ok := lines["stage"]; !ok && strings.HasPrefix(key, "stage.") {
			lines["stage"] = line
		}
	}
	return lines
}
