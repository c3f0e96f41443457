import http, { type Response } from 'k6/http';
import { check, sleep } from 'k6';
import { Trend } from 'k6/metrics';

interface Echo {
  method: string;
  body: string;
}

// The server under test. `jsload run --with-target` starts one and sets TARGET.
const target: string = __ENV.TARGET || 'http://127.0.0.1:8000';
const echoTime = new Trend('echo_time', true);

export const options = {
  vus: 5,
  duration: '5s',
  thresholds: { checks: ['rate>0.99'], echo_time: ['p(95)<500'] },
};

function echo(item: { id: number; name: string }): Echo {
  const res: Response = http.post(`${target}/echo`, JSON.stringify(item), {
    headers: { 'Content-Type': 'application/json' },
    tags: { name: 'echo' },
  });
  echoTime.add(res.timings.duration);
  return res.json() as unknown as Echo;
}

export default function (): void {
  const answer = echo({ id: __VU, name: `item ${__ITER}` });
  check(answer, {
    'came by POST': (a) => a.method === 'POST',
    'body came back': (a) => JSON.parse(a.body).id === __VU,
  });
  sleep(0.5);
}
