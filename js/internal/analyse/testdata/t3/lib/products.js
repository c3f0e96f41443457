export const products = [
    { sku: 'lamp', stock: 12 },
    { sku: 'desk', stock: 3 },
    { sku: 'sofa', stock: 6 },
];
