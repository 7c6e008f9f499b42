package sim

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
)

func TestRefusedFieldsAreNamed(t *testing.T) {
	for name, tt := range map[string]struct {
		refuse  Fields
		tongue  string
		message string
	}{
		"OpenAI's sentence":                  {"temperature,seed", "chat", "Unrecognized request argument supplied: seed"},
		"a field within another one":         {"stream_options.include_usage", "chat", "Unknown parameter: 'stream_options.include_usage'."},
		"the field that was renamed":         {"max_tokens", "chat", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."},
		"the renamed field where it was not": {"max_tokens", "completions", "Unrecognized request argument supplied: max_tokens"},
		"Azure's is OpenAI's":                {"max_tokens", "azure", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."},
		"Anthropic's sentence":               {"seed", "anthropic", "seed: Extra inputs are not permitted"},
		"the protocol of responses":          {"ignore_eos", "responses", "Unrecognized request argument supplied: ignore_eos"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(o *Options) { o.Refuse = tt.refuse }, func(t *testing.T, w *world) {
				w.t = t
				v := w.say(tongues()[tt.tongue], ask{"seed": 3})
				if e := into[struct{ Error struct{ Message string } }](t, v.body).Error; v.status != http.StatusBadRequest || e.Message != tt.message {
					t.Errorf("status %d, %s", v.status, v.body)
				}
			})
		})
	}
}

func TestOtherFieldsAreNotRefused(t *testing.T) {
	inEach(t, func(o *Options) { o.Refuse = "seed, stream_options.nothing, model.x" }, func(t *testing.T, w *world, g tongue) {
		if v := w.say(g, nil); v.status != http.StatusOK {
			t.Errorf("status %d, %s", v.status, v.body)
		}
	})
}

func TestRefusedFieldsInPydanticsWords(t *testing.T) {
	inEach(t, func(o *Options) { o.Refuse, o.RefuseAs = "seed,ignore_eos,nothing", 422 }, func(t *testing.T, w *world, g tongue) {
		v := w.say(g, ask{"seed": 3})
		d := into[struct {
			Detail []struct {
				Type, Msg string
				Loc       []string
				Input     json.RawMessage
			}
		}](t, v.body).Detail
		if v.status != http.StatusUnprocessableEntity || len(d) != 2 || d[0].Type != "extra_forbidden" || d[0].Msg != "Extra inputs are not permitted" ||
			!slices.Equal(d[0].Loc, []string{"body", "seed"}) || string(d[0].Input) != "3" || d[1].Loc[1] != "ignore_eos" {
			t.Errorf("status %d, %s", v.status, v.body)
		}
	})
}
