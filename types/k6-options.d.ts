// The options that a script exports. There is nothing to run in this module:
// import its types with "import type".

declare module "k6/options" {
  /** Such as "1m30s" or "1d12h", or milliseconds. */
  export type Duration = string | number;

  export interface Stage {
    duration: Duration;
    target: number;
  }

  /** An expression such as "p(95)<500" or "rate>0.99". */
  export type Threshold = string | { threshold: string; abortOnFail?: boolean; delayAbortEval?: Duration };

  interface ScenarioBase {
    /** The exported function to call; "default" without it. */
    exec?: string;
    startTime?: Duration;
    gracefulStop?: Duration;
    env?: { [name: string]: string };
    tags?: { [name: string]: string };
    options?: { browser?: { [name: string]: unknown } };
  }

  export interface SharedIterations extends ScenarioBase {
    executor: "shared-iterations";
    vus?: number;
    iterations?: number;
    maxDuration?: Duration;
  }

  export interface PerVUIterations extends ScenarioBase {
    executor: "per-vu-iterations";
    vus?: number;
    iterations?: number;
    maxDuration?: Duration;
  }

  export interface ConstantVUs extends ScenarioBase {
    executor: "constant-vus";
    vus?: number;
    duration: Duration;
  }

  export interface RampingVUs extends ScenarioBase {
    executor: "ramping-vus";
    startVUs?: number;
    stages: Stage[];
    gracefulRampDown?: Duration;
  }

  export interface ConstantArrivalRate extends ScenarioBase {
    executor: "constant-arrival-rate";
    rate: number;
    timeUnit?: Duration;
    duration: Duration;
    preAllocatedVUs: number;
    maxVUs?: number;
  }

  export interface RampingArrivalRate extends ScenarioBase {
    executor: "ramping-arrival-rate";
    startRate?: number;
    timeUnit?: Duration;
    stages: Stage[];
    preAllocatedVUs: number;
    maxVUs?: number;
  }

  export interface ExternallyControlled extends ScenarioBase {
    executor: "externally-controlled";
    vus?: number;
    maxVUs?: number;
    duration?: Duration;
  }

  export type Scenario =
    | SharedIterations
    | PerVUIterations
    | ConstantVUs
    | RampingVUs
    | ConstantArrivalRate
    | RampingArrivalRate
    | ExternallyControlled;

  type TLSVersion = "tls1.0" | "tls1.1" | "tls1.2" | "tls1.3";

  export interface Options {
    /** The load: vus with iterations or duration, stages, or scenarios. */
    vus?: number;
    iterations?: number;
    duration?: Duration;
    stages?: Stage[];
    scenarios?: { [name: string]: Scenario };
    executionSegment?: string | null;
    executionSegmentSequence?: string | null;

    thresholds?: { [metric: string]: Threshold[] };
    tags?: { [name: string]: string };
    systemTags?: string[];
    /** Such as "avg", "p(99.9)" or "count". */
    summaryTrendStats?: string[];
    summaryTimeUnit?: "s" | "ms" | "us";

    setupTimeout?: Duration;
    teardownTimeout?: Duration;
    handleSummaryTimeout?: Duration;
    noSetup?: boolean;
    noTeardown?: boolean;
    paused?: boolean;

    minIterationDuration?: Duration;
    rps?: number;
    userAgent?: string;
    maxRedirects?: number;
    batch?: number;
    batchPerHost?: number;
    throw?: boolean;
    httpDebug?: string;
    discardResponseBodies?: boolean;
    /** HTTP version; jsload's own. */
    http?: "auto" | "1.1" | "2";
    noConnectionReuse?: boolean;
    noVUConnectionReuse?: boolean;
    noCookiesReset?: boolean;

    insecureSkipTLSVerify?: boolean;
    tlsVersion?: TLSVersion | { min?: TLSVersion; max?: TLSVersion };
    tlsCipherSuites?: string[];
    tlsAuth?: { cert: string; key: string; password?: string; domains?: string[] }[];
    hosts?: { [name: string]: string };
    blockHostnames?: string[];
    blacklistIPs?: string[];
    dns?: string | { ttl?: string | number; select?: "first" | "random" | "roundRobin"; policy?: "preferIPv4" | "preferIPv6" | "onlyIPv4" | "onlyIPv6" | "any" };

    /** Without effect: accepted so that scripts run as they are. */
    cloud?: unknown;
    ext?: unknown;
    metricSamplesBufferSize?: number;
  }
}

declare module "jsload/options" {
  export * from "k6/options";
}
