import http from 'k6/http';
import { check } from 'k6';
import { Counter } from 'k6/metrics';
import { Options } from 'k6/options';
import { uuidv4, randomString } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';
import { KINDS, type Kind } from './lib/kinds.ts';

const BASE: string = __ENV.TARGET || 'http://127.0.0.1:8000';

type Session = {
    id: string;
    kind: Kind;
    nonce: string;
    attempt: number;
};

export const options: Options = {
    scenarios: {
        sessions: { executor: 'per-vu-iterations', vus: 2, iterations: 3, maxDuration: '20s' },
    },
};

const opened: Counter = new Counter('sessions_opened');

export default function (): void {
    const session: Session = {
        id: uuidv4(),
        kind: KINDS[Math.floor(Math.random() * KINDS.length)]!,
        nonce: randomString(8, 'abcdef0123456789'),
        attempt: __ITER + 1,
    };
    const res = http.post(`${BASE}/echo`, JSON.stringify(session), {
        headers: { 'Content-Type': 'application/json', 'X-Request-Id': session.id },
    });
    opened.add(1, { kind: session.kind });
    check(res, {
        'id is sent twice': (r) => r.json('headers.X-Request-Id') === session.id && (r.json('body') as string).includes(session.id),
        'id looks right': () => session.id.length === 36,
        'nonce is eight long': () => session.nonce.length === 8,
    });
}
