package workload

import (
	"strings"
	"testing"
)

func TestAWorkloadReadsBack(t *testing.T) {
	rows := []struct{ text, want, why string }{
		{"synthetic", "synthetic,in=512", "the kind alone has the usual length"},
		{"synthetic,in=100..500,out=64", "synthetic,in=100..500,out=64", "lengths of both"},
		{"in=100..500", "synthetic,in=100..500", "keys alone are synthetic"},
		{"in=normal(512,64),max=99", "synthetic,in=normal(512,64),max=99", "commas in brackets do not split"},
		{"in=hist(128:3,512:5,2048:1)", "synthetic,in=hist(128:3,512:5,2048:1)", "a histogram"},
		{"in=hist(512:5,128:3)", "synthetic,in=hist(128:3,512:5)", "a histogram is sorted"},
		{"in=2000,prefix=1024,share=80%,prefixes=4", "synthetic,in=2000,prefix=1024,share=0.8,prefixes=4", "a shared prefix"},
		{"night=azure_conv.csv,replay=lengths", "night=azure_conv.csv,replay=lengths", "a name in front"},
		{"short=synthetic,in=16", "short=synthetic,in=16", "a name in front of the kind"},
		{"chat.json, turns=one , once", "chat.json,turns=one,once=true", "a flag alone, and spaces"},
		{"chat.json,think=lognormal(3s,0.5),max-input=4096,format=sharegpt", "chat.json,think=lognormal(3s,0.5),max-input=4096,format=sharegpt", "conversations"},
		{`"a,b (1).csv",once`, `"a,b (1).csv",once=true`, "a path in quotes"},
		{`n="synthetic"`, `n="synthetic"`, "a file that is called as the kind"},
		{"dir/a=b.csv", `"dir/a=b.csv"`, "a path with an equals sign"},
		{"input-tokens=7,max-tokens=8,output-tokens=9", "synthetic,in=7,out=9,max=8", "the names of the flags"},
		{"IN=7", "synthetic,in=7", "keys in capitals"},
		{"a=in=128,out=64", "a=synthetic,in=128,out=64", "a name before keys"},
		{"a=max=9", "a=synthetic,in=512,max=9", "a name before keys, none of them a length"},
		{`inn="256"`, `inn="256"`, "a file that is called as a value"},
		{"file=256,name=inn", `inn="256"`, "and one that keys give"},
		{"inn=in.csv", "inn=in.csv", "a name that is nearly a key, before a path"},
	}
	for _, row := range rows {
		s, err := Parse(row.text)
		if err != nil || s.String() != row.want {
			t.Errorf("%s: %q reads as %q, not %q; %v", row.why, row.text, s, row.want, err)
			continue
		}
		again, err := Parse(s.String())
		if err != nil || again.String() != row.want {
			t.Errorf("%s: %q does not read back: %q, %v", row.why, row.want, again, err)
		}
	}
}

