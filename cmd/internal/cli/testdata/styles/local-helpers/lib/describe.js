import { check, group } from 'k6';

export function describe(name, fn) {
  return group(name, () => {
    let n = 0;
    fn({ equal: (got, want) => { n += 1; check(got, { [`${n} equals`]: (v) => v === want }); } });
    return n;
  });
}
