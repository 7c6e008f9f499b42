package main

import (
	"fmt"
	"strings"
	"time"

	"redline/bench"
	"redline/bench/sim/model"
	"redline/themes"
	"redline/ui"
	"redline/ui/action"
	"redline/ui/view"
)

// settings is what the operator asked for, after the flags and before anything is started.
type settings struct {
	// config is the file that was named, target the table of it.
	config, target string
	url, model     string
	several
	keyEnv, keyFile string
	metrics         metrics
	loading
	// seek is what find was asked for.
	seek seeking
	// headless is what run was asked for.
	headless           headless
	step               int
	duration           time.Duration
	requests           int
	paused, unattended bool
	keeping            keeping
	thresholds         []bench.Threshold
	prices             bench.Prices
	budget             float64
	budgetTokens       int
	limits             limits
	preset             model.Preset
	protocol
	// quotaRPM and quotaTPM are the operator's own quotas; 0 is none. They stand in the place of those among the promises (see settings.promises).
	quotaRPM, quotaTPM int
	// quotaReserve is the share of each quota, 0..1, that is left to others; on429 what a 429 does.
	quotaReserve float64
	on429        string
	screen       screen
	listening    listening
}

// limits bound how long one request, and the end of the run, may take.
type limits struct {
	stall, connect, firstToken, idle, total, drain time.Duration
}

// ofRequests are those that bound each request.
func (l limits) ofRequests() bench.Limits {
	return bench.Limits{Connect: l.connect, FirstToken: l.firstToken, Idle: l.idle, Total: l.total}
}

// screen is how it is shown.
type screen struct {
	plain, ascii, noSync bool
	// unicode says that ASCII was refused, not only left out.
	unicode             bool
	theme, color, graph string
	look                *themes.Theme
	fps                 int
	window              time.Duration
	mouse               bool
	// keys are the keys in force; nil are the program's own.
	keys *action.Map
	// private hides hosts, texts and the server's words; saveDir is the folder that frames and summaries are saved in.
	private bool
	saveDir string
	bell    string
	noTitle bool
	// ghost names the run that is raced, past is that; nil without one.
	ghost string
	past  *view.Earlier
}

const (
	publicTokens = 1_000_000
	longestSpan  = 30 * 24 * time.Hour
	defaultDrain = 30 * time.Second
	demoStep     = 4
)

func defaults() settings {
	return settings{
		loading: defaultLoading(), step: 1,
		limits: limits{
			stall: time.Second, connect: 10 * time.Second, firstToken: 2 * time.Minute, idle: time.Minute, total: 10 * time.Minute,
			drain: defaultDrain,
		},
		preset: model.Presets()[0], keeping: keeping{keep: defaultKeep}, on429: on429Names[0],
		screen: screen{color: "auto", graph: graphNames[0], saveDir: ".", bell: bellNames[0]},
	}
}

var (
	colorNames  = []string{"auto", "true", "256", "16", "none"}
	graphNames  = []string{"block", "braille", "ascii"}
	windowNames = []string{"30s", "1m", "2m", "5m", "15m", "all"}
	on429Names  = []string{"hold", "pause"}
	bellNames   = []string{"off", "slo"}
)

// define lays all flags of the root command on a flag set. What cannot be read is left in found.
func (s *settings) define(f flags) {
	f.group("Target", s.defineTarget)
	f.group("Protocol and transport", s.defineProtocol)
	f.group("Load", s.loading.define)
	f.group("Prompts", s.loading.definePrompts)
	f.group("Run", s.defineRun)
	f.group("Promises and purse", s.definePurse)
	f.group("Screen", s.defineScreen)
	f.group("Remote control", s.listening.define)
}

func (s *settings) defineTarget(f flags) {
	f.StringVar(&s.config, "config", "", "read the settings in the file `PATH`; none reads no file (default: ./"+fileName+", and yours in your folder for settings beneath it)")
	f.Var(&naming{"NAME", &s.target, &s.names}, "target", "drive the target NAME of the file of settings; a second one is compared with it")
	f.Var(&naming{"URL", &s.url, &s.urls}, "url", "base URL of the endpoint, as in http://gpu-7:8000/v1; a second one is compared with it; without any the embedded simulated server is driven")
	f.StringVar(&s.ranked, "targets", "", "drive two or more targets at once at the same load, without a screen, and rank them by cost where the promises are kept: `LIST` of URLs and names, with commas between")
	f.StringVar(&s.model, "model", "", "`NAME` of the model; without it the only one that the server lists")
	f.StringVar(&s.keyEnv, "api-key-env", "", "take the API key from the environment variable `NAME`")
	f.StringVar(&s.keyFile, "api-key-file", "", "take the API key from the file `PATH`")
	s.metrics.define(f)
	define(f, &s.preset, "preset", "", "NAME", "kind of simulated server: "+strings.Join(presetNames(), ", ")+" (default "+presetNames()[0]+")", func(name string) (model.Preset, error) {
		p, err := model.ParsePreset(name)
		if err != nil {
			return 0, fmt.Errorf("want one of %s", strings.Join(presetNames(), ", "))
		}
		return p, nil
	})
}

