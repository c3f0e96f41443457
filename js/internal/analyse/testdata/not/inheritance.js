// blocks: class with inheritance
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

class Page {
  constructor(path) {
    this.path = path;
  }
  open() {
    return http.get(BASE + this.path);
  }
}

class Checked extends Page {
  open() {
    const res = super.open();
    check(res, { opened: (r) => r.status === 200 });
    return res;
  }
}

export const options = { iterations: 2 };

export default function () {
  const pages = [new Page('/ok'), new Checked('/size/3')];
  for (const page of pages) page.open();
}
