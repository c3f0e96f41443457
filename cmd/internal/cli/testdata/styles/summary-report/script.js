import http from 'k6/http';
import { check } from 'k6';

export const options = { iterations: 3, summaryTrendStats: ['avg', 'p(95)', 'p(99.9)', 'count'] };

export default () => { check(http.get(`${__ENV.TARGET}/ok`), { ok: (r) => r.status === 200 }); };

export function handleSummary(data) {
  const { http_req_duration: duration, checks } = data.metrics;
  const text = [
    `p95=${duration.values['p(95)'] >= 0} count=${duration.values.count}`,
    `checks=${checks.values.passes}/${checks.values.passes + checks.values.fails}`,
    `root=${data.root_group.checks.map((c) => c.name).join()}`,
    `missing=${data.metrics.nothing?.values?.avg}`,
  ].join('\n');
  return { stdout: text + '\n', 'summary.json': JSON.stringify(data, null, 2) };
}
