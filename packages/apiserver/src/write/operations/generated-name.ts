import type { Random } from '@lifeline/core';

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const longestPrefix = 63 - suffixLength;

/** A name made of `generateName`: no vowels, and nothing that looks like something else. */
export function generatedName(prefix: string, random: Random): string {
  let suffix = '';
  for (let i = 0; i < suffixLength; i++) suffix += alphabet.charAt(random.int(alphabet.length));
  return prefix.slice(0, longestPrefix) + suffix;
}

/** How often a name is made anew when there is one already. */
export const nameAttempts = 8;
