// blocks: recursion
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

function walk(node, depth) {
  const res = http.get(`${BASE}/echo?name=${node.name}&depth=${depth}`, { tags: { name: 'node' } });
  check(res, { 'node answers': (r) => r.json('query.name') === node.name });
  return node.children.reduce((n, child) => n + walk(child, depth + 1), 1);
}

const tree = { name: 'root', children: [{ name: 'left', children: [] }, { name: 'right', children: [{ name: 'leaf', children: [] }] }] };

export const options = { iterations: 2 };

export default function () {
  check(walk(tree, 0), { 'four nodes': (n) => n === 4 });
}
