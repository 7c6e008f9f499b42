package client

import (
	"strings"

	"redline/bench"
)

// The roles that some protocols treat apart.
const (
	roleSystem = "system"
	roleUser   = "user"
)

// between stands between texts that become one.
const between = "\n\n"

// turn is one message on the wire. An empty content is sent as one: to leave it out, as go-openai does, makes a message that servers refuse.
type turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// turnsOf is all that a prompt says, oldest first. Without a text of its own a prompt with a history ends with that.
func turnsOf(p *bench.Prompt) []turn {
	all := make([]turn, 0, len(p.History)+1)
	for _, m := range p.History {
		all = append(all, turn{m.Role, m.Text})
	}
	if p.Text != "" || len(all) == 0 {
		all = append(all, turn{roleUser, p.Text})
	}
	return all
}

// chatTurns are the messages of a chat, as they are.
func chatTurns(all []turn) (prompt any, system string) { return all, "" }

// oneText joins all texts, without the roles: a completion goes on with what stands there, and a longer conversation begins with the shorter one,
// so that a prefix cache knows it again.
func oneText(all []turn) (prompt any, system string) {
	var texts []string
	for _, t := range all {
		if t.Content != "" {
			texts = append(texts, t.Content)
		}
	}
	return strings.Join(texts, between), ""
}

// inputItems are the input of a response. What a system says first are its instructions, and a single text of the user's needs no items.
func inputItems(all []turn) (prompt any, system string) {
	var first []string
	for len(all) > 1 && all[0].Role == roleSystem {
		first, all = append(first, all[0].Content), all[1:]
	}
	system = strings.Join(first, between)
	if len(all) == 1 && all[0].Role == roleUser {
		return all[0].Content, system
	}
	items := make([]item, len(all))
	for i, t := range all {
		items[i] = item{"message", t}
	}
	return items, system
}

// item is a message of a response's input. Its type may be left out by the protocol, and some servers refuse an assistant's without.
type item struct {
	Type string `json:"type"`
	turn
}

// alternating are messages as Anthropic wants them: the system's words stand apart, wherever they were said, empty messages are refused, and of two
// neighbours with one role each server would make one in its own way.
func alternating(all []turn) (prompt any, system string) {
	var words []string
	said := make([]turn, 0, len(all))
	for _, t := range all {
		last := len(said) - 1
		switch {
		case t.Content == "" && len(all) > 1:
		case t.Role == roleSystem:
			words = append(words, t.Content)
		case last >= 0 && said[last].Role == t.Role:
			said[last].Content += between + t.Content
		default:
			said = append(said, t)
		}
	}
	return said, strings.Join(words, between)
}
