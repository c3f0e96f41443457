// k6-summary: the end of a test as text and for CI.

import { humanizeValue } from "./values.ts";

export { humanizeValue };
export { jUnit } from "./junit.ts";

interface Options {
  indent: string;
  enableColors: boolean;
  summaryTimeUnit: string | null;
  summaryTrendStats: string[];
  order: (names: string[]) => string[];
}

type Painter = (text: string, code: string) => string;

const green = "32";
const red = "31";
const faint = "2";
const cyan = "36";
const cyanFaint = "36;2";

// width is how many columns a text takes, colours left out.
function width(text: string): number {
  return [...text.normalize("NFKC").replace(/\x1b\[[0-9;]*m/g, "")].length;
}

const pad = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - width(text)));

const widest = (texts: string[]): number => texts.reduce((most, t) => Math.max(most, width(t)), 0);

/** The summary of a test in the layout of k6 before 1.0. */
export function textSummary(data: any, options?: object): string {
  return summarize(data, options, byParent);
}

/** textSummary with all names in one order. */
export function textSummaryUnsorted(data: any, options?: object): string {
  return summarize(data, options, (names) => [...names].sort());
}

function summarize(data: any, given: object | undefined, order: Options["order"]): string {
  const options: Options = {
    indent: " ", enableColors: true, summaryTimeUnit: null, summaryTrendStats: null, ...data.options, ...given, order,
  };
  const paint: Painter = options.enableColors ? (text, code) => `\x1b[${code}m${text}\x1b[0m` : (text) => text;
  const lines = groupLines(data.root_group, `${options.indent}    `, paint);
  lines.push(...metricLines(data.metrics, options, paint));
  return lines.join("\n");
}

// byParent keeps sub-metrics behind the metric that they are part of.
function byParent(names: string[]): string[] {
  const split = (name: string): [string, string] => {
    const at = name.indexOf("{");
    return at < 0 ? [name, ""] : [name.slice(0, at), name.slice(at)];
  };
  return [...names].sort((a, b) => {
    const [parentA, restA] = split(a);
    const [parentB, restB] = split(b);
    return parentA.localeCompare(parentB) || restA.localeCompare(restB);
  });
}

function groupLines(group: any, indent: string, paint: Painter): string[] {
  const lines: string[] = [];
  if (group.name !== "") {
    lines.push(`${indent}█ ${group.name}`, "");
    indent += "  ";
  }
  for (const check of group.checks) {
    lines.push(...checkLines(check, indent, paint));
  }
  if (group.checks.length > 0) {
    lines.push("");
  }
  for (const child of group.groups) {
    lines.push(...groupLines(child, indent, paint));
  }
  return lines;
}

function checkLines(check: any, indent: string, paint: Painter): string[] {
  if (check.fails === 0) {
    return [paint(`${indent}✓ ${check.name}`, green)];
  }
  const percent = Math.floor((100 * check.passes) / (check.passes + check.fails));
  return [
    paint(`${indent}✗ ${check.name}`, red),
    paint(`${indent} ↳  ${percent}% — ✓ ${check.passes} / ✗ ${check.fails}`, red),
  ];
}

// Row is one metric: a first value, and more in columns, or a trend's columns alone.
interface Row {
  name: string;
  mark: string;
  first: string | null;
  more: string[];
}

function metricLines(metrics: any, options: Options, paint: Painter): string[] {
  const rows = options.order(Object.keys(metrics)).map((name) => rowOf(name, metrics[name], options, paint));
  const names = widest(rows.map((r) => r.name)) + 3;
  const firsts = widest(rows.map((r) => r.first ?? ""));
  const trend = columnWidths(rows.filter((r) => r.first === null));
  const other = columnWidths(rows.filter((r) => r.first !== null));
  return rows.map((r) => {
    const dots = paint(`${".".repeat(names - width(r.name))}:`, faint);
    const head = `${options.indent}  ${withMark(r)}${dots} `;
    return head + (r.first === null ? columns(r.more, trend, (c) => trendColumn(c, paint))
      : paint(r.more.length > 0 ? pad(r.first, firsts) : r.first, cyan) + suffix(r, other, paint));
  });
}

// withMark puts the mark in front of the name, behind the indentation of sub-metrics.
function withMark(r: Row): string {
  const name = r.name.trimStart();
  return `${" ".repeat(r.name.length - name.length)}${r.mark} ${name}`;
}

function suffix(r: Row, widths: number[], paint: Painter): string {
  return r.more.length > 0 ? ` ${columns(r.more, widths, (c) => paint(c, cyanFaint))}` : "";
}

function columnWidths(rows: Row[]): number[] {
  const widths: number[] = [];
  for (const r of rows) {
    r.more.forEach((c, i) => (widths[i] = Math.max(widths[i] ?? 0, width(c))));
  }
  return widths;
}

function columns(cells: string[], widths: number[], show: (cell: string) => string): string {
  return cells.map((c, i) => show(cells.length > 1 ? pad(c, widths[i]) : c)).join(" ");
}

function trendColumn(cell: string, paint: Painter): string {
  const at = cell.indexOf("=") + 1;
  return cell.slice(0, at) + paint(cell.slice(at), cyan);
}

function rowOf(name: string, metric: any, options: Options, paint: Painter): Row {
  const at = name.indexOf("{");
  const shown = at < 0 ? name : `  { ${name.slice(at + 1, -1)} }`;
  return { name: shown, mark: markOf(metric, paint), ...valuesOf(metric, options) };
}

function markOf(metric: any, paint: Painter): string {
  if (!metric.thresholds) {
    return " ";
  }
  const ok = Object.values<any>(metric.thresholds).every((t) => t.ok);
  return ok ? paint("✓", green) : paint("✗", red);
}

function valuesOf(metric: any, options: Options): { first: string | null; more: string[] } {
  const values = metric.values;
  const show = (v: number): string => humanizeValue(v, metric, options.summaryTimeUnit);
  switch (metric.type) {
    case "trend":
      return { first: null, more: options.summaryTrendStats.map((s) => `${s}=${s === "count" ? values[s] : show(values[s])}`) };
    case "counter":
      return { first: show(values.count), more: [`${show(values.rate)}/s`] };
    case "gauge":
      return { first: show(values.value), more: [`min=${show(values.min)}`, `max=${show(values.max)}`] };
    case "rate":
      return { first: show(values.rate), more: [`✓ ${values.passes}`, `✗ ${values.fails}`] };
  }
  return { first: "[no data]", more: [] };
}
