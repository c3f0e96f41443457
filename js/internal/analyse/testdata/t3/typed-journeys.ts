import http, { RefinedResponse } from 'k6/http';
import { check, group, sleep } from 'k6';
import { Options } from 'k6/options';
import { Trend } from 'k6/metrics';

enum Journey {
    Visit = 'visit',
    Order = 'order',
    Leave = 'leave',
}

const enum Weight {
    Visit = 60,
    Order = 90,
}

type R = RefinedResponse<'text'>;

interface Outcome {
    ok: boolean;
    status: number;
}

const BASE: string = __ENV.TARGET || 'http://127.0.0.1:8000';
const spent = new Trend('journey_ms', true);

export const options: Options = {
    scenarios: {
        journeys: { executor: 'per-vu-iterations', vus: 2, iterations: 6, maxDuration: '10s' },
    },
    thresholds: { 'journey_ms{journey:visit}': ['avg<5000'] },
};

function choose(): Journey {
    const n: number = Math.floor(Math.random() * 100);
    if (n < Weight.Visit) return Journey.Visit;
    if (n < Weight.Order) return Journey.Order;
    return Journey.Leave;
}

function outcome(res: R): Outcome {
    return { ok: res.status >= 200 && res.status < 300, status: res.status };
}

export default function (): void {
    const journey = choose();
    const begin: number = Date.now();
    group(journey, (): void => {
        switch (journey) {
            case Journey.Visit: {
                const { ok } = outcome(http.get(`${BASE}/ok`) as R);
                check(ok, { 'visit fine': (v: boolean) => v });
                break;
            }
            case Journey.Order: {
                const o = outcome(http.post(`${BASE}/status/201`, 'x') as R);
                check(o, { 'order made': (v) => v.ok && v.status === 201 });
                break;
            }
            default:
                check(outcome(http.get(`${BASE}/status/404`) as R), { 'left': (v) => !v.ok });
        }
    });
    spent.add(Date.now() - begin, { journey });
    sleep(0.001);
}
