// Groups give the summary a structure, checks count what was right without ending
// the iteration, and tags make a threshold for one group or one check possible.
import http from 'k6/http';
import { check, group } from 'k6';

export const options = {
  vus: 4,
  iterations: 20,
  thresholds: {
    checks: ['rate==1'],
    'checks{area:shop}': ['rate==1'],
    'group_duration{group:::browse}': ['max<10000'],
    'http_req_duration{group:::browse::detail}': ['p(95)<5000'],
  },
};

const base = __ENV.TARGET;

export default function () {
  group('browse', () => {
    const list = http.get(`${base}/size/2000`);
    check(list, { 'list has its size': (r) => r.body.length === 2000 }, { area: 'shop' });

    group('detail', () => {
      const [page, image] = http.batch([
        ['GET', `${base}/gzip`],
        ['GET', `${base}/size/5000`, null, { responseType: 'binary' }],
      ]);
      check(page, { 'page is unpacked': (r) => r.json('items.1.name') === 'item 1' }, { area: 'shop' });
      check(image, { 'image is whole': (r) => r.body.byteLength === 5000 }, { area: 'shop' });
    });
  });

  group('leave', () => {
    const res = http.get(`${base}/redirect/2`);
    check(res, {
      'redirects were followed': (r) => r.url.endsWith('/redirect/0'),
      'ends well': (r) => r.status === 200,
    });
  });
}
