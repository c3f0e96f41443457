import http from 'k6/http';
import { check } from 'k6';

// The server under test. `jsload run --with-target` starts one and sets TARGET.
const target = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 2, iterations: 20 };

export default function () {
  check(http.get(`${target}/ok`), { 'status is 200': (r) => r.status === 200 });
}

// Runs once at the end. Each key of the result is a file; stdout is the terminal.
export function handleSummary(data) {
  const trend = data.metrics.http_req_duration.values;
  const checks = data.metrics.checks.values;
  const lines = [
    '# Load test',
    '',
    `- requests: ${data.metrics.http_reqs.values.count}`,
    `- checks passed: ${(checks.rate * 100).toFixed(2)} %`,
    `- p95: ${trend['p(95)'].toFixed(2)} ms`,
    '',
  ];
  return {
    stdout: lines.join('\n'),
    'report.md': lines.join('\n'),
    'report.json': JSON.stringify(data, null, 2),
  };
}
