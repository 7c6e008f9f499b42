package ui

import (
	"testing"
	"time"
)

func TestTheCostOfDrawingIsItsShareOfTheTime(t *testing.T) {
	var c cost
	at := time.Unix(1000, 0)
	for range 40 {
		c.add(at, at.Add(10*time.Millisecond))
		at = at.Add(250 * time.Millisecond)
	}
	if !c.known || c.share < 0.03 || c.share > 0.05 {
		t.Errorf("10 ms of every 250 are %v, %v", c.share, c.known)
	}
	var young cost
	if young.add(at, at.Add(time.Second)); young.known {
		t.Error("a share is known after one message")
	}
}
