package remote

import (
	"bytes"
	"net/http"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"redline/bench"
)

// metrics answers a scrape.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	snap, _ := s.shown()
	format := expfmt.NegotiateAccept(r.Header, expfmt.DefaultAcceptedFormats()...)
	var b bytes.Buffer
	out := expfmt.NewEncoder(&b, format)
	for _, f := range s.gather(snap) {
		if err := out.Encode(f); err != nil {
			refuse(w, http.StatusInternalServerError, "the metrics could not be made")
			return
		}
	}
	w.Header().Set("Content-Type", string(format))
	within(w)
	_, _ = w.Write(b.Bytes())
}

// book enters what is new into the books, whether it is scraped or not: what is forgotten on the screen cannot be counted later.
func (s *Server) book() {
	snap := s.o.Engine.Snapshot()
	s.books.Lock()
	defer s.books.Unlock()
	if snap.Rivals == nil {
		s.books.of(0, snap)
		return
	}
	for i, of := range snap.Rivals.Of {
		s.books.of(i, of)
	}
}

// gather are the families of metrics that have any series, of all targets, in the order of the table.
func (s *Server) gather(snap *bench.Snapshot) []*dto.MetricFamily {
	s.books.Lock()
	defer s.books.Unlock()
	all := []*bench.Snapshot{snap}
	if snap.Rivals != nil {
		all = snap.Rivals.Of
	}
	var views []*view
	for i, of := range all {
		v := &view{s: of, book: s.books.of(i, of), shown: snap.Rivals == nil || snap.Rivals.Shown == i || snap.Rivals.Both, recording: s.o.Recording != nil && s.o.Recording()}
		v.target = of.Run.Host
		if snap.Rivals != nil {
			if v.target = snap.Rivals.Names[i]; v.target == bench.Hidden {
				v.target = bench.Letter(i)
			}
		}
		v.model = of.Run.Model
		views = append(views, v)
	}
	var out []*dto.MetricFamily
	for i := range table {
		row := &table[i]
		f := &dto.MetricFamily{Name: new(row.name), Help: new(row.help), Type: new(row.kind)}
		for _, v := range views {
			row.read(v, func(m *dto.Metric, labels ...string) {
				m.Label = append(m.Label, label("target", v.target), label("model", v.model))
				for i := 0; i+1 < len(labels); i += 2 {
					m.Label = append(m.Label, label(labels[i], labels[i+1]))
				}
				f.Metric = append(f.Metric, m)
			})
		}
		if len(f.Metric) > 0 {
			out = append(out, f)
		}
	}
	return out
}

func label(name, value string) *dto.LabelPair {
	return &dto.LabelPair{Name: new(name), Value: new(value)}
}

func counter(v float64) *dto.Metric { return &dto.Metric{Counter: &dto.Counter{Value: new(v)}} }
func gauge(v float64) *dto.Metric   { return &dto.Metric{Gauge: &dto.Gauge{Value: new(v)}} }

// truth is a gauge of 1 or 0.
func truth(is bool) *dto.Metric {
	if is {
		return gauge(1)
	}
	return gauge(0)
}
