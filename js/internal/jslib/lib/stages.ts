// The stages of k6-utils: making them, and telling which one is running.

import exec from "k6/execution";

interface Stage {
  duration: string;
  target: number;
}

/** Stages that follow a bell curve from two standard deviations below to above. */
export function normalDistributionStages(maxVus: number, durationSeconds: number, numberOfStages: number = 10): Stage[] {
  const density: number[] = [];
  for (let i = 0; i <= numberOfStages; i++) {
    const x = -2 + (4 * i) / numberOfStages;
    density.push(Math.exp((-x * x) / 2));
  }
  const peak = Math.max(...density);
  const outer = `${Math.ceil(durationSeconds / 6)}s`;
  const inner = `${Math.ceil((durationSeconds * 4) / 6 / numberOfStages)}s`;
  const list = density.map((d, i) => ({ duration: i === 0 ? outer : inner, target: Math.round((maxVus * d) / peak) }));
  list.push({ duration: outer, target: 0 });
  return list;
}

const units: Record<string, number> = { d: 86400000, h: 3600000, m: 60000, s: 1000, ms: 1 };

/** The milliseconds of a duration such as 1d5h31m20s3ms. */
export function parseDuration(str: string): number {
  if (str === null || str === undefined || str.length < 1) {
    throw new Error("str is empty");
  }
  const seen: Record<string, boolean> = {};
  let total = 0;
  for (const [, digits, letters] of String(str).matchAll(/([\d.]*)([^\d.]*)/g)) {
    if (digits === "" && letters === "") {
      continue;
    }
    const unit = letters || "ms";
    if (!Object.hasOwn(units, unit)) {
      throw new Error(`${unit} is an unsupported time unit`);
    }
    if (seen[unit]) {
      throw new Error(`${unit} time unit is provided multiple times`);
    }
    seen[unit] = true;
    total += unit === "ms" ? Math.trunc(Number(digits)) : Number(digits) * units[unit];
  }
  return total;
}

function currentStages(): Stage[] {
  const name = exec.scenario.name;
  const scenario = exec.test.options.scenarios?.[name];
  if (!scenario) {
    throw new Error(`the exec.test.options object doesn't contain the current scenario ${name}`);
  }
  if (!scenario.stages) {
    throw new Error("only the ramping-vus and ramping-arrival-rate executors have stages: there is no stage index for others");
  }
  return scenario.stages;
}

/** The index of the stage that the current scenario is in. */
export function getCurrentStageIndex(): number {
  const list = currentStages();
  const elapsed = Date.now() - exec.scenario.startTime;
  let end = 0;
  for (let i = 0; i < list.length; i++) {
    end += parseDuration(list[i].duration);
    if (elapsed < end) {
      return i;
    }
  }
  return list.length - 1;
}

/** Tags all samples of the virtual user from now on with the index of the stage. */
export function tagWithCurrentStageIndex(): void {
  exec.vu.tags.stage = getCurrentStageIndex();
}

/** Likewise with ramp-up, steady or ramp-down. */
export function tagWithCurrentStageProfile(): void {
  exec.vu.tags.stage_profile = currentProfile();
}

function currentProfile(): string {
  const at = getCurrentStageIndex();
  if (at < 1) {
    return "ramp-up";
  }
  const list = currentStages();
  const [before, now] = [list[at - 1].target, list[at].target];
  return now > before ? "ramp-up" : now < before ? "ramp-down" : "steady";
}
