// k6-reporter: the end of a test as one HTML page with nothing to load.

import { escapeXML as escape } from "./junit.ts";

interface Options {
  title?: string;
  debug?: boolean;
  theme?: string;
}

// Metrics that the head of the page tells of, or that say nothing in a table.
const elsewhere = [
  "iterations", "data_sent", "data_received", "checks", "http_reqs", "vus", "vus_max", "http_req_duration{expected_response:true}",
];

const themes: Record<string, string> = {
  default: "--accent:#3b5bdb;--head:#eef1fb;--font:system-ui,sans-serif",
  classic: "--accent:#5c4b8a;--head:#efecf6;--font:Georgia,serif",
  bootstrap: "--accent:#0d6efd;--head:#e9ecef;--font:'Segoe UI',Roboto,sans-serif",
};

const style = `body{margin:2rem auto;max-width:75rem;padding:0 1rem;font:15px/1.5 var(--font);color:#212529}
h1{color:var(--accent)}h2{margin-top:2rem;border-bottom:2px solid var(--accent)}
table{border-collapse:collapse;width:100%}th,td{padding:.3rem .6rem;border-bottom:1px solid #dee2e6;text-align:right}
th{background:var(--head)}th:first-child,td:first-child{text-align:left;word-break:break-word}
.good{background:#d3f9d8}.bad{background:#ffe3e3}.cards{display:flex;gap:1rem;flex-wrap:wrap}
.card{flex:1;min-width:9rem;padding:.8rem;border-radius:.4rem;background:var(--head)}.card b{display:block;font-size:1.6rem}`;

const two = (n: number): string => String(n).padStart(2, "0");

