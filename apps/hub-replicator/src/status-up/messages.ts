/** What a condition says upstream, where the hub's own words are missing or speak of things that its reader cannot see. */
import { conditionTypes } from '@lifeline/core';

/** The longest message that a condition may have, in characters. @see metav1.Condition */
export const messageLimit = 32_768;

export const statusUpMessages = {
  missing: 'Nothing is known yet of how this object is served.',
  noReason: 'It failed downstream, and no reason was given.',
  pendingSecrets: (names: readonly string[]): string =>
    `Not served until these Secrets are in place everywhere: ${names.join(', ')}.`,
} as const;

/** Reasons of `Accepted: False` whose messages name objects and namespaces of the hub. */
const ownWords: Readonly<Record<string, string>> = {
  Conflicted: 'Another object is attached to the same target and comes first.',
  Invalid: 'The spec is not valid; see the documentation of this kind.',
  TargetNotFound: 'A target does not exist in this namespace.',
};

interface Judged {
  readonly type: string;
  readonly status: string;
  readonly reason: unknown;
}

/** Our words in place of the hub's; undefined where the hub's are kept. */
export const ownMessage = ({ type, status, reason }: Judged): string | undefined =>
  type === conditionTypes.accepted &&
  status === 'False' &&
  typeof reason === 'string' &&
  Object.hasOwn(ownWords, reason)
    ? ownWords[reason]
    : undefined;
