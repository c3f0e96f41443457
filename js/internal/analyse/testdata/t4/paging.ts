import http, { type Response } from 'k6/http';
import { check, group } from 'k6';
import type { Options } from 'k6/options';
import { Counter } from 'k6/metrics';
import { request, type Page } from './lib/paged.ts';
import { Verdict, judge } from './lib/verdict.ts';

const pages = new Counter('pages_read');

export const options: Options = {
  scenarios: {
    readers: { executor: 'per-vu-iterations', vus: 2, iterations: 2, exec: 'readAll', maxDuration: '20s' },
  },
  thresholds: { pages_read: ['count==16'] },
};

export function readAll(): void {
  const seen: string[] = [];
  let cursor: number | null = 0;
  for (let round = 0; round < 10 && cursor !== null; round++) {
    const page: Page = request(cursor);
    pages.add(1);
    seen.push(...page.names);
    cursor = page.next;
  }

  group('verdict', () => {
    const answers: Response[] = [200, 302, 404].map((code): Response => http.get(`${__ENV.TARGET || 'http://127.0.0.1:8000'}/status/${code}`, { redirects: 0 }));
    const verdicts = answers.map((r) => judge(r.status));
    check(verdicts, {
      'good, moved, bad': (v: Verdict[]) => v.length === 3 && v[0] === Verdict.Good && v[1] === Verdict.Moved && v[2] === Verdict.Bad,
      'named': (v: Verdict[]) => Verdict[v[2]!] === 'Bad',
    });
  });

  check(seen, {
    'four pages of three': (s) => s.length === 12,
    'last name': (s) => s[s.length - 1] === 'name-3-2',
    'no name twice': (s) => s.every((name, i) => s.indexOf(name) === i),
  });
}

export default readAll;
