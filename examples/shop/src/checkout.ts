// A test that is a small TypeScript project: types, classes, a path alias of
// tsconfig.json, a package of npm and data as a JSON import. Nothing is compiled
// beforehand.
//
//   cd examples/shop && npm install && jsload run --with-target src/checkout.ts
import { check } from 'k6';
import type { Options } from 'k6/options';
import { format, sum } from '@shop/money';
import { Cart } from '@lib/cart';
import { Shop } from '@lib/shop';
import catalogue from './catalogue.json';

export const options: Options = {
  vus: 2,
  iterations: 6,
  thresholds: { checks: ['rate==1'] },
};

const shop = new Shop(__ENV.TARGET);

export default function (): void {
  const cart = new Cart();
  for (const { sku, cents } of catalogue.slice(0, 1 + (__ITER % catalogue.length))) {
    cart.add({ sku, price: { cents, currency: 'EUR' } });
  }
  const receipt = shop.checkout(cart);
  check(receipt, {
    'total is right': (r) => r?.total === format(sum(cart.prices())),
    'all lines are there': (r) => r?.lines === cart.size,
  });
}
