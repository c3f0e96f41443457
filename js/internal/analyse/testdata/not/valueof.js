// blocks: conversion by an object's own valueOf and toString
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
let asked = 0;

const next = {
  valueOf() {
    return ++asked;
  },
  toString() {
    return `t${++asked}`;
  },
};

export const options = { vus: 1, iterations: 2 };

export default function () {
  const sum = next + 0;
  const res = http.get(`${BASE}/echo?sum=${sum}&text=${next}`);
  check(res, { 'asked twice': (r) => r.json('query.text') === `t${sum + 1}` });
}
