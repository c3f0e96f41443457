package target

import (
	"bytes"
	"encoding/json"
	"sync"
)

// leanServer is what the loops of the lean server share.
type leanServer struct {
	stats   *collector
	pattern []byte
	open    openSet
}

// openSet holds the descriptors of the open connections, also of those that were
// dealt to a loop which has not seen them yet.
type openSet struct {
	mu  sync.Mutex
	fds map[int]struct{}
}

func (s *openSet) add(fd int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fds[fd] = struct{}{}
}

func (s *openSet) remove(fd int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.fds, fd)
}

// figures renders /__target/stats. It is off the hot path.
func (s *leanServer) figures(req *leanRequest) []byte {
	body, err := json.Marshal(s.stats.snapshot())
	if err != nil {
		return []byte("{}") // Stats always marshals; keep the connection usable
	}
	if bytes.Contains(req.query, []byte("reset=true")) {
		s.stats.reset()
	}
	return body
}
