// Files that all virtual users share, read piece by piece.

declare module "k6/experimental/fs" {
  export interface File {
    readonly path: string;
    /** How many bytes were read; null at the end. */
    read(into: Uint8Array): Promise<number | null>;
    seek(offset: number, from: number): Promise<number>;
    stat(): Promise<{ name: string; size: number }>;
  }

  /** Init code only. */
  export function open(path: string): Promise<File>;
  export const SeekMode: { readonly Start: number; readonly Current: number; readonly End: number };

  const fs: { open: typeof open; SeekMode: typeof SeekMode };
  export default fs;
}

declare module "jsload/experimental/fs" {
  export * from "k6/experimental/fs";
  export { default } from "k6/experimental/fs";
}
