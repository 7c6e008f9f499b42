package record

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// Each number in a second or in the header's runs that is no count has its unit in the header, and the header names none that
// does not exist.
func TestTheHeaderTellsTheUnitOfEveryNumber(t *testing.T) {
	told, used := map[string]string{}, map[string]bool{}
	for unit, names := range fields {
		for _, name := range names {
			if other, twice := told[name]; twice {
				t.Errorf("%s is in %s, and in %s", name, unit, other)
			}
			told[name] = unit
		}
	}
	inner := func(of reflect.Type) reflect.Type {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice || of.Kind() == reflect.Array {
			of = of.Elem()
		}
		return of
	}
	leaf := map[reflect.Type]bool{reflect.TypeFor[bench.Setpoint](): true, reflect.TypeFor[bench.Threshold](): true, reflect.TypeFor[time.Time](): true}
	var walk func(path []string, of reflect.Type)
	walk = func(path []string, of reflect.Type) {
		measured := of == reflect.TypeFor[bench.Sketch]() || of == reflect.TypeFor[bench.Value]() || of == reflect.TypeFor[bench.Amount]() ||
			of == reflect.TypeFor[micros]() || of == reflect.TypeFor[time.Duration]() || of == reflect.TypeFor[bench.Mark]() || of.Kind() == reflect.Float64 || of.Kind() == reflect.Uint8
		switch {
		case leaf[of]:
		case measured:
			name := path[len(path)-1]
			in := path[len(path)-2] + "." + name
			if told[in] == "" && told[name] == "" {
				t.Errorf("%s: the header tells nothing of it", strings.Join(path, "."))
			}
			used[in], used[name] = true, true
		case of.Kind() == reflect.Struct:
			for i := range of.NumField() {
				f := of.Field(i)
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if name == "-" || !f.IsExported() {
					continue
				}
				if name == "" {
					name = f.Name
				}
				next := append(path[:len(path):len(path)], name)
				if f.Anonymous {
					next = path
				}
				walk(next, inner(f.Type))
			}
		}
	}
	walk([]string{"second"}, reflect.TypeFor[secondLine]())
	walk([]string{"run"}, reflect.TypeFor[bench.Run]())
	for name, unit := range told {
		if !used[name] {
			t.Errorf("the header says that %s is in %s, and there is none", name, unit)
		}
		if list, is := strings.CutPrefix(unit, "enums."); is && enums()[list] == nil {
			t.Errorf("%s is in %s, of which the header has no words", name, unit)
		}
	}
}

// stranger reads a file by what its header says, and by nothing that this package knows.
type stranger struct {
	place map[string]int
	unit  map[string]string
	bins  struct {
		Accuracy    float64
		PerDoubling float64 `json:"per_doubling"`
		Cubic       [3]float64
	}
}

// value is what units.bins says of an index.
func (s *stranger) value(index int) float64 {
	x := float64(index) / s.bins.PerDoubling
	e := math.Floor(x)
	low, high := 0.0, 1.0
	for range 60 {
		m := (low + high) / 2
		if c := s.bins.Cubic; c[0]*m+c[1]*m*m+c[2]*m*m*m < x-e {
			low = m
		} else {
			high = m
		}
	}
	return math.Ldexp(1+low, int(e)) * (1 + s.bins.Accuracy)
}

// sketch is what units.sketch says of an array: how many samples it has, and the values that its bins stand for.
func (s *stranger) sketch(of []float64) (n int, bins []bench.Bin, values []float64) {
	index := 0
	for i := 4; i+1 < len(of); i += 2 {
		index += int(of[i])
		bins = append(bins, bench.Bin{Index: int32(index), Count: uint32(of[i+1])})
		values = append(values, s.value(index))
	}
	return int(of[0]), bins, values
}

// column is a request's column, nil where it was left out.
func (s *stranger) column(row []any, name string) any {
	if i := s.place[name]; i < len(row) {
		return row[i]
	}
	return nil
}

// gaps is what units.gaps says of that column: gaps in microseconds, and events.
func (s *stranger) gaps(column any) (gaps []float64, events []int) {
	all, _ := column.([]any)
	if len(all) == 0 {
		return nil, nil
	}
	data, _ := base64.StdEncoding.DecodeString(all[0].(string))
	for len(data) > 0 {
		gap, n := binary.Uvarint(data)
		data = data[n:]
		twice, n := binary.Uvarint(data)
		if data = data[n:]; twice%2 == 1 {
			_, n = binary.Uvarint(data)
			data = data[n:]
		}
		gaps, events = append(gaps, float64(gap)), append(events, int(twice/2))
	}
	if len(all) > 3 && all[3].(float64) > 0 {
		gaps, events = append(gaps, all[4].(float64)/1000), append(events, int(all[5].(float64)))
	}
	return gaps, events
}

