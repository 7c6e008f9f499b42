package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"redline/bench/report/reporttest"
)

func TestADocumentTellsHowItsRunIsKept(t *testing.T) {
	for _, row := range []struct {
		sentence string
		kept     *Kept
		want     string
		words    string
	}{
		{"made of the file itself", nil, "", ""},
		{"not to be kept", &Kept{Why: "--record off"}, `{"state":"off","file":null,"bytes":null,"lost_s":0,"wrong":"--record off","left_out":null}`, ""},
		{"on its way", &Kept{File: "/r/a.jsonl.zst", Bytes: 9, State: BeingKept}, `{"state":"recording","file":"/r/a.jsonl.zst","bytes":9,"lost_s":0,"wrong":null,"left_out":null}`, ""},
		{"whole", &Kept{File: "a", Bytes: 9, State: KeptWhole}, `{"state":"saved","file":"a","bytes":9,"lost_s":0,"wrong":null,"left_out":null}`, ""},
		{"with a hole", &Kept{File: "a", Bytes: 9, State: KeptWhole, Lost: 12 * time.Second}, `{"state":"saved","file":"a","bytes":9,"lost_s":12,"wrong":null,"left_out":null}`,
			"the run is not kept whole: 12 s of it could not be written"},
		{"cut short at its bound", &Kept{File: "a", Bytes: 9, State: KeptWhole, Short: "gaps left out"}, `{"state":"saved","file":"a","bytes":9,"lost_s":0,"wrong":null,"left_out":"gaps left out"}`,
			"the run is not kept whole: gaps left out"},
		{"on a disk that is full", &Kept{File: "a", Bytes: 9, State: KeptShort, Why: "disk full", Lost: 3 * time.Second}, `{"state":"failing","file":"a","bytes":9,"lost_s":3,"wrong":"disk full","left_out":null}`,
			"the run is not kept whole: its file lacks its end (disk full); 3 s of it could not be written"},
	} {
		d := Of(reporttest.Story(), Options{Kept: row.kept})
		data, err := d.JSON()
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Recording json.RawMessage }
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if len(got.Recording) > 0 {
			if err := json.Compact(&text, got.Recording); err != nil {
				t.Fatal(err)
			}
		}
		if text.String() != row.want {
			t.Errorf("%s: %s\nwant %s", row.sentence, &text, row.want)
		}
		if page := d.Markdown(); strings.Contains(page, "kept whole") != (row.words != "") || !strings.Contains(page, row.words) {
			t.Errorf("%s: the page does not say %q:\n%s", row.sentence, row.words, page)
		}
	}
}
