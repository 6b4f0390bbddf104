/** As much of DER as an X.509 certificate takes. @see ITU-T X.690 */

const encode = (tag: number, content: Uint8Array): Uint8Array => Buffer.concat([header(tag, content.length), content]);

function header(tag: number, length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(tag, length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.of(tag, 0x80 | bytes.length, ...bytes);
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

export const sequence = (...parts: readonly Uint8Array[]): Uint8Array => encode(0x30, Buffer.concat(parts));
export const set = (...parts: readonly Uint8Array[]): Uint8Array => encode(0x31, Buffer.concat(parts));
export const boolean = (value: boolean): Uint8Array => encode(0x01, Uint8Array.of(value ? 0xff : 0));
export const octets = (content: Uint8Array): Uint8Array => encode(0x04, content);
export const utf8 = (value: string): Uint8Array => encode(0x0c, text(value));

/** Not negative. */
export function integer(value: number): Uint8Array {
  const bytes = [value % 256];
  for (let rest = Math.floor(value / 256); rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  if ((bytes[0] as number) >= 0x80) bytes.unshift(0);
  return encode(0x02, Uint8Array.from(bytes));
}

export const bits = (content: Uint8Array, unused = 0): Uint8Array =>
  encode(0x03, Buffer.concat([Uint8Array.of(unused), content]));

/** From dotted numbers. */
export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encode(0x06, Uint8Array.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 | (rest % 128));
  return bytes;
}

/** To the second; UTCTime until 2049, GeneralizedTime from then on. @see RFC 5280 section 4.1.2.5 */
export function time(at: Date): Uint8Array {
  const digits = at.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return at.getUTCFullYear() < 2050 ? encode(0x17, text(digits.slice(2))) : encode(0x18, text(digits));
}

/** `[tag]` around whole elements. */
export const explicit = (tag: number, content: Uint8Array): Uint8Array => encode(0xa0 | tag, content);

/** `[tag]` in place of a primitive element's own tag. */
export const implicit = (tag: number, content: Uint8Array | string): Uint8Array =>
  encode(0x80 | tag, typeof content === 'string' ? text(content) : content);
