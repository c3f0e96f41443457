// Hashes.

declare module "k6/crypto" {
  export type Algorithm = "md4" | "md5" | "sha1" | "sha256" | "sha384" | "sha512" | "sha512_224" | "sha512_256" | "ripemd160";
  type Input = string | ArrayBuffer | ArrayBufferView;

  interface Digest {
    (encoding: "binary"): ArrayBuffer;
    (encoding: "hex" | "base64" | "base64url" | "base64rawurl"): string;
  }

  interface Hash {
    (input: Input, encoding: "binary"): ArrayBuffer;
    (input: Input, encoding: "hex" | "base64" | "base64url" | "base64rawurl"): string;
  }

  export interface Hasher {
    update(input: Input): Hasher;
    digest: Digest;
  }

  export const md4: Hash;
  export const md5: Hash;
  export const sha1: Hash;
  export const sha256: Hash;
  export const sha384: Hash;
  export const sha512: Hash;
  export const sha512_224: Hash;
  export const sha512_256: Hash;
  export const ripemd160: Hash;
  export function hmac(algorithm: Algorithm, key: Input, data: Input, encoding: "binary"): ArrayBuffer;
  export function hmac(algorithm: Algorithm, key: Input, data: Input, encoding: "hex" | "base64" | "base64url" | "base64rawurl"): string;
  export function createHash(algorithm: Algorithm): Hasher;
  export function createHMAC(algorithm: Algorithm, key: Input): Hasher;
  export function randomBytes(count: number): ArrayBuffer;
  export function hexEncode(data: Input): string;

  const crypto: {
    md4: Hash; md5: Hash; sha1: Hash; sha256: Hash; sha384: Hash; sha512: Hash; sha512_224: Hash; sha512_256: Hash;
    ripemd160: Hash; hmac: typeof hmac; createHash: typeof createHash; createHMAC: typeof createHMAC;
    randomBytes: typeof randomBytes; hexEncode: typeof hexEncode;
  };
  export default crypto;
}

declare module "jsload/crypto" {
  export * from "k6/crypto";
  export { default } from "k6/crypto";
}
