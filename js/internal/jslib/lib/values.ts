// How k6-summary writes the value of a metric.

const power10 = (n: number): number => Math.pow(10, n);

// truncated cuts a number to so many decimals, without zeros at its end.
function truncated(value: number, decimals: number): string {
  const scale = power10(decimals);
  return String(Math.trunc(value * scale + Math.sign(value) * 1e-9) / scale);
}

const sizes = ["B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];

function humanizeBytes(bytes: number): string {
  if (bytes < 10) {
    return `${bytes} B`;
  }
  let scaled = bytes;
  let unit = 0;
  while (scaled >= 1000 && unit < sizes.length - 1) {
    scaled /= 1000;
    unit++;
  }
  return `${scaled.toFixed(scaled < 10 ? 1 : 0)} ${sizes[unit]}`;
}

const fixedUnits: Record<string, [factor: number, name: string]> = {
  s: [1e-3, "s"],
  ms: [1, "ms"],
  us: [1e3, "µs"],
};

function humanizeTime(ms: number, timeUnit?: string | null): string {
  const fixed = timeUnit ? fixedUnits[timeUnit] : undefined;
  if (fixed) {
    return (ms * fixed[0]).toFixed(2) + fixed[1];
  }
  const size = Math.abs(ms);
  if (size === 0) {
    return "0s";
  }
  if (size < 1e-3) {
    return `${truncated(ms * 1e6, 0)}ns`;
  }
  if (size < 1) {
    return `${truncated(ms * 1e3, 2)}µs`;
  }
  if (size < 1000) {
    return `${truncated(ms, 2)}ms`;
  }
  return size < 60000 ? `${truncated(ms / 1000, 2)}s` : longTime(ms);
}

function longTime(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = `${minutes % 60}m${seconds % 60}s`;
  return (ms < 0 ? "-" : "") + (minutes < 60 ? rest : `${Math.floor(minutes / 60)}h${rest}`);
}

function humanizePlain(value: number): string {
  return String(Number(value.toFixed(6)));
}

/** A value of a metric as text; timeUnit is s, ms, us, or empty for what fits. */
export function humanizeValue(value: number, metric: { type: string; contains?: string }, timeUnit?: string | null): string {
  if (metric.type === "rate") {
    return `${(Math.trunc(value * 100 * 100 + 1e-9) / 100).toFixed(2)}%`;
  }
  switch (metric.contains) {
    case "data":
      return humanizeBytes(value);
    case "time":
      return humanizeTime(value, timeUnit);
  }
  return humanizePlain(value);
}
