import tracing, { Client } from 'k6/experimental/tracing';
import http from 'k6/http';

tracing.instrumentHTTP({ propagator: 'w3c' });

export default function () { http.get(`${__ENV.TARGET}/ok`); new Client({}).get('/'); }
