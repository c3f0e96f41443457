// Data that all virtual users share.

declare module "k6/data" {
  /**
   * An array that is made once, in the init code, and held once for all virtual
   * users. Elements are frozen copies.
   */
  export interface SharedArray<T> extends ReadonlyArray<T> {}
  export const SharedArray: {
    new <T>(name: string, make: () => T[]): SharedArray<T>;
  };

  const data: { SharedArray: typeof SharedArray };
  export default data;
}

declare module "jsload/data" {
  export * from "k6/data";
  export { default } from "k6/data";
}
