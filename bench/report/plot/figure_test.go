package plot

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"
)

// shape is an element of a figure.
type shape struct {
	name  string
	attrs map[string]string
	text  string
}

// shapesOf reads a figure back.
func shapesOf(t *testing.T, svg string) []shape {
	t.Helper()
	var out []shape
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch x := token.(type) {
		case xml.StartElement:
			one := shape{name: x.Name.Local, attrs: map[string]string{}}
			for _, a := range x.Attr {
				one.attrs[a.Name.Local] = a.Value
			}
			out = append(out, one)
		case xml.CharData:
			if n := len(out); n > 0 {
				out[n-1].text += string(x)
			}
		}
	}
}

func sample() *Figure {
	return &Figure{ID: "f", Title: "a <title>", Text: `what "it" is`, Width: 400, X: Times(10 * time.Second),
		Panes: []Pane{
			{Name: "A & B", Height: 100, Y: Axis{Max: 10}, Lines: []Line{{Name: "one", Class: "a", Points: []Point{{0, 1}, {2, 2}, {4, math.NaN()}, {6, 4}, {8, 400}}, Dots: true}},
				Rules: []Rule{{5, "promise", "a <limit>"}, {50, "promise", "out of it"}}},
			{Name: "C", Height: 50, Y: Axis{Min: 1, Max: 1000, Log: true}, Lines: []Line{{Class: "b", Steps: true, Area: true, Dashed: true, Points: []Point{{0, 1}, {5, 10}, {10, 100}}}},
				Dots: []Dot{{Point: Point{5, 10}, Low: 5, High: 20, Class: "b", Title: "ten"}}},
		},
		Marks: []Mark{{5, "note", "here", "a note"}, {5.1, "note", "no room", "another"}, {50, "note", "x", "out of it"}},
		Hints: []Hint{{0, 5, "first\nhalf"}, {5, 10, "second half"}},
	}
}

func TestAFigureIsXMLWithClassesAndTitles(t *testing.T) {
	svg, err := sample().SVG()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(svg, "style=") || strings.Contains(svg, "<script") {
		t.Error("a look stands in the figure itself, where the page's policy forbids it")
	}
	var texts, titles []string
	pieces := 0
	for _, s := range shapesOf(t, svg) {
		switch s.name {
		case "text":
			texts = append(texts, s.text)
		case "title":
			titles = append(titles, s.text)
		case "path":
			if strings.HasPrefix(s.attrs["class"], "line a") {
				pieces++
			}
			if s.attrs["class"] == "" {
				t.Errorf("a path without a class: %v", s.attrs)
			}
		}
	}
	for _, want := range []string{"A & B", "C", "0:00", "0:05", "here", "100"} {
		if !strings.Contains(strings.Join(texts, "|"), want) {
			t.Errorf("%q is not among %q", want, texts)
		}
	}
	if all := strings.Join(texts, "|"); strings.Contains(all, "no room") || strings.Contains(all, "|x|") {
		t.Errorf("labels without room: %q", texts)
	}
	if want := []string{"a <title>", "first\nhalf", "second half", "a note", "another", "a <limit>", "ten"}; fmt.Sprint(titles) != fmt.Sprint(want) {
		t.Errorf("titles %q, want %q", titles, want)
	}
	if pieces != 2 {
		t.Errorf("a line with one gap has %d pieces", pieces)
	}
}

func TestNothingLeavesItsFigure(t *testing.T) {
	svg, err := sample().SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shapesOf(t, svg) {
		var x, y float64
		for _, part := range strings.Split(s.attrs["d"], "\n") {
			if n, _ := fmt.Sscanf(strings.TrimLeft(part, "ML "), "%g %g", &x, &y); n == 2 && (x < 0 || x > 400 || y < 0 || y > 264) {
				t.Errorf("%s of %s", part, s.attrs["class"])
			}
		}
	}
}

func TestAnAxisWithoutExtentIsAnError(t *testing.T) {
	for sentence, change := range map[string]func(*Figure){
		"no length":              func(f *Figure) { f.X = Axis{Min: 1, Max: 1} },
		"a pane without height":  func(f *Figure) { f.Panes[0].Y = Axis{} },
		"a logarithm of nothing": func(f *Figure) { f.Panes[1].Y.Min = 0 },
		"no end":                 func(f *Figure) { f.X.Max = math.Inf(1) },
		"no number":              func(f *Figure) { f.X.Max = math.NaN() },
	} {
		f := sample()
		if change(f); f != nil {
			if _, err := f.SVG(); err == nil {
				t.Errorf("%s: no error", sentence)
			}
		}
	}
}

func TestTicksAreRound(t *testing.T) {
	words := func(a Axis, most int) string {
		var out []string
		for _, tick := range a.ticks(most) {
			out = append(out, tick.Label)
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		sentence string
		axis     Axis
		most     int
		want     string
	}{
		{"even numbers", Axis{Max: 100}, 5, "0 20 40 60 80 100"},
		{"small ones", Axis{Max: 0.3}, 4, "0 0.1 0.2 0.3"},
		{"through zero", Axis{Min: -1, Max: 1}, 4, "-1 -0.5 0 0.5 1"},
		{"factors", Axis{Min: 8, Max: 700, Log: true}, 8, "10 20 50 100 200 500"},
		{"fewer factors", Axis{Min: 1, Max: 1e6, Log: true}, 8, "1 10 100 1000 10k 100k 1M"},
		{"time", Times(90 * time.Second), 12, "0:00 0:10 0:20 0:30 0:40 0:50 1:00 1:10 1:20 1:30"},
		{"hours", Times(2 * time.Hour), 12, "0:00:00 0:10:00 0:20:00 0:30:00 0:40:00 0:50:00 1:00:00 1:10:00 1:20:00 1:30:00 1:40:00 1:50:00 2:00:00"},
		{"days", Times(100 * 24 * time.Hour), 12, ""},
	} {
		if got := words(c.axis, c.most); got != c.want && c.want != "" || len(c.axis.ticks(c.most)) > 30 {
			t.Errorf("%s: %s, want %s", c.sentence, got, c.want)
		}
	}
	for v, want := range map[float64]float64{0: 1, 3: 4, 99: 150, 1000: 1500} {
		if got := Upto(v); got.Max != want || got.Min != 0 {
			t.Errorf("up to %g: %+v, want %g", v, got, want)
		}
	}
}
