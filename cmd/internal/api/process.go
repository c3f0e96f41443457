package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/pprof"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// profiles serves the profiles of the process.
func profiles(mux *http.ServeMux) {
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
}

// variables shows the memory statistics of the process. The command line is left
// out: it may hold secrets.
func variables(w http.ResponseWriter, _ *http.Request) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b, err := json.Marshal(map[string]any{"memstats": m})
	if err != nil {
		writeError(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(b)
}

// processMetrics writes figures of the process itself, under the names that
// Prometheus clients use, in its text format.
func processMetrics(w http.ResponseWriter, _ *http.Request) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var b bytes.Buffer
	put := func(name, kind, help string, value float64) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n%s %s\n", name, help, name, kind, name, strconv.FormatFloat(value, 'g', -1, 64))
	}
	put("go_goroutines", "gauge", "Number of goroutines.", float64(runtime.NumGoroutine()))
	put("go_gc_cycles_total", "counter", "Completed garbage collections.", float64(m.NumGC))
	put("go_gc_pause_seconds_total", "counter", "Time that the world was stopped for garbage collection.", float64(m.PauseTotalNs)/1e9)
	put("go_memstats_alloc_bytes", "gauge", "Bytes of the heap in use.", float64(m.Alloc))
	put("go_memstats_alloc_bytes_total", "counter", "Bytes ever allocated.", float64(m.TotalAlloc))
	put("go_memstats_heap_objects", "gauge", "Objects on the heap.", float64(m.HeapObjects))
	put("go_memstats_sys_bytes", "gauge", "Bytes taken from the system.", float64(m.Sys))
	for _, f := range processFigures() {
		put(f.name, f.kind, f.help, f.value)
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(b.Bytes())
}

// figure is one number about the process that the system knows.
type figure struct {
	name, kind, help string
	value            float64
}

// openDescriptors counts the descriptors in use, where the system shows them.
func openDescriptors() (int, bool) {
	list, err := os.ReadDir("/proc/self/fd")
	return len(list), err == nil
}

// residentBytes returns the memory in use, where the system shows it.
func residentBytes() (int64, bool) {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(b))
	if len(fields) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
}
