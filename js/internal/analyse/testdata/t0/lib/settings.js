// Constants only.
export const common = {
    headers: { 'X-Client': 'settings', Accept: '*/*' },
    tags: { team: 'shop' },
};

export const json = { 'Content-Type': 'application/json' };

export const paths = { echo: '/echo', small: '/size/16' };
