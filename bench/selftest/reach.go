package selftest

import "time"

// tried are all results of redline of a shape: the steps and the rows of the table, which a claim must not contradict.
func (r *Report) tried(burst bool) []Result {
	all := r.Spread
	if burst {
		all = r.Bursts
	}
	all = all[:len(all):len(all)]
	for i := range r.Rows {
		if row := &r.Rows[i].Redline; row.Plan.Streams > 0 && row.Plan.Burst == burst {
			all = append(all, *row)
		}
	}
	return all
}

// good is the most, of one shape, up to which instants were good to a lag: nothing that asks for no more was worse.
func good(tried []Result, lag time.Duration) (most Result, ok bool) {
	for _, s := range tried {
		if (!ok || harder(&s, &most)) && !contradicted(&s, tried, lag) {
			most, ok = s, true
		}
	}
	return most, ok
}

// contradicted tells whether something that asks for no more than s, be it s, was not good to a lag.
func contradicted(s *Result, tried []Result, lag time.Duration) bool {
	for i := range tried {
		if t := &tried[i]; !t.goodTo(lag) && t.Plan.within(s.Plan) {
			return true
		}
	}
	return false
}

// least is the least that was tried, and was not good to a lag.
func least(tried []Result, lag time.Duration) (least Result, ok bool) {
	for _, s := range tried {
		if !s.goodTo(lag) && (!ok || harder(&least, &s)) {
			least, ok = s, true
		}
	}
	return least, ok
}

// goodTo tells whether 99 of 100 tokens were good to a lag, in all and in most seconds, at the rate that was asked for.
func (r *Result) goodTo(lag time.Duration) bool {
	return max(r.P99, r.Lags.Quantile(0.99)) <= lag && !r.behind()
}

// within tells whether p asks for no more than q: of bursts the streams count, else the tokens a second too.
func (p Plan) within(q Plan) bool {
	return p.Streams <= q.Streams && (p.Burst || p.all() <= q.all())
}

// all is the tokens a second of all streams.
func (p Plan) all() float64 { return float64(p.Streams) * p.Rate }

// harder tells whether a is more than b: by streams in bursts, else by tokens a second.
func harder(a, b *Result) bool {
	if a.Plan.Burst || a.Plan.all() == b.Plan.all() {
		return a.Plan.Streams > b.Plan.Streams
	}
	return a.Plan.all() > b.Plan.all()
}
