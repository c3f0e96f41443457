import http from 'k6/http';

// A session keeps its token in a closure.
export function Session(base) {
    let token;
    const params = () => (token ? { headers: { Authorization: 'Bearer ' + token } } : {});
    return {
        login(user) {
            const res = http.post(`${base}/login`, { user, password: 'secret' });
            token = res.json('token');
            return res;
        },
        get: (path) => http.get(base + path, params()),
    };
}