func (s *settings) defineProtocol(f flags) {
	s.protocol.define(f)
	f.span(&s.limits.connect, "connect-timeout", time.Millisecond, time.Hour, "longest time to connect")
	f.span(&s.limits.firstToken, "first-token-timeout", time.Millisecond, 24*time.Hour, "longest wait for a first token")
	f.span(&s.limits.idle, "idle-timeout", time.Millisecond, 24*time.Hour, "longest silence within a stream")
	f.span(&s.limits.total, "timeout", time.Millisecond, 24*time.Hour, "longest time for one request")
}

func (s *settings) defineRun(f flags) {
	f.count(&s.step, "step", "", 1, maxLoad, "step of + and - (4 with the simulated server)")
	f.span(&s.duration, "duration", 0, longestSpan, "end after so much time of measuring; 0 runs until you stop it")
	f.count(&s.requests, "requests", "", 0, 1_000_000_000, "end after so many measured requests; 0 is no limit")
	f.BoolVar(&s.paused, "paused", false, "wait for space before anything is sent")
	f.span(&s.limits.stall, "stall", time.Millisecond, time.Hour, "chunk gap from which on a stream counts as stalled")
	f.span(&s.limits.drain, "drain-timeout", 0, time.Hour, "longest wait for running requests at the end")
	f.choice(&s.on429, "on-429", on429Names, "what a 429 does: hold its slot as long as the server asks, or pause the run (without a screen, end it)")
	s.keeping.define(f)
	f.BoolVar(&s.unattended, "unattended", false, "do not pause when nobody has touched a key for 30 minutes")
}

func (s *settings) definePurse(f flags) {
	f.VarP(&promises{to: &s.thresholds, found: f.found}, "slo", "",
		"promise to hold the run against, repeatable; \"none\" for none (default: those of the scenario)")
	f.amount(&s.prices.Input, "price-in", "price of a million prompt tokens")
	f.amount(&s.prices.Output, "price-out", "price of a million output tokens")
	define(f, &s.prices.Cached, "price-cached", "", "AMOUNT", "price of a million prompt tokens that the server takes from its cache (default: that of the others)", func(text string) (bench.Value, error) {
		v, err := parseAmount(text)
		return bench.Some(v), err
	})
	f.amount(&s.prices.GPUHour, "gpu-hour", "price of an hour of one GPU, in place of prices of tokens")
	f.count(&s.prices.GPUs, "gpus", "", 1, 1_000_000, "how many GPUs serve the target (default 1)")
	f.amount(&s.budget, "budget", "pause when this much is spent, by the prices; 0 is no limit")
	f.count(&s.budgetTokens, "budget-tokens", "", 0, 1_000_000_000_000, "pause when so many tokens are used; 0 is no limit (1000000 on public hosts)")
	f.quota(&s.quotaRPM, bench.RPM, "attempts a minute that the key may make, as in 600: short for --slo 'rpm<=600', beside whatever promises there are")
	f.quota(&s.quotaTPM, bench.TPM, "tokens a minute that the key may use, as in 300k: short for --slo 'tpm<=300k'")
	define(f, &s.quotaReserve, "quota-reserve", "", "SHARE", "share of each of the server's quotas to leave to others, as in 30%", parseShare)
}

func (s *settings) defineScreen(f flags) {
	f.BoolVar(&s.screen.plain, "plain", false, "no screen: one line a second, as when the output is not a terminal")
	f.StringVar(&s.screen.theme, "theme", "", "`NAME` or path of a theme")
	f.choice(&s.screen.color, "color", colorNames, "colours: "+strings.Join(colorNames, ", "))
	f.BoolVar(&s.screen.ascii, "ascii", false, "draw with ASCII only")
	f.choice(&s.screen.graph, "graph", graphNames, "how lanes and curves are drawn: "+strings.Join(graphNames, ", "))
	f.count(&s.screen.fps, "fps", "", 0, 30, "updates a second, 1 to 30; 0 means 4, or 2 over SSH")
	f.BoolVar(&s.screen.noSync, "no-sync", false, "do not use synchronized output")
	f.BoolVar(&s.screen.mouse, "mouse", false, "hear the mouse: a click chooses, the wheel goes about, neither changes the load")
	define(f, &s.screen.window, "window", "", "TIME", "time that the lanes show: "+strings.Join(windowNames, ", ")+" (default 2m)", parseWindow)
	f.StringVar(&s.screen.ghost, "ghost", "", "race an earlier run: the run `FILE` stands faintly behind the lanes and beside the numbers, FILE@LOAD or FILE#LEVEL a level of it; last takes the last run of the same target and model")
	f.BoolVar(&s.screen.private, "private", false, "hide hosts, addresses, prompts, answers and what the server says, in the screen, lines, summary and saved files")
	f.StringVar(&s.screen.saveDir, "save-dir", s.screen.saveDir, "folder `PATH` in which S saves the frame and the summary")
	f.choice(&s.screen.bell, "bell", bellNames, "ring the terminal's bell: slo when a promise breaks, off never")
	f.BoolVar(&s.screen.noTitle, "no-title", false, "leave the title of the terminal's window alone")
}

func presetNames() []string {
	var names []string
	for _, p := range model.Presets() {
		names = append(names, p.String())
	}
	return names
}

func parseWindow(name string) (time.Duration, error) {
	if name == "all" {
		return ui.WholeRun, nil
	}
	d, err := time.ParseDuration(name)
	for _, w := range windowNames {
		if known, _ := time.ParseDuration(w); err == nil && d == known {
			return d, nil
		}
	}
	return 0, fmt.Errorf("want one of %s", strings.Join(windowNames, ", "))
}
