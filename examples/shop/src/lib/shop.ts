import http from 'k6/http';
import { format, sum } from '@shop/money';
import type { Cart } from './cart';

export interface Receipt {
  total: string;
  lines: number;
}

export class Shop {
  constructor(private readonly base: string) {}

  /** Sends the cart and returns what the shop understood of it, or undefined. */
  checkout(cart: Cart): Receipt | undefined {
    const sent: Receipt = { total: format(sum(cart.prices())), lines: cart.size };
    const res = http.post(`${this.base}/echo`, JSON.stringify(sent), {
      headers: { 'Content-Type': 'application/json' },
      tags: { name: 'checkout' },
    });
    if (res.status !== 200) {
      return undefined;
    }
    return JSON.parse(res.json('body') as string) as Receipt;
  }
}
