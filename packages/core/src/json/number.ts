import type { JsonNumber } from './value.ts';

type AnyNumber = number | JsonNumber;

/** Written alike: 1 and 1.0 differ. What content equality means for us, since text is what we keep. */
export const sameText = (a: AnyNumber, b: AnyNumber): boolean => a === b || String(a) === String(b);

/** Equal in value, exactly and at any size: 1 = 1.0 = 10e-1 and 0 = -0, but 9007199254740993 ≠ 9007199254740992. */
export const sameValue = (a: AnyNumber, b: AnyNumber): boolean =>
  sameText(a, b) || decimal(String(a)) === decimal(String(b));

/** One text per value: significant digits and a power of ten. */
function decimal(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (digits[start] === '0') start++;
  if (start === end) return '0';
  while (digits[end - 1] === '0') end--;
  const power = BigInt(exponent) + BigInt(whole.length - end);
  return `${text.startsWith('-') ? '-' : ''}${digits.slice(start, end)}e${power}`;
}
