import http, { type RefinedResponse, type ResponseType } from 'k6/http';
import type { User } from './types';

abstract class Base {
  private static count = 0;
  protected readonly id: number;
  constructor(protected readonly base: string) { this.id = ++Base.count; }
  abstract get name(): string;
}

export class Client extends Base {
  #user: User;
  constructor(base: string, user: User) { super(base); this.#user = user; }
  override get name(): string { return this.#user?.name ?? 'nobody'; }

  fetch<T>(path: string): T {
    return this.decode<T>(http.get(`${this.base}${path}`, { headers: { 'X-User': this.name }, tags: { name: path.split('?')[0]! } }));
  }

  send<T extends object>(body: T): T {
    const echo = this.decode<{ body: string }>(http.post(`${this.base}/echo`, JSON.stringify(body)));
    return JSON.parse(echo.body) as T;
  }

  private decode<T>(res: RefinedResponse<ResponseType | undefined>): T { return res.json() as T; }
}
