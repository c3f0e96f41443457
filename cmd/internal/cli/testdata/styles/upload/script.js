import http from 'k6/http';
import { check } from 'k6';
import encoding from 'k6/encoding';
import crypto from 'k6/crypto';
import { FormData } from 'https://jslib.k6.io/formdata/0.0.2/index.js';

const picture = open('./picture.bin', 'b');

export const options = { vus: 2, iterations: 2, discardResponseBodies: true };

export default function () {
  const form = new FormData();
  form.append('title', 'A picture');
  form.append('file', http.file(picture, 'picture.bin', 'application/octet-stream'));
  const viaLibrary = http.post(`${__ENV.TARGET}/echo`, form.body(), {
    headers: { 'Content-Type': 'multipart/form-data; boundary=' + form.boundary }, responseType: 'text',
  });
  const builtIn = http.post(`${__ENV.TARGET}/echo`, { title: 'A picture', file: http.file(picture, 'picture.bin') }, { responseType: 'text' });
  const raw = http.put(`${__ENV.TARGET}/echo`, picture, { headers: { 'Content-MD5': crypto.md5(picture, 'base64') }, responseType: 'text' });
  const text = (r) => encoding.b64decode(r.json('bodyBase64'), 'std', 's'); // as the bytes are no text
  check(null, {
    'the library sends a form': () => text(viaLibrary).includes('name="file"; filename="picture.bin"'),
    'so does the module': () => text(builtIn).includes('A picture') && builtIn.json('headers.Content-Type').startsWith('multipart/form-data; boundary='),
    'four bytes': () => raw.json('headers.Content-Length') === '4' && encoding.b64decode(raw.json('headers.Content-Md5')).byteLength === 16,
    'no body unasked': () => http.get(`${__ENV.TARGET}/ok`).body === null,
  });
}
