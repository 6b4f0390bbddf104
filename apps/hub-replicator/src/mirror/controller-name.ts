/** What the mirror of a kind is called, in metrics and logs. */
import { type Kind, kindById } from '@lifeline/core';

/**
 * `mirror-<plural>` for the kinds that Lifeline knows, whose plurals are all different; with the group behind it for others, of which
 * several may share a plural with these and with each other.
 *
 * Guarantee: kinds with different ids have different names, which are valid names of controllers.
 */
export const mirrorName = ({ id, group, plural }: Kind): string =>
  ['mirror', plural, ...(kindById(id) || group === '' ? [] : group.split('.'))].map(doubled).join('-');

/** What parts are joined by must not be in them. */
const doubled = (part: string): string => part.replaceAll('-', '--');
