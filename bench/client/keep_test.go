package client

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
)

func TestAnAnswerIsKeptWhereThePromptAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { say(w, role, token, token, stop, usageEnd, doneLine) }, nil)
		next := request
		plain := c.Send(context.Background(), next, nil)
		next.Prompt.KeepAnswer = true
		kept := c.Send(context.Background(), next, nil)
		if plain.Answer != "" || kept.Answer == "" || kept.Counts.Chars != len(kept.Answer) || plain.Counts != kept.Counts {
			t.Errorf("%q of %d characters; unasked %q of %d", kept.Answer, kept.Counts.Chars, plain.Answer, plain.Counts.Chars)
		}
	})
}

// An echo server repeats what it was sent, the key too. The next turn may send that back there; no text for the operator may hold it.
func TestASecretInAnAnswerIsInNoText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		echo := strings.ReplaceAll(token, `" a"`, `"my key is sk-\"te&st\"/0123456789"`)
		c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			say(w, echo, `data: {"error":{"message":"bad key sk-\"te&st\"/0123456789"}}`+"\n\n")
		}, nil)
		next := request
		next.Prompt.KeepAnswer = true
		e := c.Send(context.Background(), next, nil)
		if !strings.Contains(e.Answer, testKey) {
			t.Errorf("the answer is not as it came: %q", e.Answer)
		}
		if e.Answer = ""; strings.Contains(fmt.Sprintf("%+v", e), "0123456789") {
			t.Errorf("%+v", e)
		}
	})
}
