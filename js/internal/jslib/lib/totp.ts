// totp: one-time passwords of RFC 6238.

import { hmac } from "k6/crypto";

import { closed } from "./provided.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function decode(secret: string): ArrayBuffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const c of secret) {
    const digit = alphabet.indexOf(c);
    if (digit < 0) {
      throw new Error(`TOTP: ${JSON.stringify(c)} is no character of base32`);
    }
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 0xff);
    }
  }
  return Uint8Array.from(bytes).buffer;
}

function counter(n: number): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, Math.floor(n / 2 ** 32));
  view.setUint32(4, n >>> 0);
  return view.buffer;
}

/** A source of one-time passwords for a secret in base32. */
export class TOTP {
  #key: ArrayBuffer;
  #digits: number;

  constructor(secret: string, digits: number = 6) {
    this.#key = decode(secret);
    this.#digits = digits;
  }

  /** The password of now; interval and epoch are seconds. */
  async gen(interval: number = 30, epoch: number = 0): Promise<string> {
    const window = Math.floor((Date.now() / 1000 - epoch) / interval);
    const mac = new DataView(hmac("sha1", this.#key, counter(window), "binary"));
    const code = mac.getUint32(mac.getUint8(19) & 0xf) & 0x7fffffff;
    return String(code % 10 ** this.#digits).padStart(this.#digits, "0");
  }

  /** Whether a password is that of now. */
  async verify(token: string, interval: number = 30): Promise<boolean> {
    return (await this.gen(interval)) === token;
  }
}

closed("totp", TOTP);
