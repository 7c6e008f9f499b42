package workload

import (
	"context"
	"fmt"
	"io"
)

// supply is a file that is read until ctx ends, and no further than the bytes that are left: a line may have no end, and blank or broken ones are never
// enough.
type supply struct {
	ctx  context.Context
	from io.Reader
	left int64
	read int64
}

func (s *supply) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	if s.left <= 0 {
		return 0, fmt.Errorf("after %.4g MB there are too few rows that can be used; the rest is not read", float64(s.read)/1e6)
	}
	n, err := s.from.Read(p[:min(int64(len(p)), s.left)])
	s.left -= int64(n)
	s.read += int64(n)
	return n, err
}
