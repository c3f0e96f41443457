import http, { type RefinedResponse, type ResponseType } from 'k6/http';
import { check, sleep } from 'k6';
import type { Options } from 'k6/options';

enum Path {
  Ok = '/ok',
  Echo = '/echo',
}

enum Level {
  Low,
  Mid = 5,
  High,
}

interface Order {
  readonly id: number;
  note?: string;
  lines: Array<{ sku: string; count: number }>;
}

type Res = RefinedResponse<ResponseType | undefined>;

const BASE: string = __ENV.TARGET || 'http://127.0.0.1:8000';

const ORDER: Order = {
  id: 7,
  lines: [
    { sku: 'A-1', count: 2 },
    { sku: 'B-9', count: 1 },
  ],
} as const;

export const options: Options = {
  vus: 2,
  iterations: 4,
  thresholds: { checks: ['rate==1'] },
};

export default function main(): void {
  check(http.get(BASE + Path.Ok), { ok: (r: Res): boolean => r.status === 200 });
  const res = http.post(`${BASE}${Path.Echo}?level=${Level.High}`, JSON.stringify(ORDER), {
    headers: { 'Content-Type': 'application/json' },
  }) as Res;
  check<Res>(res, {
    'level is a number': (r) => r.json('query.level') === '6',
    'order is whole': (r) => (r.body as string).includes('B-9'),
  });
  sleep(0.01 satisfies number);
}
