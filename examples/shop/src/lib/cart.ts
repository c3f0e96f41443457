import type { Money } from '@shop/money';

export interface Line {
  readonly sku: string;
  readonly price: Money;
}

export class Cart {
  #lines: Line[] = [];

  add(line: Line): this {
    this.#lines.push(line);
    return this;
  }

  get size(): number {
    return this.#lines.length;
  }

  prices(): Money[] {
    return this.#lines.map((l) => l.price);
  }
}
