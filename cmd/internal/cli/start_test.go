package cli

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hundredLines is a TypeScript script of a hundred lines that makes one request.
func hundredLines() string {
	var b strings.Builder
	b.WriteString(`import http from 'k6/http';
import { check } from 'k6';
import { Trend } from 'k6/metrics';
import type { Options } from 'k6/options';

interface User { name: string; id: number }

const duration = new Trend('own_duration', true);
export const options: Options = { iterations: 1, thresholds: { checks: ['rate==1'] } };
`)
	for i := range 21 {
		fmt.Fprintf(&b, "function step%d(user: User): number {\n  const headers: Record<string, string> = { 'X-Step': user.name };\n  return Object.keys(headers).length + user.id;\n}\n", i)
	}
	b.WriteString(`
export default function (): void {
  const res = http.get(__ENV.TARGET + '/ok');
  check(res, { ok: (r) => r.status === 200 });
  duration.add(res.timings.duration + step1({ name: 'a', id: 1 }));
}
`)
	return b.String()
}

// BenchmarkFirstRequest measures from the start of the process to its first
// connection, with everything in the caches of the system. On two idle cores the
// goal is 60 ms; run it on an idle machine:
//
//	go test ./cmd/internal/cli -run '^$' -bench FirstRequest -benchtime 30x
func BenchmarkFirstRequest(b *testing.B) {
	script := filepath.Join(b.TempDir(), "script.ts")
	if err := os.WriteFile(script, []byte(hundredLines()), 0o666); err != nil {
		b.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	total := time.Duration(0)
	for b.Loop() {
		total += firstRequest(b, script, listener)
	}
	b.ReportMetric(float64(total.Microseconds())/1000/float64(b.N), "ms/first-request")
}

func firstRequest(b *testing.B, script string, listener net.Listener) time.Duration {
	b.Helper()
	cmd := exec.Command(program, "run", "--quiet", "-e", "TARGET=http://"+listener.Addr().String(), script)
	start := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	conn, err := listener.Accept()
	took := time.Since(start)
	if err != nil {
		b.Fatal(err)
	}
	_, err = conn.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	_ = conn.Close()
	return took
}
