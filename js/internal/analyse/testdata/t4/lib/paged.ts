import http from 'k6/http';

const BASE: string = __ENV.TARGET || 'http://127.0.0.1:8000';
const LAST = 3;

export interface Page {
  names: string[];
  next: number | null;
}

// The target knows no pages, so it is sent the one it should answer.
export function request(cursor: number): Page {
  const names = [0, 1, 2].map((i) => `name-${cursor}-${i}`);
  const wanted: Page = { names, next: cursor < LAST ? cursor + 1 : null };
  const res = http.post(`${BASE}/echo?cursor=${cursor}`, JSON.stringify(wanted), { tags: { name: 'page' } });
  let page: Page = { names: [], next: null };
  try {
    page = JSON.parse(res.json('body') as string) as Page;
  } catch (e) {
    console.error((e as Error).message);
  }
  return page;
}
