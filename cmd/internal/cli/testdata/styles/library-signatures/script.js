import http from 'k6/http';
import { check } from 'k6';
import { AWSConfig, SignatureV4, Endpoint, S3Client } from 'https://jslib.k6.io/aws/0.12.3/aws.js';
import { TOTP } from 'https://jslib.k6.io/totp/1.0.0/index.js';
import { expect } from 'https://jslib.k6.io/k6-testing/0.5.0/index.js';
import tempo from 'https://jslib.k6.io/http-instrumentation-tempo/1.0.1/index.js';

tempo.instrumentHTTP({ propagator: 'w3c' });

const config = new AWSConfig({ region: 'eu-central-1', accessKeyId: 'AKIDEXAMPLE12345', secretAccessKey: 'secret', endpoint: __ENV.TARGET });
const s3 = new S3Client(config);

export default async function () {
  const signer = new SignatureV4({
    service: 'execute-api', region: config.region, credentials: config, uriEscapePath: true, applyChecksum: false,
  });
  const signed = signer.sign({ method: 'GET', endpoint: new Endpoint(__ENV.TARGET), path: '/echo', headers: { 'x-own': '1' }, query: { a: 'b c' } });
  const res = http.get(signed.url, { headers: signed.headers });
  check(res, {
    signed: (r) => r.json('headers.Authorization').startsWith('AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE12345/'),
    traced: (r) => /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/.test(r.json('headers.Traceparent')),
  });
  const code = await new TOTP('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ').gen();
  expect(code).toHaveLength(6);
  try {
    await s3.getObject('no-bucket', 'no-key');
  } catch (e) {
    check(e, { 'the bucket is not there': ({ name, operation }) => name === 'S3ServiceError' && operation === 'GetObject' });
  }
}
