/**
 * Names of any length as label values.
 *
 * A value that fits is written as it is. Every other becomes a *short form*: the first 40 characters, `-`, and 10 hex digits of the
 * SHA-256 of the exact name, which then stands in an annotation under the label's key. A name that merely looks like a short form is
 * shortened too, so a label that looks like one always is one.
 */
import { isLabelValue, subdomainLimit } from '../meta/syntax.ts';
import { sha256Hex } from './digest.ts';

export interface EncodedLabel {
  /** Always a valid label value. */
  readonly label: string;
  /** The exact text, when the label is a short form. To be written under the same key. */
  readonly annotation?: string;
}

const headLength = 40;
const hashDigits = 10;
const shortForm = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,38}[A-Za-z0-9])?-[0-9a-f]{10}$/;

/** Whether a label value has the shape of a short form. Without its annotation it cannot be decoded. */
export const looksShort = (label: string): boolean => shortForm.test(label);

/**
 * Encodes a name, namespace, group or kind. Injective (up to collisions of 40 bits of SHA-256, which the annotation settles).
 * @param plain how the text is written when it fits; the text itself by default
 */
export function encodeLabel(exact: string, plain: string = exact): EncodedLabel {
  if (exact !== plain || exact.length > longestKnown) return encoded(exact, plain);
  const found = known.get(exact);
  if (found) return found;
  const made = encoded(exact, plain);
  if (known.size >= mostKnown) known.clear();
  known.set(exact, made);
  return made;
}

/** Kinds, groups, namespaces and names are encoded several times at each look at an object. */
const known = new Map<string, EncodedLabel>();
const mostKnown = 50_000;
/** No name is longer. */
const longestKnown = subdomainLimit;

const encoded = (exact: string, plain: string): EncodedLabel =>
  isLabelValue(plain) && !looksShort(plain) ? { label: plain } : shortened(exact, plain);

/** The short form, whether or not the plain one would fit. */
export function shortened(exact: string, plain: string): EncodedLabel {
  const head = plain
    .replace(/[^-A-Za-z0-9_.]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, headLength)
    .replace(/[^A-Za-z0-9]+$/, '');
  return { label: `${head || 'x'}-${sha256Hex(exact, hashDigits)}`, annotation: exact };
}

/**
 * The text that {@link encodeLabel} was given; undefined when that cannot be known: no label, a short form without its annotation, or
 * an annotation that is not what the label was made from.
 */
export function decodeLabel(label: string | undefined, annotation: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  if (annotation === undefined) return looksShort(label) ? undefined : label;
  return encodeLabel(annotation).label === label ? annotation : undefined;
}
