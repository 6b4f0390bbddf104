/**
 * The stamp on a Gateway: `<intent>` or `<intent>.<attempt>`. It is a nudge that makes Envoy Gateway translate again, never the truth
 * about what is programmed.
 */
import { noIntent } from './intent.ts';

/** A stamp, read. */
export interface Stamp {
  readonly intent: string;
  /** 0 when the text has none. */
  readonly attempt: number;
}

const grammar = /^([0-9a-f]{16}|none)(?:\.([1-9]\d{0,8}))?$/;

/** Undefined for a stamp that is missing or malformed. */
export function parseStamp(text: string | null | undefined): Stamp | undefined {
  const match = grammar.exec(text ?? '');
  return match ? { intent: match[1] as string, attempt: Number(match[2] ?? 0) } : undefined;
}

/** The text of a stamp; {@link parseStamp} reads it. */
export const formatStamp = ({ intent, attempt }: Stamp): string => (attempt === 0 ? intent : `${intent}.${attempt}`);

/**
 * Why a stamp is written, and there are no other causes:
 * - `intent-changed`: our own inputs changed the wanted intent
 * - `not-converged`: what is programmed is not what is wanted, after the grace; a missing or malformed stamp is this too
 */
export type StampCause = 'intent-changed' | 'not-converged';

/**
 * The stamp to write; null to remove it.
 *
 * Retranslators with equal caches write equal values: a new intent has no attempt, a further attempt is the cached stamp's plus one.
 * @param cached the stamp in our cache, whoever wrote it
 */
export function nextStamp(cached: string | null | undefined, wanted: string, cause: StampCause): string | null {
  switch (cause) {
    case 'intent-changed':
      return wanted === noIntent ? null : wanted;
    case 'not-converged': {
      const stamp = parseStamp(cached);
      if (stamp?.intent === wanted) return formatStamp({ intent: wanted, attempt: stamp.attempt + 1 });
      if (wanted !== noIntent) return wanted;
      // Removing a stamp is the first nudge towards `none`; only where there is none left does an attempt have to be written.
      return cached ? null : formatStamp({ intent: noIntent, attempt: 1 });
    }
  }
}
