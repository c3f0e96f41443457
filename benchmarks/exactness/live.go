package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// liveMemory reads what a run keeps, without garbage, through its REST API.
type liveMemory struct {
	address  string
	readings []int64 // bytes
}

// newLiveMemory picks a free address for the API.
func newLiveMemory() (*liveMemory, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer func() { _ = l.Close() }()
	return &liveMemory{address: l.Addr().String()}, nil
}

func (m *liveMemory) flags() []string { return []string{"--address", m.address, "--profiling-enabled"} }

// watch waits until the scenarios run and then reads n times, the first after
// first, the others after each further period.
func (m *liveMemory) watch(first, period time.Duration, n int) {
	for !m.running() {
		time.Sleep(20 * time.Millisecond)
	}
	begin := time.Now()
	for i := range n {
		time.Sleep(time.Until(begin.Add(first + time.Duration(i)*period)))
		if bytes := m.read(); bytes > 0 {
			m.readings = append(m.readings, bytes)
		}
	}
}

// running also ends the wait for a run that cannot be asked for long.
func (m *liveMemory) running() bool {
	for range 3000 {
		body, err := m.ask("/v1/status")
		if err == nil {
			return strings.Contains(body, `"status":7,`)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return true
}

// read has garbage collected and returns the bytes that are left.
func (m *liveMemory) read() int64 {
	if _, err := m.ask("/debug/pprof/heap?gc=1"); err != nil {
		return 0
	}
	body, err := m.ask("/metrics")
	if err != nil {
		return 0
	}
	lines := bufio.NewScanner(strings.NewReader(body))
	for lines.Scan() {
		var bytes float64
		if _, err := fmt.Sscanf(lines.Text(), "go_memstats_alloc_bytes %g", &bytes); err == nil {
			return int64(bytes)
		}
	}
	return 0
}

func (m *liveMemory) ask(path string) (string, error) {
	res, err := http.Get("http://" + m.address + path)
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	return string(b), err
}
