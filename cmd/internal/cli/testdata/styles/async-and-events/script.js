import http from 'k6/http';
import { check } from 'k6';
import { WebSocket } from 'k6/websockets';

export const options = { vus: 1, iterations: 2 };

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function* pages() {
  for (let page = 1; page <= 2; page++) yield (await http.asyncRequest('GET', `${__ENV.TARGET}/echo?page=${page}`)).json('query.page');
}

export default async function () {
  const all = [];
  for await (const page of pages()) all.push(page);
  check(all, { 'both pages': (a) => a.join() === '1,2' });
  const [a, b] = await Promise.all([http.asyncRequest('GET', `${__ENV.TARGET}/ok`), pause(20).then(() => 'later')]);
  check(a, { 'awaited': (r) => r.status === 200 && b === 'later' });
  const ws = new WebSocket(__ENV.TARGET.replace('http', 'ws') + '/ws');
  ws.addEventListener('open', () => ws.send('hello'));
  ws.addEventListener('message', (e) => { check(e.data, { 'echoed': (d) => d === 'hello' }); ws.close(); });
}
