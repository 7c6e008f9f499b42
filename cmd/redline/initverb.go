package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// initVerb writes a file of settings in which everything is a comment.
func (m *Main) initVerb() *cobra.Command {
	return &cobra.Command{
		Use: "init [PATH]", Short: "write a commented file of settings", Args: cobra.MaximumNArgs(1),
		Long:    "init writes a file in which every setting stands as a comment, by default where redline looks for your own: in your folder for settings. It never\nwrites over a file that is there.",
		Example: "  redline init\n  redline init ./redline.toml",
		RunE: func(_ *cobra.Command, args []string) error {
			path := m.ownFile()
			if len(args) > 0 {
				path = args[0]
			}
			if path == "" {
				return errors.New("init: want a PATH; this environment names no folder for settings")
			}
			if err := writeNew(path, template()); err != nil {
				return err
			}
			_, err := fmt.Fprintf(m.Stdout, "%s\n", path)
			return err
		},
	}
}

// writeNew writes a file that is not there yet, with the folders that it needs.
func writeNew(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("init %s: want a folder that can be made (%w)", path, errors.Unwrap(err))
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("init %s: want another path, as in redline init %s; this file is there, and nothing is written over it", path, otherPath(path))
	case err != nil:
		return fmt.Errorf("init %s: want a path that can be written (%w)", path, errors.Unwrap(err))
	}
	_, err = f.WriteString(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fmt.Errorf("init %s: %w", path, err)
	}
	return nil
}

// otherPath is a path to offer in place of one at which there is a file.
func otherPath(path string) string {
	for _, other := range []string{"./" + fileName, "./other.toml"} {
		if filepath.Clean(other) != filepath.Clean(path) && !there(other) {
			return other
		}
	}
	return "PATH"
}

// there tells whether something stands at a path.
func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// examples are values for the keys of the template. A flag without one has what it is by default.
var examples = map[string]string{
	"target": `"prod"`, "url": `"http://gpu-7:8000/v1"`, "model": `"qwen2.5-7b"`, "api-key-env": `"MY_API_KEY"`, "api-key-file": `"~/.config/redline/key"`,
	"preset": `"large-gpu"`, "api": `"chat"`, "header": `{ X-Team = "search" }`, "body": `{ top_p = 0.9 }`, "metrics-url": `["http://gpu-7:8000/metrics", "http://gpu-7:9400/metrics"]`, "ca-file": `"/etc/ssl/lab.pem"`,
	"client-cert": `"client.pem"`, "client-key": `"client-key.pem"`, "concurrency": `8`, "max": `64`, "rate": `"150/m"`, "max-rate": `20`, "arrivals": `"gamma:0.5"`, "speed": `2`,
	"profile": `"4:1m, ramp 4..32 in 2m"`, "cruise": `"ttft.p95<=500ms in 4..64"`, "warmup": `16`, "scenario": `"search"`, "workload": `["short=synthetic,in=128,out=64", "long=synthetic,in=4096,out=512"]`,
	"input-tokens": `"lognormal(512,0.6)"`, "output-tokens": `256`, "max-tokens": `512`, "seed": `7`, "step": `4`, "duration": `"5m"`, "requests": `1000`,
	"stall": `"1s"`, "drain-timeout": `"30s"`, "on-429": `"hold"`, "slo": `["ttft.p95<=2s", "tps.p5>=20", "errors<=1%"]`, "price-in": `0.15`,
	"price-out": `0.60`, "price-cached": `0.05`, "gpu-hour": `2.50`, "gpus": `8`, "budget": `5`, "budget-tokens": `1_000_000`, "quota-reserve": `"30%"`, "quota-rpm": `"600"`, "quota-tpm": `"300k"`, "theme": `"okabe-dark"`, "color": `"auto"`, "graph": `"braille"`, "fps": `4`,
	"listen": `":0"`, "listen-token-file": `"redline-token"`,
	"window": `"2m"`, "save-dir": `"~/redline"`, "bell": `"slo"`, "record": `"~/redline/runs"`, "keep": `"2GB"`, "connect-timeout": `"10s"`, "first-token-timeout": `"2m"`, "idle-timeout": `"1m"`, "timeout": `"10m"`,
	"ghost": `"last"`,
}

const templateHead = `# Settings of redline. Every key is a flag without its dashes; redline --help has all of them.
#
# A flag wins over a variable of the environment (REDLINE_RATE for --rate), that over this file, this file over the scenario, and that over the default.
# --config PATH or REDLINE_CONFIG names the file that is read; else ./redline.toml is, and yours in the folder for settings beneath it. "redline config"
# prints what is in force.
#
# A key never stands here: api-key-env and api-key-file say where it is. A file that is found in the current folder, and not named with --config, may come
# from somebody else: it chooses neither target nor load, names no key and loosens no bound.
`

const templateTail = `
# A target for --target prod, or target = "prod". Keys of targets go before those above; a key is sent to the url beside it, and to no other host.
# [targets.prod]
# url = "https://llm.example.com/v1"
# model = "qwen2.5-7b"
# api-key-env = "PROD_API_KEY"
# header = { X-Team = "search" }
# price-in = 0.15
# price-out = 0.60
# budget = 5
# max = 64
# slo = ["ttft.p95<=1s", "rpm<=600", "tpm<=300k"]

# A workload for --workload mail, by the keys of --workload.
# [workloads.mail]
# in = "lognormal(800,0.5)"
# out = "100..300"
# max = 400
# prefix = 200

# A scenario for --scenario voice. What it does not say is as in chat; aim is goodput, rpm or tpm.
# [scenarios.voice]
# input-tokens = "lognormal(300,0.4)"
# output-tokens = 80
# max-tokens = 128
# slo = ["ttft.p95<=400ms", "tps.p5>=30", "errors<=0.5%"]
# aim = "rpm"

# A profile for --profile evening: loads in flight, or rates where they have a unit.
# [profiles.evening]
# stages = ["4:1m", "ramp 4..32 in 2m", "spike 64 for 10s", "4:1m"]

# Other keys, by the names of actions as the palette (the key :) shows them; [] takes an action's keys away. What is not said here keeps its own. Keys are
# characters, or "space", "enter", "tab", "pgup", "f1" to "f20", "ctrl+a", "alt+a" and the like; "kp+" is the + of the keypad. They count in your own file and in
# one that is named with --config: a redline.toml that is only found in the current folder may not say which key does what, and redline does not start with it.
# Start it with --config ./redline.toml, or move this table into your own file ("redline init" writes it).
# [keys]
# raise = ["+", "=", "kp+"]
# pause = ["space", "f9"]
# stop-all = "f12"
# lock = []
`

// template is a file of settings in which every key of this version stands as a comment, with what it means.
func template() string {
	var b strings.Builder
	b.WriteString(templateHead)
	title := ""
	scratchFlags(&problems{from: origins{}}).VisitAll(func(f *pflag.Flag) {
		if slices.Contains(unsettable, f.Name) {
			return
		}
		if of := f.Annotations[groupOf]; len(of) > 0 && of[0] != title {
			title = of[0]
			b.WriteString("\n# " + title + "\n")
		}
		_, usage := pflag.UnquoteUsage(f)
		value, ok := examples[f.Name]
		if !ok {
			value = "true"
		}
		fmt.Fprintf(&b, "\n# %s\n# %s = %s\n", usage, f.Name, value)
	})
	b.WriteString(templateTail)
	return b.String()
}
