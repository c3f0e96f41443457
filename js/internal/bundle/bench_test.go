package bundle

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkBuild bundles a TypeScript test of about a hundred lines, exports
// included.
func BenchmarkBuild(b *testing.B) {
	var src strings.Builder
	src.WriteString("-- script.ts --\nimport http from 'k6/http';\nimport { check, sleep, group } from 'k6';\nimport { Client } from './client';\nexport const options = { vus: 1 };\n")
	for i := range 22 {
		fmt.Fprintf(&src, "interface R%d { id: number }\nexport function f%d(x: R%d): number {\n  const res = http.get(`http://x/${x.id}`);\n  return check(res, { ok: (r) => r.status === 200 }) ? %d : 0;\n}\n", i, i, i, i)
	}
	src.WriteString("export default async function (): Promise<void> { group('g', () => new Client('x').go()); sleep(f1({ id: 2 })); }\n")
	src.WriteString("-- client.ts --\nexport class Client { constructor(private base: string) {} go(): string { return this.base; } }\n")
	dir, main := project(b, src.String())
	cfg := config(b, dir, main)
	b.ResetTimer()
	for b.Loop() {
		if _, err := Build(b.Context(), cfg); err != nil {
			b.Fatal(err)
		}
	}
}