func TestAFileIsReadByItsHeaderAlone(t *testing.T) {
	p := taped(t, 1, 9, 4, true)
	f, err := opened(p.out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var want []bench.Ended
	if err := f.Requests(0, func(e *bench.Ended) bool { want = append(want, *e); return true }); err != nil {
		t.Fatal(err)
	}
	var batches []*bench.Batch
	player := f.Player()
	defer player.Close()
	for s, err := player.peek(); s != nil && err == nil; s, err = player.peek() {
		batches = append(batches, s.batches...)
		player.fold()
	}
	text := bytes.Split(contents(t, f), []byte("\n"))
	s := newStranger(t, text[0])
	for _, line := range text[1:] {
		switch {
		case bytes.HasPrefix(line, []byte("[")):
			s.request(t, line, &want[0])
			want = want[1:]
		case bytes.HasPrefix(line, []byte(`{"second"`)):
			s.second(t, line, batches[0])
			batches = batches[1:]
		}
	}
	if len(want) > 0 || len(batches) > 0 {
		t.Errorf("%d requests and %d seconds were not met", len(want), len(batches))
	}
	for i := -2000; i < 3000; i += 7 {
		if got, want := s.value(i), (bench.Bin{Index: int32(i)}).Value(); math.Abs(got/want-1) > 1e-9 {
			t.Fatalf("bin %d is %g by the header, and %g", i, got, want)
		}
	}
}

// contents is what zstd -dc gives of a file.
func contents(t *testing.T, f *File) (text []byte) {
	t.Helper()
	l := newLines()
	defer l.close()
	for i := range f.frames {
		f.openFrame(l, i)
		for line, err := l.next(); err == nil; line, err = l.next() {
			text = append(append(text, line...), '\n')
		}
	}
	return text
}

func newStranger(t *testing.T, header []byte) *stranger {
	var h struct {
		Columns []struct{ Name, Unit string }
		Bins    json.RawMessage
	}
	if err := json.Unmarshal(header, &h); err != nil {
		t.Fatal(err)
	}
	s := &stranger{place: map[string]int{}, unit: map[string]string{}}
	for i, c := range h.Columns {
		s.place[c.Name], s.unit[c.Name] = i, c.Unit
	}
	if err := json.Unmarshal(h.Bins, &s.bins); err != nil {
		t.Fatal(err)
	}
	return s
}

// request holds a request's record against what it was made of.
func (s *stranger) request(t *testing.T, line []byte, want *bench.Ended) {
	t.Helper()
	var row []any
	if err := json.Unmarshal(line, &row); err != nil {
		t.Fatal(err)
	}
	started, _ := s.column(row, "started").(float64)
	for name, mark := range map[string]bench.Mark{"started": want.Marks.Started, "first_token": want.Marks.FirstToken, "last_token": want.Marks.LastToken, "ended": want.Marks.Ended} {
		at, there := s.column(row, name).(float64)
		switch s.unit[name] {
		case "us since the run's start":
		case "us since started":
			at += started
		default:
			t.Fatalf("%s is in %q", name, s.unit[name])
		}
		if there != mark.OK || there && math.Abs(at*1000-float64(mark.At)) > 0.5 {
			t.Errorf("%s is %v us by the header, want %v", name, at, mark)
		}
	}
	gaps, events := s.gaps(s.column(row, "gaps"))
	i := 0
	for gap, n := range want.Gaps.All() {
		if i >= len(gaps) || gaps[i] != float64(gap)/1000 || events[i] != n {
			t.Fatalf("gap %d of %v is not %v of %d events", i, gaps, gap, n)
		}
		i++
	}
	if i != len(gaps) {
		t.Errorf("%d gaps by the header, want %d", len(gaps), i)
	}
}

// second holds a second's line against the batch that it was made of.
func (s *stranger) second(t *testing.T, line []byte, want *bench.Batch) {
	t.Helper()
	var l struct {
		Second struct {
			Batches []struct {
				Start, Span float64
				Facts       struct {
					ITL  []float64
					Stay float64
				}
				Firsts struct{ At, TTFT []float64 }
			}
		}
	}
	if err := json.Unmarshal(line, &l); err != nil {
		t.Fatal(err)
	}
	b := &l.Second.Batches[0]
	if b.Start != float64(want.Start) || b.Facts.Stay != want.Facts.Stay || len(b.Firsts.At) != len(want.FirstTokens) {
		t.Errorf("a second from %v with %d first tokens, want %v with %d", b.Start, len(b.Firsts.At), want.Start, len(want.FirstTokens))
	}
	at := b.Start
	for i, f := range want.FirstTokens {
		if at += b.Firsts.At[i] * 1000; at != float64(f.At) || b.Firsts.TTFT[i]*1000 != float64(f.TTFT) {
			t.Errorf("a first token at %v after %v us, want %v after %v", at, b.Firsts.TTFT[i], f.At, f.TTFT)
		}
	}
	if len(b.Facts.ITL) == 0 {
		return
	}
	n, bins, values := s.sketch(b.Facts.ITL)
	if n != int(want.Facts.ITL.N) || !reflect.DeepEqual(bins, want.Facts.ITL.Bins) {
		t.Errorf("%d samples in %v, want %d in %v", n, bins, want.Facts.ITL.N, want.Facts.ITL.Bins)
	}
	for i, v := range values {
		if math.Abs(v/bins[i].Value()-1) > 1e-9 {
			t.Errorf("bin %d stands for %v, want %v", bins[i].Index, v, bins[i].Value())
		}
	}
}
