const kinds = { array: Array.isArray };
export const schema = (kind) => ({
  parse(value) {
    if (!kinds[kind](value)) throw new TypeError(`not ${kind}`);
    return value;
  },
});
