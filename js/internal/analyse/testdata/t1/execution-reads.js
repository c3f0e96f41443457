import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

const accounts = ['a-100', 'b-200', 'c-300', 'd-400'];

export const options = {
  scenarios: {
    accounts: { executor: 'per-vu-iterations', vus: 2, iterations: 2, exec: 'byAccount' },
  },
};

export function byAccount() {
  const account = accounts[(exec.vu.idInTest - 1) % accounts.length];
  const url = `${BASE}/echo?account=${account}&n=${exec.vu.iterationInScenario}&in=${exec.scenario.name}`;
  const res = http.get(url, { tags: { name: 'by account', account: account } });
  check(res, {
    'own account': (r) => r.json('query.account') === account,
    'own scenario': (r) => r.json('query.in') === 'accounts',
    'instance and test agree': () => exec.vu.idInTest === exec.vu.idInInstance,
    'executor is told': () => exec.scenario.executor === 'per-vu-iterations',
    'iteration is in range': () => exec.scenario.iterationInTest >= 0 && exec.scenario.iterationInTest < 4,
    'started': () => exec.instance.currentTestRunDuration >= 0 && exec.scenario.startTime > 1e12,
  });
}
