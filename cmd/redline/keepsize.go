package main

import (
	"errors"
	"strconv"
	"strings"

	"redline/bench/record"
)

// keepSize is how much a folder of runs may hold.
type keepSize struct {
	record.Keep
	// asked: the folder is cleared up by it. Where it is not, it only bounds the run's own file.
	asked bool
}

// defaultKeep is that of nobody's choice: about twenty million requests.
var defaultKeep = keepSize{record.Keep{Bytes: 2e9}, true}

// sizes are the units of a size, of 1000 each, as all sizes are told here; those of 1024 are read as well, as in GiB.
var sizes = []struct {
	word          string
	bytes, binary int64
}{{"TB", 1e12, 1 << 40}, {"GB", 1e9, 1 << 30}, {"MB", 1e6, 1 << 20}, {"KB", 1e3, 1 << 10}}

// String is the size as it is written.
func (k keepSize) String() string {
	switch {
	case k.Runs > 0:
		return strconv.Itoa(k.Runs) + " runs"
	case k.Bytes == 0:
		return "all"
	}
	return sizeWords(k.Bytes)
}

// sizeWords is a size in the greatest unit that it fills, with one digit behind the point where it has any.
func sizeWords(n int64) string {
	for _, u := range sizes {
		if n >= u.bytes {
			text := strconv.FormatFloat(float64(n)/float64(u.bytes), 'f', 1, 64)
			return strings.TrimSuffix(text, ".0") + u.word
		}
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

var errKeep = errors.New("want a size from 1MB on, as in 500MB or 2GB, a number of runs, as in '50 runs', or all")

// parseKeep reads a size, a number of runs, or all.
func parseKeep(text string) (keepSize, error) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if text == "ALL" {
		return keepSize{asked: true}, nil
	}
	if n, ok := strings.CutSuffix(strings.TrimSuffix(text, "S"), "RUN"); ok {
		runs, err := strconv.Atoi(strings.TrimSpace(n))
		if err != nil || runs < 1 || runs > 1_000_000 {
			return keepSize{}, errKeep
		}
		return keepSize{record.Keep{Runs: runs}, true}, nil
	}
	for _, u := range sizes {
		for _, word := range []string{u.word, strings.Replace(u.word, "B", "IB", 1), u.word[:1]} {
			n, ok := strings.CutSuffix(text, word)
			if !ok {
				continue
			}
			v, err := strconv.ParseFloat(strings.TrimSpace(n), 64)
			each := u.bytes
			if strings.HasSuffix(word, "IB") {
				each = u.binary
			}
			if bytes := v * float64(each); err == nil && bytes >= 1e6 && bytes <= 1e15 {
				return keepSize{record.Keep{Bytes: int64(bytes)}, true}, nil
			}
			return keepSize{}, errKeep
		}
	}
	return keepSize{}, errKeep
}
