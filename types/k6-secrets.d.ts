// Secrets, from the sources that --secret-source names. Logs, tags and reports show
// none of them.

declare module "k6/secrets" {
  export interface Source {
    get(key: string): Promise<string>;
  }

  /** From the default source. */
  export function get(key: string): Promise<string>;
  export function source(name: string): Source;

  const secrets: { get: typeof get; source: typeof source };
  export default secrets;
}

declare module "jsload/secrets" {
  export * from "k6/secrets";
  export { default } from "k6/secrets";
}
