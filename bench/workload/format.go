package workload

import (
	"fmt"
	"slices"
	"strings"
)

// Format is how a file is written.
type Format uint8

const (
	// Detect: the content tells.
	Detect Format = iota
	// JSONL: one prompt or conversation a line.
	JSONL
	// ShareGPT: one JSON array of conversations.
	ShareGPT
	// Azure: TIMESTAMP,ContextTokens,GeneratedTokens.
	Azure
	// Mooncake: timestamp, input_length, output_length and hash_ids, one JSON object a line.
	Mooncake
	// BurstGPT: Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type.
	BurstGPT
)

var formatNames = []string{"auto", "jsonl", "sharegpt", "azure", "mooncake", "burstgpt"}

// String is the format's name, as in format=.
func (f Format) String() string { return formatNames[min(int(f), len(formatNames)-1)] }

func (f *Format) read(text string) error {
	i := slices.Index(formatNames, strings.ToLower(text))
	if i < 0 {
		return fmt.Errorf("%s is no format; there are %s", short(text), strings.Join(formatNames, ", "))
	}
	*f = Format(i)
	return nil
}

// rows is what the rows of a format are, for errors.
func (f Format) rows() string {
	switch f {
	case JSONL:
		return "a line of jsonl is a JSON object with prompt, messages or turns, and max_tokens if it likes"
	case ShareGPT:
		return "sharegpt is a JSON array of objects with conversations, messages or items, each with from and value, or role and content"
	case Azure:
		return "a line of an azure trace is TIMESTAMP,ContextTokens,GeneratedTokens, with a time such as 2023-11-16 18:15:46.6805900 and tokens from 1 to 1000000"
	case Mooncake:
		return "a line of a mooncake trace is a JSON object with timestamp in ms, input_length and output_length from 1 to 1000000, and hash_ids"
	case BurstGPT:
		return "a line of a burstgpt trace has Timestamp in s, Request tokens and Response tokens from 1 to 1000000"
	}
	return "a file is jsonl with prompt, messages or turns; a JSON array in ShareGPT's shape; or a trace of Azure, Mooncake or BurstGPT"
}
