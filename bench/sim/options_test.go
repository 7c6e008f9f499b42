package sim

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"redline/bench/sim/model"
)

func TestOptionsTellEveryProblemAtOnce(t *testing.T) {
	o := Options{Addr: "nowhere", Slots: -1, Speed: 0, ReasoningShare: 2, Faults: Faults{Error: 0.7, Cut: 0.7}, Pace: Pace{On: true}, Refuse: "a b,c!", RefuseAs: 500}
	err := o.Validate()
	if err == nil {
		t.Fatal("valid")
	}
	for _, want := range []string{`addr "nowhere": host:port`, `model ""`, "slots -1", "speed 0: 0.05 to 1000", "reasoning-share 2", "fault shares 1.4", "pace 0 with", `refuse "a b,c!"`, "refuse-as 500: 400 or 422"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in:\n%v", want, err)
		}
	}
	if _, err := New(o); err == nil {
		t.Error("a server with these options")
	}
}

func TestEngineProblemsComeThrough(t *testing.T) {
	o := Defaults()
	o.Context = 1 << 20
	if err := o.Validate(); err == nil || !strings.Contains(err.Error(), "context length 1048576: at most the KV cache's") {
		t.Errorf("%v", err)
	}
}

func TestFlagsSetEveryOption(t *testing.T) {
	o := Defaults()
	fs := pflag.NewFlagSet("sim", pflag.ContinueOnError)
	o.Flags(fs)
	err := fs.Parse([]string{
		"--addr=:9", "--preset=hosted", "--seed=3", "--model=m", "--api-key=k", "--slots=5", "--step=3ms", "--kv-blocks=700", "--context=99",
		"--output-tokens=50", "--reasoning-share=0.5", "--speed=2", "--pace=20", "--pace-tokens=7", "--rpm=8", "--tpm=-1",
		"--error-share=0.1", "--stream-error-share=0.2", "--stall-share=0.3", "--stall=1s", "--cut-share=0.4", "--quota-headers=groq", "--refuse=seed,stream_options.x", "--refuse-as=422",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Options{
		Addr: ":9", Preset: model.Hosted, Seed: 3, Model: "m", APIKey: "k", Slots: 5, Step: 3 * time.Millisecond, KVBlocks: 700, Context: 99,
		OutputTokens: 50, ReasoningShare: 0.5, Speed: 2, Pace: Pace{On: true, Rate: 20}, PaceTokens: 7, RPM: 8, TPM: -1, QuotaHeaders: QuotaGroq, Refuse: "seed,stream_options.x", RefuseAs: 422,
		Faults: Faults{Error: 0.1, StreamError: 0.2, Stall: 0.3, StallFor: time.Second, Cut: 0.4},
	}
	if o != want {
		t.Errorf("%+v", o)
	}
	if p := o.params(); p.Slots != 5 || p.StepFloor != 3*time.Millisecond || p.Blocks != 700 || p.ContextLength != 99 || p.OutputMean != 50 || p.Seed != 3 {
		t.Errorf("%+v", p)
	}
	if fs.Parse([]string{"--preset=huge"}) == nil || fs.Parse([]string{"--pace=fast"}) == nil || fs.Parse([]string{"--quota-headers=mine"}) == nil {
		t.Error("nonsense was parsed")
	}
}

func TestDefaultsAreValid(t *testing.T) {
	for _, p := range model.Presets() {
		o := Defaults()
		o.Preset = p
		if err := o.Validate(); err != nil {
			t.Errorf("%v: %v", p, err)
		}
	}
}
