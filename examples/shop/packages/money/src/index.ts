/** An amount of money in the smallest unit of its currency. */
export interface Money {
  readonly cents: number;
  readonly currency: 'EUR' | 'USD';
}

export function sum(amounts: readonly Money[]): Money {
  const [first, ...rest] = amounts;
  if (first === undefined) {
    return { cents: 0, currency: 'EUR' };
  }
  return rest.reduce((total, m) => ({ ...total, cents: total.cents + m.cents }), first);
}

export function format({ cents, currency }: Money): string {
  return `${(cents / 100).toFixed(2)} ${currency}`;
}
