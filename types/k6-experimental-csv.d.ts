// CSV files, whole or record by record.

declare module "k6/experimental/csv" {
  import type { File } from "k6/experimental/fs";

  export interface Options {
    delimiter?: string;
    skipFirstLine?: boolean;
    fromLine?: number;
    toLine?: number;
    /** Records are objects by the names of the first line. */
    asObjects?: boolean;
  }

  type Record = string[] & { [column: string]: string };

  export function parse(file: File, options?: Options): Promise<ReadonlyArray<Record>>;

  export class Parser {
    constructor(file: File, options?: Options);
    next(): Promise<{ done: boolean; value: Record }>;
  }

  const csv: { parse: typeof parse; Parser: typeof Parser };
  export default csv;
}

declare module "jsload/experimental/csv" {
  export * from "k6/experimental/csv";
  export { default } from "k6/experimental/csv";
}
