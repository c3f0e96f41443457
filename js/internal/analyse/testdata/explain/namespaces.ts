import http from 'k6/http';
import { check, fail } from 'k6';
import { Options } from 'k6/options';
import { Counter } from 'k6/metrics';

namespace Config {
    export const base: string = __ENV.TARGET || 'http://127.0.0.1:8000';
    export const users = ['ida', 'ole'] as const;
    export type User = (typeof users)[number];
}

abstract class Journey {
    protected static done = new Counter('journeys_done');
    constructor(readonly user: Config.User) {}
    protected abstract steps(): boolean;
    run(): void {
        if (!this.steps()) fail(`${this.user} is stuck`);
        Journey.done.add(1, { user: this.user });
    }
}

class Buyer extends Journey {
    #cart: Map<string, number> = new Map();
    protected steps(): boolean {
        this.#cart.set('lamp', 2).set('desk', 1);
        const lines = [...this.#cart].map(([sku, n]) => `${sku}:${n}`);
        const res = http.post(`${Config.base}/echo`, lines.join(';'));
        return check(res, { 'cart arrived': (r) => r.json('body') === 'lamp:2;desk:1' });
    }
}

class Visitor extends Journey {
    protected steps(): boolean {
        return [1, 10].every((n) => check(http.get(`${Config.base}/size/${n}`), { 'page is whole': (r) => r.body!.length === n }));
    }
}

export const options: Options = { vus: 1, iterations: 4 };

export default (): void => {
    const user = Config.users[__ITER % Config.users.length]!;
    const journey: Journey = __ITER % 2 === 0 ? new Buyer(user) : new Visitor(user);
    journey.run();
};
