package sim

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestThePresetDecidesOnThePrefixCacheUnlessItIsSaid(t *testing.T) {
	for _, tt := range []struct {
		sentence string
		args     []string
		want     bool
	}{
		{"a small GPU has one, as its engine does", nil, true},
		{"so has a large one", []string{"--preset", "large-gpu"}, true},
		{"a hosted pool shares nothing", []string{"--preset", "hosted"}, false},
		{"it is taken away", []string{"--prefix-cache", "off"}, false},
		{"it is given", []string{"--preset", "hosted", "--prefix-cache", "on"}, true},
		{"it is left to the preset", []string{"--preset", "hosted", "--prefix-cache", "preset"}, false},
	} {
		o := Defaults()
		fs := pflag.NewFlagSet("sim", pflag.ContinueOnError)
		o.Flags(fs)
		if err := fs.Parse(tt.args); err != nil {
			t.Fatal(err)
		}
		if got := o.params().PrefixCache; got != tt.want || o.Validate() != nil {
			t.Errorf("%s: %v, %v", tt.sentence, got, o.Validate())
		}
	}
	var s Switch
	if s.Set("maybe") == nil || s.String() != "preset" || s.Type() == "" {
		t.Errorf("%v", &s)
	}
}

func TestAQueueOfLessThanNothingIsRefused(t *testing.T) {
	o := Defaults()
	o.MaxWaiting, o.PrefixCache = -1, Off+1
	err := o.Validate()
	if err == nil || !strings.Contains(err.Error(), "max-waiting -1") || !strings.Contains(err.Error(), "prefix-cache 3") {
		t.Error(err)
	}
}
