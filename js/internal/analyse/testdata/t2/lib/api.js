export const paths = Object.freeze({ items: '/echo', login: '/login' });

export const json = { headers: { 'Content-Type': 'application/json' } };
