import fs from 'node:fs';
import http from 'k6/http';

const users = JSON.parse(fs.readFileSync('users.json', 'utf8'));

export default function () { http.get(`${process.env.TARGET}/${users[0]}`); }
