// An API client as a class, as TypeScript people write it.
import http, { type Params, type RefinedResponse, type ResponseType } from 'k6/http';
import { check, sleep } from 'k6';
import type { Options } from 'k6/options';

const BASE: string = __ENV.TARGET || 'http://127.0.0.1:8000';

interface Credentials {
  user: string;
  password: string;
}

class ApiClient {
  private token: string | null = null;
  private static readonly json = { 'Content-Type': 'application/json' };

  constructor(private readonly base: string) {}

  private params(): Params {
    const headers: Record<string, string> = { ...ApiClient.json };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    return { headers };
  }

  login(credentials: Credentials): boolean {
    const res = http.post(`${this.base}/login`, JSON.stringify(credentials), this.params());
    this.token = res.json('token') as string;
    return check(res, { 'login works': (r) => r.status === 200 });
  }

  get(path: string): RefinedResponse<ResponseType | undefined> {
    return http.get(this.base + path, this.params());
  }
}

export const options: Options = { vus: 1, iterations: 3 };

const client = new ApiClient(BASE);

export default function (): void {
  if (!client.login({ user: 'typed', password: 'secret' })) return;
  const res = client.get('/private');
  check(res, { 'knows me': (r) => r.json('user') === 'typed' });
  sleep(0.002);
}
