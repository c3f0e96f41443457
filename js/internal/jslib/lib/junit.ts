// JUnit reports: that of k6-summary, a case for each threshold, and that of
// k6-junit, which has one for each check as well.

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&quot;" };

export const escapeXML = (text: unknown): string => String(text).replace(/[&<>'"]/g, (c) => entities[c]);

interface Case {
  name: string;
  className?: string;
  /** What is wrong; empty for a case that passes. */
  failure: string;
  body?: string;
}

interface Suite {
  name: string;
  cases: Case[];
}

const failed = (cases: Case[]): number => cases.filter((c) => c.failure !== "").length;

function caseXML(c: Case, indent: string): string {
  const className = c.className === undefined ? "" : ` classname="${escapeXML(c.className)}"`;
  const head = `${indent}<testcase name="${escapeXML(c.name)}"${className}`;
  if (c.failure === "") {
    return `${head} />`;
  }
  const failure = `<failure message="${escapeXML(c.failure)}"`;
  return `${head}>${failure}${c.body === undefined ? " />" : `>${escapeXML(c.body)}</failure>`}</testcase>`;
}

function document(suites: Suite[], numbered: boolean): string {
  const all = suites.flatMap((s) => s.cases);
  const lines = ['<?xml version="1.0"?>', `<testsuites tests="${all.length}" failures="${failed(all)}">`];
  suites.forEach((s, i) => {
    const id = numbered ? ` id="${i}"` : "";
    lines.push(`  <testsuite${id} name="${escapeXML(s.name)}" tests="${s.cases.length}" failures="${failed(s.cases)}">`);
    lines.push(...s.cases.map((c) => caseXML(c, "    ")), "  </testsuite>");
  });
  return [...lines, "</testsuites>"].join("\n");
}

interface Options {
  name?: string;
  classname?: string;
  /** Adds a suite with a case for each check: jsload's own. */
  checks?: boolean;
}

/** The thresholds of a test as JUnit. */
export function jUnit(data: any, options?: Options | null): string {
  const className = options?.classname ?? "Unnamed folder";
  const suites = [{ name: options?.name ?? "k6 thresholds", cases: thresholdCases(data, className) }];
  if (options?.checks) {
    suites.push({ name: "k6 checks", cases: checkCases(data.root_group, "", className) });
  }
  return document(suites, false);
}

function thresholdCases(data: any, className: string): Case[] {
  return thresholds(data).map(([name, metric, expression, ok]) => ({
    name: `${name} - ${expression}`, className,
    failure: ok ? "" : `${metric.type} threshold failed: ${valueList(metric)}`,
  }));
}

function thresholds(data: any): [name: string, metric: any, expression: string, ok: boolean][] {
  return Object.entries<any>(data.metrics).flatMap(([name, metric]) =>
    Object.entries<any>(metric.thresholds ?? {}).map(([expression, t]): [string, any, string, boolean] => [name, metric, expression, t.ok]),
  );
}

const valueList = (metric: any): string =>
  Object.entries(metric.values).map(([stat, value]) => `${stat} value: ${value}`).join(", ");

function checkCases(group: any, path: string, className: string): Case[] {
  const own = group.checks.map((c: any) => ({
    name: path + c.name, className, failure: c.fails > 0 ? `${c.fails} of ${c.passes + c.fails} failed` : "",
  }));
  return [...own, ...group.groups.flatMap((g: any) => checkCases(g, `${path}${g.name} - `, className))];
}

interface Config {
  includeThresholds?: boolean;
  testCasePassCondition?: (passed: number, failed: number) => boolean;
  maxGroupNestingLevel?: number;
}

/** A suite for each group with its checks, and one for the thresholds. */
export function groupJUnit(data: any, given: Config = {}): string {
  const config = {
    includeThresholds: true, testCasePassCondition: (passed: number, failed: number) => passed > 0 && failed === 0,
    maxGroupNestingLevel: 1, ...given,
  };
  const suites: Suite[] = [];
  collect(data.root_group, "Root", 0, suites, null, config);
  if (config.includeThresholds) {
    const cases = thresholds(data).map(([name, , expression, ok]) => ({
      name: `${name}: ${expression}`, className: "Thresholds", failure: ok ? "" : "threshold exceeded",
    }));
    suites.push({ name: "Thresholds", cases });
  }
  return document(suites.filter((s) => s.cases.length > 0 || s.name === "Thresholds"), true);
}

// collect makes suites of groups; those below the deepest level go into the suite
// around them.
function collect(group: any, name: string, level: number, suites: Suite[], around: Suite | null, config: Required<Config>): void {
  let suite = around;
  if (suite === null) {
    suite = { name, cases: [] };
    suites.push(suite);
  }
  for (const c of group.checks) {
    const total = c.passes + c.fails;
    const text = `${c.passes} / ${c.fails} (${((100 * c.passes) / Math.max(total, 1)).toFixed(2)}%) checks passed`;
    const ok = config.testCasePassCondition(c.passes, c.fails);
    suite.cases.push({ name: c.name, className: name, failure: ok ? "" : text, body: text });
  }
  for (const child of group.groups) {
    const inside = level >= config.maxGroupNestingLevel;
    collect(child, inside ? `${name}: ${child.name}` : child.name, level + 1, suites, inside ? suite : null, config);
  }
}
