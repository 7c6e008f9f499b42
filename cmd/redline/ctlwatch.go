package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"redline/bench/remote"
	"redline/bench/report"
)

// watch tells each second of the run in a line, until it ends.
func (c *control) watch(forced chan<- int) *cobra.Command {
	return &cobra.Command{Use: "watch", Short: "tell each second of the run in a line, until it ends", Args: noWords, RunE: func(cmd *cobra.Command, _ []string) error {
		return c.ask(cmd.Context(), forced, func(ctx context.Context, run *remote.Client) error {
			var gone error
			err := run.Watch(ctx, func(event string, text []byte) bool {
				out := string(bytes.TrimSpace(text)) + "\n"
				if !c.json {
					out = glimpsed(event, text)
				}
				_, gone = io.WriteString(c.main.Stdout, out)
				return gone == nil
			})
			if err == nil {
				err = gone
			}
			return err
		})
	}}
}

// glimpse is what a line tells of an object of the stream.
type glimpse struct {
	Target *struct {
		Letter string `json:"letter"`
	} `json:"target"`
	AtS      float64  `json:"at_s"`
	State    string   `json:"state"`
	Loop     string   `json:"loop"`
	InFlight int      `json:"in_flight"`
	Slots    *float64 `json:"load_in_flight"`
	Rate     *float64 `json:"load_requests_per_s"`
	Window   *struct {
		TTFT *spot    `json:"ttft_ms"`
		ITL  *spot    `json:"itl_ms"`
		TPS  *spot    `json:"tps_tokens_per_s"`
		RPM  *float64 `json:"rpm_requests_per_min"`
		TPM  *float64 `json:"tpm_tokens_per_min"`
	} `json:"window"`
	Level *struct {
		ID    int    `json:"level"`
		State string `json:"state"`
	} `json:"level"`
	Events []struct {
		AtS  float64 `json:"at_s"`
		Text string  `json:"text"`
	} `json:"events"`
}

// spot are points of a distribution.
type spot struct {
	P95 *float64 `json:"p95"`
	P5  *float64 `json:"p5"`
}

// glimpsed is an object of the stream as lines; empty for what has none.
func glimpsed(event string, text []byte) string {
	var g glimpse
	if event != "second" || json.Unmarshal(text, &g) != nil {
		return ""
	}
	var b strings.Builder
	who := ""
	if g.Target != nil {
		who = g.Target.Letter + " "
	}
	for _, e := range g.Events {
		fmt.Fprintf(&b, "%s %sevent %s\n", clockOf(e.AtS), who, report.Printable(e.Text))
	}
	load := "-"
	if g.Slots != nil {
		load = trimmed(*g.Slots)
	} else if g.Rate != nil {
		load = trimmed(*g.Rate) + "/s"
	}
	fmt.Fprintf(&b, "%s %s%s load=%s inflight=%d", clockOf(g.AtS), who, strings.ToUpper(strings.ReplaceAll(report.Printable(g.State), " ", "-")), load, g.InFlight)
	if g.Level != nil {
		fmt.Fprintf(&b, " level=%d/%s", g.Level.ID, report.Printable(g.Level.State))
	}
	if w := g.Window; w != nil {
		fmt.Fprintf(&b, " ttft.p95=%s itl.p95=%s tps.p5=%s rpm=%s tpm=%s", w.TTFT.at95("ms"), w.ITL.at95("ms"), w.TPS.at5(), rounded(w.RPM), rounded(w.TPM))
	}
	return b.String() + "\n"
}

func (p *spot) at95(unit string) string {
	if p == nil || p.P95 == nil {
		return "-"
	}
	return trimmed(*p.P95) + unit
}

func (p *spot) at5() string {
	if p == nil || p.P5 == nil {
		return "-"
	}
	return trimmed(*p.P5)
}

// trimmed is a number in four digits.
func trimmed(v float64) string {
	if v >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	return strconv.FormatFloat(short, 'f', -1, 64)
}

func rounded(v *float64) string {
	if v == nil {
		return "-"
	}
	return trimmed(*v)
}
