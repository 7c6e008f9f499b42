package sim_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/sim"
)

// distinct is a prompt of so many words that no other one of another name begins like.
func distinct(name string, words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = fmt.Sprint(name, i)
	}
	return strings.Join(list, " ")
}

func TestAConversationIsCountedAndKnownAgainInEveryProtocol(t *testing.T) {
	for name, p := range protocols {
		t.Run(name, func(t *testing.T) {
			template := p.input - 100
			meet(t, p, nil, func(t *testing.T, c *client.Client) {
				turn := func(p bench.Prompt) bench.Ended {
					t.Helper()
					p.MaxTokens, p.KeepAnswer = 40, true
					e := c.Send(context.Background(), bench.Request{Prompt: p}, nil)
					if e.Outcome != bench.OK || e.Counts.Output != 40 || len(strings.Fields(e.Answer)) != 40 || e.Counts.Chars != len(e.Answer) {
						t.Fatalf("%v %q %+v, answer %q", e.Outcome, e.Message, e.Counts, e.Answer)
					}
					return e
				}
				system := []bench.Message{{Role: "system", Text: distinct("s", 50)}}
				first := turn(bench.Prompt{History: system, Text: distinct("a", 1000)})
				if n := first.Counts; n.Input != template+1050 || n.Cached != 0 {
					t.Errorf("the first turn: %+v", n)
				}
				second := turn(bench.Prompt{
					History: append(system, bench.Message{Role: "user", Text: distinct("a", 1000)}, bench.Message{Role: "assistant", Text: first.Answer}),
					Text:    distinct("b", 30),
				})
				if n, whole := second.Counts, (template+1050)/16*16; n.Input != template+1120 || n.Cached != whole {
					t.Errorf("the second turn: %+v, %d of its tokens stood in whole blocks before", n, whole)
				}
				one, _ := first.TTFT()
				two, _ := second.TTFT()
				if two > one/2 {
					t.Errorf("first token after %v, with most of the prompt cached after %v", one, two)
				}
				if n := turn(bench.Prompt{Text: distinct("c", 1000)}).Counts; n.Cached != 0 {
					t.Errorf("a prompt of its own: %+v", n)
				}
			})
		})
	}
}

func TestThePrefixCacheCanBeTurnedOff(t *testing.T) {
	meet(t, protocols["chat"], func(so *sim.Options, _ *client.Options) { so.PrefixCache = sim.Off }, func(t *testing.T, c *client.Client) {
		for range 2 {
			if e := c.Send(context.Background(), bench.Request{Prompt: words}, nil); e.Outcome != bench.OK || e.Counts.Cached != 0 {
				t.Errorf("%v %+v", e.Outcome, e.Counts)
			}
		}
	})
}

// arrive sends requests at a fixed rate whatever the server does, and gives what became of them in order.
func arrive(c *client.Client, n int, every time.Duration) []bench.Ended {
	all := make([]bench.Ended, n)
	var sending sync.WaitGroup
	for i := range all {
		sending.Go(func() {
			p := bench.Prompt{Text: distinct(fmt.Sprint(i, "x"), 200), MaxTokens: 100}
			all[i] = c.Send(context.Background(), bench.Request{Prompt: p}, nil)
		})
		time.Sleep(every)
	}
	sending.Wait()
	return all
}

func TestAnOpenLoopAboveTheCapacityGrowsTheQueue(t *testing.T) {
	wait := func(list []bench.Ended) (sum time.Duration) {
		for _, e := range list {
			ttft, _ := e.TTFT()
			sum += ttft / time.Duration(len(list))
		}
		return sum
	}
	for _, tt := range []struct {
		sentence string
		every    time.Duration
		change   func(*sim.Options)
		grows    bool
	}{
		{"half of what eight slots do", 400 * time.Millisecond, func(o *sim.Options) { o.Slots = 8 }, false},
		{"twice of what they do", 100 * time.Millisecond, func(o *sim.Options) { o.Slots = 8 }, true},
		{"more than the KV cache holds", 100 * time.Millisecond, func(o *sim.Options) { o.KVBlocks = 160 }, true},
	} {
		meet(t, protocols["chat"], func(so *sim.Options, co *client.Options) {
			co.Concurrency = 400
			tt.change(so)
		}, func(t *testing.T, c *client.Client) {
			all := arrive(c, 300, tt.every)
			for _, e := range all {
				if e.Outcome != bench.OK {
					t.Fatalf("%s: %v %q", tt.sentence, e.Outcome, e.Message)
				}
			}
			early, middle, late := wait(all[10:40]), wait(all[130:160]), wait(all[270:])
			if grows := middle > 2*early && late > middle+middle/2; grows != tt.grows {
				t.Errorf("%s: first tokens after %v, %v, %v", tt.sentence, early, middle, late)
			}
		})
	}
}

func TestAQueueThatIsBoundedSheds(t *testing.T) {
	for name, p := range protocols {
		t.Run(name, func(t *testing.T) {
			meet(t, p, func(so *sim.Options, co *client.Options) { so.Slots, so.MaxWaiting, co.Concurrency = 4, 10, 400 }, func(t *testing.T, c *client.Client) {
				good, shed := 0, 0
				for _, e := range arrive(c, 100, 100*time.Millisecond) {
					switch ttft, _ := e.TTFT(); {
					case e.Outcome == bench.OK && ttft < 15*time.Second:
						good++
					case e.Outcome == bench.Overloaded && e.RetryAfter == time.Second:
						shed++
					default:
						t.Errorf("%v %d %q after %v", e.Outcome, e.Status, e.Message, ttft)
					}
				}
				if good < 20 || shed < 20 {
					t.Errorf("%d answered, %d refused", good, shed)
				}
			})
		})
	}
}
