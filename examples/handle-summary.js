// A report of one's own at the end: handleSummary receives all results as data
// and returns what is to be printed and written.
import http from 'k6/http';
import { check } from 'k6';

export const options = {
  vus: 2,
  iterations: 20,
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'count'],
  thresholds: { http_req_duration: ['p(99)<5000'] },
};

export default function () {
  check(http.get(`${__ENV.TARGET}/br`), { unpacked: (r) => r.json('compressed') === true });
}

export function handleSummary(data) {
  const { http_req_duration: duration, http_reqs: requests, checks } = data.metrics;
  const failed = Object.values(data.metrics).flatMap((m) =>
    Object.entries(m.thresholds || {}).filter(([, result]) => !result.ok).map(([expression]) => expression),
  );
  const markdown = [
    '| requests | checks passed | median | p95 | p99 |',
    '|---|---|---|---|---|',
    `| ${requests.values.count} | ${checks.values.passes} | ${duration.values.med.toFixed(2)} ms | ${duration.values['p(95)'].toFixed(2)} ms | ${duration.values['p(99)'].toFixed(2)} ms |`,
    '',
    failed.length === 0 ? 'All thresholds hold.' : `Crossed: ${failed.join(', ')}`,
    '',
  ].join('\n');
  const folder = __ENV.REPORTS || '.';
  return {
    stdout: markdown,
    [`${folder}/report.md`]: markdown,
    [`${folder}/report.json`]: JSON.stringify(data, null, 2),
  };
}
