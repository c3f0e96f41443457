import { check } from 'k6';

const status = (want) => ({ [`status ${want}`]: (r) => r.status === want });

export const journeys = {
    'log in': (session) => check(session.login('jo'), status(200)),
    look: (session) => check(session.get('/private'), status(200)),
    leave: (session) => check(session.get('/status/404'), status(404)),
};
