import http from 'k6/http';
import { check, sleep } from 'k6';
import type { Options } from 'k6/options';

interface LoginAnswer {
  user: string;
  token: string;
}

interface Echo<T = unknown> {
  method: string;
  query: Record<string, string>;
  headers: { [name: string]: string };
  body: T;
}

const BASE = (__ENV.TARGET || 'http://127.0.0.1:8000') as string;

export const options: Options = { vus: 1, iterations: 3 };

export default (): void => {
  const answer = http.post(`${BASE}/login`, { user: 'typed', password: 'secret' }).json() as unknown as LoginAnswer;
  const { token, user }: LoginAnswer = answer;

  const res = http.get(`${BASE}/echo?who=${user}`, {
    headers: { Authorization: 'Bearer ' + token, 'X-User': user },
  });
  const echo = res.json() as unknown as Echo<string>;
  check(echo, {
    'who': (e: Echo<string>) => e.query.who === 'typed',
    'bearer': (e: Echo<string>) => e.headers['Authorization'] === `Bearer ${token}`,
    'no body': ({ body }) => body === '',
  });
  sleep(0.005);
};
