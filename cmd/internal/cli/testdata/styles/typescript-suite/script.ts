import { check } from 'k6';
import exec from 'k6/execution';
import type { Options } from 'k6/options';
import { Client } from '@/client';
import { Role, type User } from '@/types';
import settings from './settings.json';

export const options: Options = {
  scenarios: {
    readers: { executor: 'per-vu-iterations', vus: 2, iterations: 2, exec: 'read', env: { ROLE: Role.Reader } },
    writers: { executor: 'shared-iterations', vus: 1, iterations: 2, exec: 'write', startTime: '0s' },
  },
  thresholds: { checks: [{ threshold: 'rate==1', abortOnFail: false }] },
} satisfies Options;

const users = settings.users satisfies readonly User[];

export function read(): void {
  const user = users[exec.scenario.iterationInTest % users.length]!;
  const client = new Client(__ENV.TARGET, user);
  check(client.fetch<{ query: Record<string, string> }>('/echo?limit=' + settings.limit), {
    'limit is passed on': (r) => r.query.limit === String(settings.limit),
    'runs as a reader': () => __ENV.ROLE === 'reader',
  });
}

export function write(): void {
  const client = new Client(__ENV.TARGET, users[0]!);
  check(client.send({ at: exec.vu.idInTest }), { 'arrived': (r) => r.at === exec.vu.idInTest });
}
