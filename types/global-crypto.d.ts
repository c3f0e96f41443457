// The global crypto.

declare namespace WebCrypto {
  type Bytes = ArrayBuffer | ArrayBufferView;
  type KeyFormat = "raw" | "pkcs8" | "spki" | "jwk";
  type KeyUsage = "encrypt" | "decrypt" | "sign" | "verify" | "deriveKey" | "deriveBits" | "wrapKey" | "unwrapKey";
  type Algorithm = string | { name: string; [parameter: string]: unknown };

  interface Key {
    readonly type: "public" | "private" | "secret";
    readonly extractable: boolean;
    readonly algorithm: { name: string; [parameter: string]: unknown };
    readonly usages: KeyUsage[];
  }

  interface KeyPair {
    publicKey: Key;
    privateKey: Key;
  }

  interface JSONKey {
    kty?: string;
    [member: string]: unknown;
  }

  interface Subtle {
    digest(algorithm: Algorithm, data: Bytes): Promise<ArrayBuffer>;
    encrypt(algorithm: Algorithm, key: Key, data: Bytes): Promise<ArrayBuffer>;
    decrypt(algorithm: Algorithm, key: Key, data: Bytes): Promise<ArrayBuffer>;
    sign(algorithm: Algorithm, key: Key, data: Bytes): Promise<ArrayBuffer>;
    verify(algorithm: Algorithm, key: Key, signature: Bytes, data: Bytes): Promise<boolean>;
    generateKey(algorithm: Algorithm, extractable: boolean, usages: KeyUsage[]): Promise<Key | KeyPair>;
    importKey(format: KeyFormat, key: Bytes | JSONKey, algorithm: Algorithm, extractable: boolean, usages: KeyUsage[]): Promise<Key>;
    exportKey(format: "jwk", key: Key): Promise<JSONKey>;
    exportKey(format: Exclude<KeyFormat, "jwk">, key: Key): Promise<ArrayBuffer>;
    deriveBits(algorithm: Algorithm, key: Key, bits: number): Promise<ArrayBuffer>;
    deriveKey(algorithm: Algorithm, key: Key, made: Algorithm, extractable: boolean, usages: KeyUsage[]): Promise<Key>;
  }
}

declare const crypto: {
  /** Fills an array of whole numbers. */
  getRandomValues<T extends ArrayBufferView>(array: T): T;
  randomUUID(): string;
  readonly subtle: WebCrypto.Subtle;
};
