// The old name of the global crypto.

declare module "k6/experimental/webcrypto" {
  export const crypto: Crypto;

  const webcrypto: { crypto: typeof crypto };
  export default webcrypto;
}

declare module "jsload/experimental/webcrypto" {
  export * from "k6/experimental/webcrypto";
  export { default } from "k6/experimental/webcrypto";
}
