package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// head is what every script needs before its answers.
const head = "title = \"x\"\nwhy = \"Because.\"\n"

func TestEveryProblemIsNamedAtOnce(t *testing.T) {
	_, err := Parse([]byte(`title = ""
order = "sideways"
foo = 1
healthy = -1
[client]
api = "telnet"
idle = "5"
[[answer]]
stepz = 3
path = "v1"
status = 42
before = "soon"
end = "never"
frame = "2"
gzip = "yes"
accept = "maybe"
headers = { A = 7, B = ["x", 1], C = "{{hex zz}}", D = "{{n}}" }
body = "x"
steps = [ { wait = "-1s" }, {}, { send = "a", event = "b" }, { split = 2 }, { hang = true, send = "x" }, { wait = "1s", every = "1s" } ]
[[answer]]
accept = "hang"
status = 200
[[answer]]
frame = "none"
status = 201
[[answer]]
every = "5ms"
[answer.expect]
outcome = "fine"
source = "guess"
gaps = ["10ms by 3", "x x 2"]
events = 3
chunks = -1
`), "bad.toml")
	if err == nil {
		t.Fatal("no error")
	}
	text := err.Error()
	for _, want := range []string{
		"bad.toml: ", "line 3: foo: no such key", "line 9: answer.stepz: no such key", `title "": a few words`, `why "": a sentence`,
		`order "sideways": turn, once or random`, "healthy -1: 0 or more", `client: api "telnet": chat, completions, responses or anthropic`,
		`client: idle "5": a time`, `answer 1: path "v1": one that begins with /`, "answer 1: status 42: 200 to 999", `before "soon": a time`,
		`end "never": close, cut or reset`, `frame "2": chunked, close, 1.0 or none`, `gzip "yes": held, flushed or nothing`, `accept "maybe": hang, close, reset or nothing`,
		"headers: A 7: text of one line", "headers: B 1: text of one line", "{{hex zz}}: pairs of hexadecimal digits", "{{n}}: only beside repeat",
		"answer 1: body and 6 steps: one of them", "answer 2: accept \"hang\": no steps", `answer 3: frame "none": no headers`, `answer 3: frame "none": steps or a body`,
		`answer 4: every "5ms": only beside a body`, `outcome "fine": one of ok, 429`, `source "guess": usage`, `gaps "10ms by 3": a time`, `gaps "x": a time`,
		`first_token "": a time where there are events (3)`, "chunks -1: 0 or more",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("not told: %s", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestEveryStepIsChecked(t *testing.T) {
	tests := []struct{ name, step, want string }{
		{"an empty step does nothing", `{}`, "step 1: empty: one of wait, send, event, pad, hang"},
		{"two texts have no order", `{ send = "a", event = "b" }`, "send and event: one of them"},
		{"time does not run backwards", `{ wait = "-1s" }`, `wait "-1s": a time such as 500ms or 2s`},
		{"splitting needs a text", `{ wait = "1s", split = 2 }`, "only beside send, event or pad"},
		{"who hangs sends nothing", `{ hang = true, send = "x" }`, "nothing to send beside it"},
		{"every belongs to repeat", `{ send = "x", every = "1s" }`, "only beside repeat"},
		{"a pad is bounded", `{ pad = 999999999 }`, "pad 999999999: 1 to"},
		{"a repeat is bounded", `{ repeat = 9999999, send = "x" }`, "repeat 9999999: 1 to 1000000"},
		{"only n is reckoned with", `{ send = "{{pad+3}}" }`, "{{pad+3}}: only n and words can be reckoned with"},
		{"an instant needs its distance", `{ send = "{{date}}" }`, "{{date}}: a time from now such as 30s"},
		{"a key has two other forms", `{ send = "{{key rot13}}" }`, "nothing, json or url"},
		{"a wrong kind is told with its place", `{ wait = 5 }`, "line 4, column"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(head+"[[answer]]\nsteps = [ "+tt.step+" ]\n"), "x")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

func TestNotTOML(t *testing.T) {
	for _, text := range []string{"title = ", "[[answer]", "title = \"a\"\ntitle = \"b\"", "\xff"} {
		if _, err := Parse([]byte(text), "x"); err == nil || !strings.Contains(err.Error(), "line ") && !strings.Contains(err.Error(), "utf8") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestRecordedAnswerIsCutAtBlankLines(t *testing.T) {
	for body, want := range map[string]int{"a\n\nb\n\nc": 3, "a\r\n\r\nb\r\n\r\n": 2, "a\nb\n": 2, "a": 1} {
		if got := events(body); len(got) != want || strings.Join(got, "") != body {
			t.Errorf("%q: %q, want %d", body, got, want)
		}
	}
}

func TestCatalogueIsSound(t *testing.T) {
	titles := map[string]string{}
	for _, name := range Names() {
		s, err := Load(name)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if other := titles[s.Title]; other != "" {
			t.Errorf("%s and %s are both called %q", name, other, s.Title)
		}
		titles[s.Title] = name
		if !strings.HasSuffix(s.Why, ".") {
			t.Errorf("%s: %q is no sentence", name, s.Why)
		}
	}
}

func TestUnknownScript(t *testing.T) {
	for name, want := range map[string]string{"nope": "neither a file nor one of the built-in", "./nope": "no such file"} {
		if _, err := Load(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(head + "[[answer]]\nsteps = [ { repeat = 2, every = \"1ms\", event = '{{n*2+1}}', split = 1 } ]\n[expect]\noutcome = \"ok\"\nsource = \"events\"\ngaps = [\"1ms x 3\"]\n"))
	f.Add([]byte(head + "[[answer]]\nbody = \"{{hex ff}}{{date 1s}}\"\nevery = \"1ms\"\nheaders = { A = [\"b\"] }\n"))
	f.Add([]byte("x = [1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data, "x")
		if (s == nil) == (err == nil) {
			t.Fatalf("script %v, error %v", s, err)
		}
		if err != nil && err.Error() == "" {
			t.Fatal("an error without words")
		}
		if s != nil && len(s.Answers) == 0 {
			t.Fatal("no answers")
		}
	})
}

func TestHostileFilesEndInAWordNotInTheMachine(t *testing.T) {
	const answer = head + "[[answer]]\nbody = \"x\"\n"
	for _, tt := range []struct{ text, want string }{
		{answer + "headers = { \"X Y\" = \"a\" }\n", `headers: "X Y": a name of letters`},
		{answer + "headers = { \"\" = \"a\" }\n", `headers: "": a name of letters`},
		{answer + "status = 204\n", "status 204: no steps or body"},
		{answer + "[answer.expect]\ngaps = [" + strings.Repeat("\"1ns x 999999\", ", 1000) + "]\n", "in all, at most 1000000"},
	} {
		if _, err := Parse([]byte(tt.text), "x"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.120q: %v, want %q in it", tt.text, err, tt.want)
		}
	}
	if _, err := Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "regular file") {
		t.Errorf("a directory: %v", err)
	}
	large := filepath.Join(t.TempDir(), "large.toml")
	f, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(maxBytes + 1); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(large); err == nil || !strings.Contains(err.Error(), "at most 16 MiB") {
		t.Errorf("a large file: %v", err)
	}
}
