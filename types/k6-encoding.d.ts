// Base64.

declare module "k6/encoding" {
  export type Variant = "std" | "rawstd" | "url" | "rawurl";

  export function b64encode(input: string | ArrayBuffer | ArrayBufferView, variant?: Variant): string;
  /** Gives text for the format "s", bytes otherwise. */
  export function b64decode(input: string, variant: Variant | undefined, format: "s"): string;
  export function b64decode(input: string, variant?: Variant, format?: "b"): ArrayBuffer;

  const encoding: { b64encode: typeof b64encode; b64decode: typeof b64decode };
  export default encoding;
}

declare module "jsload/encoding" {
  export * from "k6/encoding";
  export { default } from "k6/encoding";
}
