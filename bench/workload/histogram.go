package workload

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// bin is one value of a histogram; upto is the share of all weight up to it, itself included.
type bin struct{ value, weight, upto float64 }

// histogram reads VALUE:WEIGHT,… or else the name of a file.
func (l Lengths) histogram(inside string) (Lengths, error) {
	inside = strings.TrimSpace(inside)
	if inside == "" {
		return l, errors.New("hist() has no values")
	}
	l.form = histogram
	value, _, pair := strings.Cut(inside, ":")
	if _, err := l.number(value); !l.timed && (!pair || err != nil) {
		if _, err := l.number(strings.Split(inside, ",")[0]); err != nil {
			l.file = inside
			return l, nil
		}
	}
	var bins []bin
	for part := range strings.SplitSeq(inside, ",") {
		b, err := l.bin(part)
		if err != nil {
			return l, err
		}
		if bins = append(bins, b); len(bins) > maxBins {
			return l, fmt.Errorf("hist() has more than %d values", maxBins)
		}
	}
	return l.weigh(bins)
}

// bin reads VALUE:WEIGHT, or a VALUE alone, whose weight is 1.
func (l Lengths) bin(text string) (b bin, err error) {
	value, weight, pair := strings.Cut(text, ":")
	if b.value, err = l.value(value); err != nil {
		return b, err
	}
	b.weight = 1
	if pair {
		if b.weight, err = strconv.ParseFloat(strings.TrimSpace(weight), 64); err != nil || !(b.weight >= 0 && b.weight <= 1e12) {
			return b, fmt.Errorf("%s is no weight of 0 or more", short(weight))
		}
	}
	return b, nil
}

// weigh sorts the bins by value and sums up their weights.
func (l Lengths) weigh(bins []bin) (Lengths, error) {
	slices.SortStableFunc(bins, func(x, y bin) int { return cmp.Compare(x.value, y.value) })
	kept, total := bins[:0], 0.0
	for _, b := range bins {
		total += b.weight
		if last := len(kept) - 1; last >= 0 && kept[last].value == b.value {
			kept[last].weight += b.weight
		} else if b.weight > 0 {
			kept = append(kept, b)
		}
	}
	if total <= 0 {
		return l, errors.New("all weights of the histogram are 0")
	}
	sum := 0.0
	for i := range kept {
		sum += kept[i].weight
		kept[i].upto = sum / total
	}
	l.bins = kept
	return l, nil
}

// load reads the file of a histogram, if it is one that is not read yet: VALUE or VALUE:WEIGHT a line, with a comma or white space in place of the colon if it likes.
func (l *Lengths) load(ctx context.Context) error {
	if l.file == "" || len(l.bins) > 0 {
		return nil
	}
	file, _, err := openFile(l.file)
	if errors.Is(err, errNoFile) {
		return fmt.Errorf("%w; hist(FILE) takes a file of lengths and their weights, hist(128:3,512:5) has them in place of it", err)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	read, err := l.readBins(&supply{ctx: ctx, from: file, left: usual.read})
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", printable(l.file, 200), ctx.Err())
	}
	if err != nil {
		return fmt.Errorf("%s: %w; a line is a length and its weight, as 512,3, or a length alone", printable(l.file, 200), err)
	}
	*l = read
	return nil
}

func (l Lengths) readBins(from io.Reader) (Lengths, error) {
	in := newLines(from)
	var bins []bin
	for {
		line, long, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return l, fmt.Errorf("line %d: %w", in.number+1, err)
		}
		text := strings.TrimSpace(string(line[:min(len(line), 4096)]))
		if text == "" || text[0] == '#' {
			continue
		}
		if long || !utf8.ValidString(text) {
			return l, fmt.Errorf("line %d: %s is no length", in.number, short(text))
		}
		fields := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(",:; \t", c) })
		if len(fields) == 0 || len(fields) > 2 {
			return l, fmt.Errorf("line %d: %s is no length with a weight", in.number, short(text))
		}
		b, err := l.bin(strings.Join(fields, ":"))
		if err != nil {
			// The first line may be a heading.
			if in.number == 1 && strings.IndexFunc(text, isDigit) < 0 {
				continue
			}
			return l, fmt.Errorf("line %d: %w", in.number, err)
		}
		if bins = append(bins, b); len(bins) > maxBins*10 {
			return l, fmt.Errorf("it has more than %d lines", maxBins*10)
		}
	}
	if len(bins) == 0 {
		return l, errors.New("there are no lengths in it")
	}
	return l.weigh(bins)
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