func TestABadWorkloadNamesTheValueAndWhatIsAllowed(t *testing.T) {
	rows := []struct{ text, value, allowed string }{
		{"", "neither a kind nor a path", "synthetic"},
		{"night=", "neither a kind nor a path", "synthetic"},
		{"synthetic,", "nothing between two commas", ""},
		{",in=3", "nothing between two commas", ""},
		{"synthetic,colour=red", `"colour"`, "in, out, max, prefix"},
		{"synthetic,64", `"64" has no value`, "keys in, out"},
		{"synthetic,in", `"in" has no value`, "keys in, out"},
		{"synthetic,in=abc", `"abc"`, "lognormal(512,0.6)"},
		{"synthetic,in=3,in=4", "in is given twice", ""},
		{"synthetic,in=3,input-tokens=4", "in is given twice", ""},
		{"synthetic,max=0", `"0"`, "from 1 to 1000000"},
		{"synthetic,prefix=100,share=1.5", `"1.5"`, "at most 1"},
		{"synthetic,share=0.5", "share=0.5", "needs prefix="},
		{"synthetic,prefixes=5", "prefixes=5", "needs prefix="},
		{"synthetic,in=100..300,prefix=300", "prefix=300", "at most 300"},
		{"synthetic,once", "once", "file"},
		{"synthetic,turns=one", "turns=one", "file of conversations"},
		{"synthetic,replay=lengths", "replay=lengths", "trace"},
		{"a.csv,in=5", "in=5", "synthetic"},
		{"a.csv,replay=backwards", `"backwards"`, "arrivals nor lengths"},
		{"a.csv,turns=2", `"2"`, "all nor one"},
		{"a.csv,once=yes", `"yes"`, "false nor true"},
		{"a.csv,format=xml", `"xml"`, "jsonl, sharegpt, azure, mooncake, burstgpt"},
		{"a.csv,think=3", `"3"`, "1s..5s"},
		{"in=normal(5,6", "not closed", "double quotes"},
		{"a).csv", "bracket closes", "double quotes"},
		{`"a.csv`, "not closed", "double quotes"},
		{"synthetic,name=a b", `"a b"`, "letters"},
		{"inn=256", `"inn" is no setting`, "in may be meant"},
		{"INN=256", `"INN" is no setting`, "in may be meant"},
		{"otu=100..200,in=5", `"otu" is no setting`, "out may be meant"},
		{"input-token=256", `"input-token" is no setting`, "input-tokens may be meant"},
		{"onec=true", `"onec" is no setting`, "once may be meant"},
		{"shrae=0.5", `"shrae" is no setting`, "share may be meant"},
		{"length=256", `"length" is no setting`, "there are in, out, max"},
		{"a=inn=256", `"inn" is no setting`, "in may be meant"},
		{"a=in=5,in=6", "in is given twice", ""},
	}
	for _, row := range rows {
		_, err := Parse(row.text)
		if err == nil || !strings.Contains(err.Error(), row.value) || !strings.Contains(err.Error(), row.allowed) {
			t.Errorf("%q: the error is %v, and should name %s and %s", row.text, err, row.value, row.allowed)
		}
	}
}

func TestEveryKeyIsTold(t *testing.T) {
	var s Spec
	err := s.Set("colour", "red")
	for _, key := range Keys() {
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("the error of an unknown key does not name %s: %v", key, err)
		}
	}
	for key, value := range map[string]string{"file": "a.csv", "name": "n", "kind": "synthetic", "max-tokens": "5", "think": "2s"} {
		if err := s.Set(key, value); err != nil {
			t.Errorf("%s=%s: %v", key, value, err)
		}
	}
	if err := s.Set("kind", "quick"); err == nil || !strings.Contains(err.Error(), "synthetic") {
		t.Errorf("an unknown kind: %v", err)
	}
}

func TestNothingAskedForIsTheDefault(t *testing.T) {
	var zero Spec
	a, err := Open(t.Context(), zero, 1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Open(t.Context(), Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if x, y := next(t, a), next(t, b); x.Text != y.Text || x.InputTokens != 512 || x.MaxTokens != 512 {
		t.Errorf("the zero value gives %d tokens and at most %d, not as the default", x.InputTokens, x.MaxTokens)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"synthetic", "in=100..500,out=64", "night=azure_conv.csv,replay=lengths", `"a,b".csv`, "in=hist(128:3,512:5),prefix=64,share=80%",
		"chat.json,turns=one,think=lognormal(3s,0.5),once", `in="hist(a(b)"`, "x==,", `a"b`, "in=hist(a,b),share=0.3,prefix=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("%q reads as %q, which reads as %q; %v", text, s, again, err)
		}
	})
}

func TestAMissingFileSaysWhatItWouldBe(t *testing.T) {
	for text, want := range map[string]string{
		"nofile.csv":       "nofile.csv: there is no such file; a workload is synthetic, or the path of a data set or a trace",
		"in=hist(nofile)":  "nofile: there is no such file; hist(FILE) takes a file of lengths and their weights",
		"out=hist(nofile)": "nofile: there is no such file; hist(FILE) takes a file of lengths and their weights",
	} {
		s, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = Open(t.Context(), s, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
