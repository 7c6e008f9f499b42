package report

import (
	"fmt"
	"math"
	"strconv"

	"redline/bench"
	"redline/bench/analysis"
)

// costColumns are what a load costs; they are empty without prices.
func costColumns(add func(group, name string, weight int, cell func(row) string)) {
	cell := func(of func(*analysis.Cost) bench.Value) func(row) string {
		return func(r row) string {
			v := of(&r.cost)
			if !v.OK {
				return ""
			}
			return roughly(r.cost.Rough) + price(v.V)
		}
	}
	add("cost", "M out", 58, cell(func(c *analysis.Cost) bench.Value { return c.PerMillion }))
	add("cost", "request", 28, cell(func(c *analysis.Cost) bench.Value { return c.PerRequest }))
}

// price is a sum of money to three digits, if it is a small one.
func price(v float64) string {
	if !(v > 1e-9) || v >= 1 {
		return money(v)
	}
	return strconv.FormatFloat(v, 'f', min(2-int(math.Floor(math.Log10(v))), 9), 64)
}

// cheapestWords name the cheapest load of a curve that keeps every promise; empty where the load decides nothing, or nothing has a price.
func cheapestWords(s *bench.Snapshot, c *analysis.Curve) string {
	l := c.Cheapest(nil, s.Run.Prices)
	if l == nil {
		return ""
	}
	cost := analysis.CostOf(&l.Summary, s.Run.Prices)
	text := fmt.Sprintf("cheapest: %s, %s a million output tokens", l.Load, price(cost.PerMillion.V))
	if len(promised(s.Run.Thresholds)) > 0 {
		text += ", with every promise kept"
	}
	return text
}

// reportCost is what a level costs, in the currency of the prices.
type reportCost struct {
	PerHour    *float64 `json:"per_hour"`
	PerRequest *float64 `json:"per_request"`
	PerMillion *float64 `json:"per_million_output_tokens"`
	Rough      bool     `json:"rough"`
}

// reportCostOf is the cost of a saved level; nil without prices.
func reportCostOf(s *bench.Summary, p bench.Prices) *reportCost {
	c := analysis.CostOf(s, p)
	if !c.PerHour.OK {
		return nil
	}
	return &reportCost{known(c.PerHour), known(c.PerRequest), known(c.PerMillion), c.Rough}
}
