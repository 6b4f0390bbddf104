/** Which installation of Lifeline made an object, and what follows from it. */
import { isLabelValue } from '../meta/syntax.ts';
import { ContractError } from './errors.ts';
import { labels } from './labels.ts';
import { truthNamespace } from './names.ts';

interface Labelled {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> | null | undefined };
}

/** The installation of the demo. Others are made once, by the first replicator. */
export const demoInstallation = 'demo';

/** 1–40 of `[a-z0-9-]`, and a valid label value: it neither starts nor ends with `-`. */
export const isInstallationId = (text: string): boolean => /^[a-z0-9-]{1,40}$/.test(text) && isLabelValue(text);

/** @throws ContractError `invalid-installation-id` */
export function requireInstallationId(text: string): string {
  if (isInstallationId(text)) return text;
  throw new ContractError(
    'invalid-installation-id',
    `${JSON.stringify(text)}: want 1 to 40 of a-z, 0-9 and "-", beginning and ending with a letter or digit`,
  );
}

/**
 * The labels of what travels to every edge and is nobody's copy: the watermark and its Namespace. Propagation policies select Namespaces and
 * ConfigMaps by the identity label.
 */
export const truthLabels = (installation: string): Readonly<Record<string, string>> => ({
  [labels.installation]: installation,
  [labels.upstreamNamespace]: truthNamespace,
});

/**
 * Whose a downstream object is:
 * - `ours`: it carries our installation. Only these may a sweep delete
 * - `adoptable`: it carries an upstream identity and no installation, as the Go system leaves its copies: ours from the next apply on
 * - `foreign`: another installation's. Refused, with an event
 * - `unrelated`: nothing on it says that it is a copy. Never touched
 */
export type Ownership = 'ours' | 'adoptable' | 'foreign' | 'unrelated';

/** Whose an object is, for an installation. */
export function ownershipOf({ metadata }: Labelled, installation: string): Ownership {
  const marks = metadata.labels ?? {};
  const found = marks[labels.installation];
  if (found !== undefined) return found === installation ? 'ours' : 'foreign';
  // The one identity label that every copy has, whoever made it.
  return marks[labels.upstreamNamespace] === undefined ? 'unrelated' : 'adoptable';
}

/**
 * The single-cluster guard: where project and hub are one API server, a namespace that holds copies is never a source of copies. It
 * must not stop clean-up.
 */
export const isMappedNamespace = ({ metadata }: Labelled): boolean =>
  metadata.labels?.[labels.upstreamNamespace] !== undefined;