function stamp(): string {
  const d = new Date();
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}`;
}

/** The report of k6-reporter 3. */
export function htmlReport(data: any, opts: Options = {}): string {
  opts.title ||= `Test Report: ${stamp()}`;
  return report(data, opts, opts.title, 3);
}

/** The report of k6-reporter 2, which has one theme. */
export function htmlReport2(data: any, opts: Options = {}): string {
  opts.title ||= stamp();
  return report(data, opts, `K6 Load Test: ${opts.title}`, 2);
}

function report(data: any, opts: Options, title: string, version: number): string {
  opts.debug ??= false;
  if (version > 2) {
    opts.theme ||= "default";
  }
  const theme = themeOf(version > 2 ? opts.theme : "default");
  console.log(`[k6-reporter v${version}, jsload's own] Generating HTML summary report, theme: ${theme}`);
  if (opts.debug) {
    console.log(JSON.stringify(data, null, 2));
  }
  const metrics = data.metrics ?? {};
  const body = [
    `<h1>${escape(title)}</h1>`, cards(data, metrics), trends(metrics, data.options?.summaryTrendStats),
    plain("Rates", metrics, "rate", ["passes", "fails"], ["rate", percent]), plain("Counters", metrics, "counter", ["count"], ["rate", perSecond]),
    plain("Gauges", metrics, "gauge", ["value", "min", "max"]), breaches(metrics), checks(data.root_group), other(metrics),
  ];
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title>
<style>:root{${themes[theme]}}
${style}</style></head>
<body>
${body.filter(Boolean).join("\n")}
</body></html>
`;
}

function themeOf(name: string | undefined): string {
  if (name?.startsWith("boot")) {
    return "bootstrap";
  }
  return name && Object.hasOwn(themes, name) ? name : "default";
}

const number = (v: unknown): string => (typeof v === "number" ? String(Number(v.toFixed(2))) : "-");
const percent = (v: number): string => `${number(v * 100)}%`;
const perSecond = (v: number): string => `${number(v)}/s`;

function table(title: string, head: string[], rows: string[]): string {
  if (rows.length === 0) {
    return "";
  }
  const cells = head.map((h) => `<th>${escape(h)}</th>`).join("");
  return `<h2>${escape(title)}</h2>\n<table><tr>${cells}</tr>\n${rows.join("\n")}\n</table>`;
}

const row = (cells: [text: string, kind?: string][]): string =>
  `<tr>${cells.map(([text, kind]) => `<td${kind ? ` class="${kind}"` : ""}>${escape(text)}</td>`).join("")}</tr>`;

const brokenThresholds = (metrics: any): [string, string][] =>
  Object.entries<any>(metrics).flatMap(([name, m]) =>
    Object.entries<any>(m.thresholds ?? {}).filter(([, t]) => !t.ok).map(([expression]): [string, string] => [name, expression]),
  );

function cards(data: any, metrics: any): string {
  const requests = (metrics.http_reqs ?? metrics.grpc_reqs)?.values.count ?? 0;
  const list: [string, unknown, boolean][] = [
    ["Total requests", requests, true],
    ["Failed requests", metrics.http_req_failed?.values.passes ?? 0, !metrics.http_req_failed?.values.passes],
    ["Breached thresholds", brokenThresholds(metrics).length, brokenThresholds(metrics).length === 0],
    ["Failed checks", metrics.checks?.values.fails ?? 0, !metrics.checks?.values.fails],
  ];
  return `<div class="cards">${list.map(([name, value, good]) => `<div class="card${good ? "" : " bad"}">${name}<b>${escape(value)}</b></div>`).join("")}</div>`;
}

const ofType = (metrics: any, type: string): [string, any][] =>
  Object.entries<any>(metrics).filter(([name, m]) => m.type === type && !elsewhere.includes(name));

// cellKind colours a cell that a threshold speaks of.
function cellKind(metric: any, stat: string): string | undefined {
  const about = Object.entries<any>(metric.thresholds ?? {}).filter(([expression]) => expression.includes(stat));
  if (about.length === 0) {
    return undefined;
  }
  return about.every(([, t]) => t.ok) ? "good" : "bad";
}

function trends(metrics: any, stats: string[] | undefined): string {
  const list = ofType(metrics, "trend");
  const shown = stats ?? Object.keys(list[0]?.[1].values ?? {});
  return table("Trends and times", ["Metric", ...shown], list.map(([name, m]) =>
    row([[name], ...shown.map((s): [string, string?] => [number(m.values[s]), cellKind(m, s)])])));
}

function plain(title: string, metrics: any, type: string, stats: string[], last?: [string, (v: number) => string]): string {
  const head = ["Metric", ...stats, ...(last ? [last[0]] : [])];
  return table(title, head, ofType(metrics, type).map(([name, m]) => {
    const cells: [string, string?][] = [[name], ...stats.map((s): [string] => [number(m.values[s])])];
    if (last) {
      cells.push([last[1](m.values[last[0]]), cellKind(m, last[0])]);
    }
    return row(cells);
  }));
}

const breaches = (metrics: any): string =>
  table("Breached thresholds", ["Metric", "Threshold"], brokenThresholds(metrics).map(([name, expression]) => row([[name, "bad"], [expression]])));

function checks(group: any, path: string = ""): string {
  if (!group) {
    return "";
  }
  const name = path + (group.name || "Other checks");
  const own = table(`Checks: ${name}`, ["Check", "Passes", "Fails", "% pass"], (group.checks ?? []).map((c: any) =>
    row([[c.name, c.fails > 0 ? "bad" : "good"], [number(c.passes)], [number(c.fails)], [percent(c.passes / Math.max(1, c.passes + c.fails))]])));
  const inner = (group.groups ?? []).map((g: any) => checks(g, group.name ? `${name} / ` : ""));
  return [own, ...inner].filter(Boolean).join("\n");
}

function other(metrics: any): string {
  const rows: [string, string][] = [];
  const add = (title: string, m: any, show: (v: any) => string): void => {
    if (m) {
      rows.push([title, show(m.values)]);
    }
  };
  add("Iterations", metrics.iterations, (v) => `${number(v.count)} (${perSecond(v.rate)})`);
  add("Virtual users", metrics.vus, (v) => `min ${number(v.min)}, max ${number(v.max)}`);
  add("Data received", metrics.data_received, (v) => `${megabytes(v.count)} (${megabytes(v.rate)}/s)`);
  add("Data sent", metrics.data_sent, (v) => `${megabytes(v.count)} (${megabytes(v.rate)}/s)`);
  return table("Test", ["", "Value"], rows.map((r) => row([[r[0]], [r[1]]])));
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
