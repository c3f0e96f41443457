import { check } from 'k6';
import { api } from './lib/client.js';
import pick, { chance } from './lib/pick.js';
import { products } from './lib/products.js';

export const options = { vus: 1, iterations: 8 };

export { options as config };

export default function main() {
    const product = pick(products);
    const shown = api.get('/echo?sku=' + product.sku);
    if (!api.ok(shown, 'shown')) return;

    if (chance(0.5)) {
        const amount = product.stock > 5 ? 3 : 1;
        const ordered = api.send('POST', '/echo', { sku: product.sku, amount });
        check(ordered, { 'amount': (r) => JSON.parse(r.json('body')).amount === amount });
    } else {
        api.send('DELETE', '/echo?sku=' + product.sku);
    }
}
