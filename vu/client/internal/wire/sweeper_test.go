package wire

import (
	"testing"
	"time"
)

func TestSweeperPace(t *testing.T) {
	s := NewShared(time.Now())
	defer s.Close()
	for _, tt := range []struct{ timeout, every time.Duration }{
		{60 * time.Second, time.Second},
		{10 * time.Second, 500 * time.Millisecond},
		{30 * time.Second, 500 * time.Millisecond},
		{time.Second, 50 * time.Millisecond},
		{time.Millisecond, 10 * time.Millisecond},
	} {
		s.Attend(int64(tt.timeout))
		if got := time.Duration(s.every.Load()); got != tt.every {
			t.Errorf("after a timeout of %v: every %v, want %v", tt.timeout, got, tt.every)
		}
	}
}
