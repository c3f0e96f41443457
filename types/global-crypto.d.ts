// The global crypto.

declare namespace WebCrypto {
  type Bytes = ArrayBuffer | ArrayBufferView;
  type KeyFormat = "raw" | "pkcs8" | "spki" | "jwk";
  type KeyUsage = "encrypt" | "decrypt" | "sign" | "verify" | "deriveKey" | "deriveBits" | "wrapKey" | "unwrapKey";
  type Algorithm = string | { name: string; [parameter: string]: unknown };

  interface KeyPair {
    publicKey: CryptoKey;
    privateKey: CryptoKey;
  }

  interface JSONKey {
    kty?: string;
    [member: string]: unknown;
  }
}

declare class CryptoKey {
  private constructor();
  readonly type: "public" | "private" | "secret";
  readonly extractable: boolean;
  readonly algorithm: { name: string; [parameter: string]: unknown };
  readonly usages: WebCrypto.KeyUsage[];
}

declare class SubtleCrypto {
  private constructor();
  digest(algorithm: WebCrypto.Algorithm, data: WebCrypto.Bytes): Promise<ArrayBuffer>;
  encrypt(algorithm: WebCrypto.Algorithm, key: CryptoKey, data: WebCrypto.Bytes): Promise<ArrayBuffer>;
  decrypt(algorithm: WebCrypto.Algorithm, key: CryptoKey, data: WebCrypto.Bytes): Promise<ArrayBuffer>;
  sign(algorithm: WebCrypto.Algorithm, key: CryptoKey, data: WebCrypto.Bytes): Promise<ArrayBuffer>;
  verify(algorithm: WebCrypto.Algorithm, key: CryptoKey, signature: WebCrypto.Bytes, data: WebCrypto.Bytes): Promise<boolean>;
  generateKey(algorithm: WebCrypto.Algorithm, extractable: boolean, usages: WebCrypto.KeyUsage[]): Promise<CryptoKey | WebCrypto.KeyPair>;
  importKey(format: WebCrypto.KeyFormat, key: WebCrypto.Bytes | WebCrypto.JSONKey, algorithm: WebCrypto.Algorithm, extractable: boolean, usages: WebCrypto.KeyUsage[]): Promise<CryptoKey>;
  exportKey(format: "jwk", key: CryptoKey): Promise<WebCrypto.JSONKey>;
  exportKey(format: Exclude<WebCrypto.KeyFormat, "jwk">, key: CryptoKey): Promise<ArrayBuffer>;
  deriveBits(algorithm: WebCrypto.Algorithm, key: CryptoKey, bits: number): Promise<ArrayBuffer>;
  deriveKey(algorithm: WebCrypto.Algorithm, key: CryptoKey, made: WebCrypto.Algorithm, extractable: boolean, usages: WebCrypto.KeyUsage[]): Promise<CryptoKey>;
}

declare class Crypto {
  private constructor();
  /** Fills an array of whole numbers. */
  getRandomValues<T extends ArrayBufferView>(array: T): T;
  randomUUID(): string;
  readonly subtle: SubtleCrypto;
}

declare const crypto: Crypto;
