import { describe, expect } from 'https://jslib.k6.io/k6chaijs/4.3.4.3/index.js';
import { Httpx, Get } from 'https://jslib.k6.io/httpx/0.1.0/index.js';
import { URL, URLSearchParams } from 'https://jslib.k6.io/url/1.0.0/index.js';
import formUrlEncoded from 'https://jslib.k6.io/form-urlencoded/3.0.0/index.js';

export let options = {
  thresholds: { checks: [{ threshold: 'rate == 1.00', abortOnFail: true }], http_req_failed: ['rate<0.01'] },
  vus: 1, iterations: 2,
};

const session = new Httpx({ baseURL: __ENV.TARGET, headers: { 'X-Client': 'suite' }, tags: { team: 'shop' } });

export default function testSuite() {
  const ok = describe('01. Read', () => {
    const url = new URL('/echo', __ENV.TARGET);
    url.searchParams.append('page', 2);
    const response = session.get(url.toString());
    expect(response.status, 'status').to.equal(200);
    expect(response).to.have.validJsonBody();
    expect(response.json(), 'echo').to.be.an('object').that.has.property('method', 'GET');
    expect(response.json('query.page'), 'page').to.be.oneOf(['2', 2]);
  }) && describe('02. Write', () => {
    session.addHeader('Authorization', 'Bearer abc');
    const params = new URLSearchParams([['a', '1'], ['b', '2']]);
    const response = session.post('/echo', formUrlEncoded({ list: [1, 2], more: params.toString() }));
    expect(response.status, 'status').to.be.within(200, 299);
    expect(response.json().body, 'body').to.include('list%5B0%5D=1');
    expect(response.json().headers, 'headers').to.include.keys('Authorization', 'X-Client');
  });
  describe('03. Many at once', () => {
    const responses = session.batch([new Get('/ok'), new Get('/ok', { tags: { name: 'second' } })]);
    responses.forEach((r) => expect(r.status, 'status').to.equal(200));
    expect(ok, 'the steps before').to.be.true;
  });
}
