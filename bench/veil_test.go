package bench

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// quoting are the sentences of the engine that quote somebody, and so are hidden in private.
var quoting = []string{"slots wait for the quota: 8"}

// What the engine itself says of a run, why it pauses and ends with it, is there in private too: all its sentences are read from its source.
func TestTheEnginesOwnSentencesAreNotHidden(t *testing.T) {
	files, err := filepath.Glob("engine/*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, wording := range sentencesOf(file) {
			found++
			known := func(text string) bool { return veiledWords(text) == text || slices.Contains(quoting, text) }
			if !slices.ContainsFunc(filled(wording), known) {
				t.Errorf("%s: %q is hidden", path, wording)
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d sentences were found", found)
	}
}

// sentencesOf are the wordings of a file's events that a Veil looks at, and of the reasons for a pause or an end; %s stands for what is not written there.
func sentencesOf(file *ast.File) (all []string) {
	named := map[string]string{}
	take := func(e ast.Expr) {
		text := wordingOf(e)
		if name, ok := e.(*ast.Ident); ok {
			text = named[name.Name]
		}
		if strings.Trim(text, "%s") != "" {
			all = append(all, text)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if name, ok := n.Lhs[0].(*ast.Ident); ok {
				named[name.Name] = wordingOf(n.Rhs[0])
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"pause", "stop", "kill", "enter"}, f.Sel.Name) && len(n.Args) > 0 {
				take(n.Args[len(n.Args)-1])
			}
		case *ast.CompositeLit:
			kind, text := "", ast.Expr(nil)
			for _, e := range n.Elts {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					switch key, _ := pair.Key.(*ast.Ident); {
					case key == nil:
					case key.Name == "Kind":
						if of, ok := pair.Value.(*ast.SelectorExpr); ok {
							kind = of.Sel.Name
						}
					case key.Name == "Text", key.Name == "Why":
						text = pair.Value
					}
				}
			}
			if text != nil && slices.Contains([]string{"EventPause", "EventResume", "EventDrain", "EventDrained", "EventUp", "EventWarn", "EventEnd", "EventGap"}, kind) {
				take(text)
			}
		}
		return true
	})
	return all
}

// wordingOf is an expression's text.
func wordingOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil {
			return text
		}
	case *ast.BinaryExpr:
		return wordingOf(e.X) + wordingOf(e.Y)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
			return wordingOf(e.Args[0])
		}
	}
	return "%s"
}

var verb = regexp.MustCompile(`%[sd]`)

// filled are a wording's sentences, with a load, a time and a profile in each of its places.
func filled(wording string) (out []string) {
	at := verb.FindStringIndex(wording)
	if at == nil {
		return []string{wording}
	}
	for _, s := range []string{"8", "2.5/s", "1m30s", "ramp 1..9 in 4s, 40:10s", "a rise to 2.5/s", "ramp"} {
		out = append(out, filled(wording[:at[0]]+s+wording[at[1]:])...)
	}
	return out
}
