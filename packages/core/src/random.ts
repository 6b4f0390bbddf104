/** The one home of chance. Everything else takes a {@link Random}. */

/** A source of chance. Two with one seed give one sequence. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, bound). `bound` is a positive safe integer. */
  int(bound: number): number;
  /** `length` random bytes, lower-case hex (2 digits each). For identifiers, not for keys. */
  hex(length: number): string;
  /** An RFC 4122 version 4 UUID. */
  uuid(): string;
}

function randomFrom(next: () => number): Random {
  const int = (bound: number): number => Math.floor(next() * bound);
  const hex = (length: number): string => {
    let text = '';
    for (let i = 0; i < length; i++) text += int(256).toString(16).padStart(2, '0');
    return text;
  };
  const uuid = (): string => {
    const digits = hex(16);
    const variant = (8 + int(4)).toString(16);
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`;
  };
  return { next, int, hex, uuid };
}

/** Unpredictable chance, from the platform. */
export const systemRandom: Random = randomFrom(Math.random);

/**
 * A random source whose whole sequence follows from `seed` (any string or number).
 *
 * The generator is sfc32 over a 128-bit state hashed from the seed: small, fast, passes PractRand.
 * @see https://pracrand.sourceforge.net/RNG_engines.txt (sfc)
 */
export function seeded(seed: string | number): Random {
  let [a, b, c, d] = hashSeed(String(seed));
  const next = (): number => {
    const t = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 12; i++) next();
  return randomFrom(next);
}

/** Four 32-bit words that all depend on every character (FNV-1a with four offsets, then mixed). */
function hashSeed(text: string): [number, number, number, number] {
  const words: [number, number, number, number] = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35];
  for (let w = 0; w < 4; w++) {
    let h = words[w] as number;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
    h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
    words[w] = (h ^ (h >>> 16)) | 0;
  }
  return words;
}
