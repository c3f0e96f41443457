// The random data of k6-utils: functions of their arguments and of one source of
// random numbers, with no other effect.

import { randomBytes } from "k6/crypto";

const letters = "abcdefghijklmnopqrstuvwxyz";

/** A whole number from min to max, both included. */
export function randomIntBetween(min: number, max: number): number {
  return Math.floor(Math.random() * (max - min + 1) + min);
}

/** An element of whatever has a length and an index. */
export function randomItem<T>(list: ArrayLike<T>): T {
  return list[Math.floor(Math.random() * list.length)];
}

/** So many characters of a set; one that is there twice is twice as likely. */
export function randomString(length: number, charset: string = letters): string {
  const count = Number(length);
  if (count < 0 || count % 1 !== 0 && count === count) {
    throw new RangeError(`randomString: the length must be a whole number from 0 up, not ${length}`);
  }
  let text = "";
  for (let i = 0; i < count; i++) {
    text += charset[Math.floor(Math.random() * charset.length)];
  }
  return text;
}

/** randomString as it was before there was a choice of characters. */
export const randomLetters = (length: number): string => randomString(length);

/** A random UUID; a secure one is made of the system's random bytes. */
export function uuidv4(secure: boolean = false): string {
  return secure ? format(new Uint8Array(randomBytes(16))) : plainUUID();
}

/** A UUID of the script's own random numbers. */
export function plainUUID(): string {
  const bytes = new Uint8Array(16);
  for (let i = 0; i < 16; i++) {
    bytes[i] = Math.random() * 256;
  }
  return format(bytes);
}

function format(bytes: Uint8Array): string {
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  let text = "";
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) {
      text += "-";
    }
    text += (bytes[i] + 256).toString(16).slice(1);
  }
  return text;
}

/**
 * The text between the first left and the next right, null if there is none. With
 * repeat, all such texts.
 */
export function findBetween(content: string, left: string, right: string, repeat: boolean = false): any {
  const found: string[] = [];
  for (let at = content.indexOf(left); at >= 0; at = content.indexOf(left, at)) {
    const start = at + left.length;
    const end = content.indexOf(right, start);
    if (end < 0) {
      break;
    }
    if (!repeat) {
      return content.slice(start, end);
    }
    found.push(content.slice(start, end));
    at = Math.max(end + right.length, at + 1);
    if (at > content.length) {
      break;
    }
  }
  return found.length > 0 ? found : null;
}

/** findBetween as it was first: empty if there is nothing. */
export function findBetweenOrEmpty(content: string, left: string, right: string): string {
  return findBetween(content, left, right) ?? "";
}
