/** What should be written, given what is there. */
import { ConfigMap, deepEqual, isDeleting } from '@lifeline/core';
import { deleteWrite, finalizerAddition, finalizerRemoval, type Write } from '@lifeline/k8s';
import { copyOf, finalizer, isMirrored, sourceUidOf } from './copy.ts';

export interface Seen {
  readonly cluster: string;
  /** Where copies live. */
  readonly namespace: string;
  /** From the cache or, when absent there, from a live read: undefined means gone. */
  readonly source: ConfigMap | undefined;
  /** Copies that name this source: from the cache or, when it has none, from a live read. */
  readonly copies: readonly ConfigMap[];
}

export interface Decision {
  /** On the source, before anything else. */
  readonly hold: readonly Write[];
  /** On copies. */
  readonly copies: readonly Write[];
  /** On the source, once no copy is left. */
  readonly release: readonly Write[];
}

/**
 * Guarantees: pure; carried out, it leaves nothing to decide; deletes only copies that name this source, by uid; the finalizer comes before
 * the first copy and leaves after the last one.
 */
export function decide({ cluster, namespace, source, copies }: Seen): Decision {
  const wanted = source && isMirrored(source) ? copyOf(source, cluster, namespace) : undefined;
  const current = wanted && copies.find((copy) => sourceUidOf(copy) === source?.metadata.uid);
  const stale = copies.filter((copy) => copy !== current);
  const apply = wanted && stale.length === 0 && !isUpToDate(wanted, current);
  return {
    hold: source && wanted ? finalizerAddition(ConfigMap, source, finalizer) : [],
    copies: [
      ...stale.filter((copy) => !isDeleting(copy)).map((copy) => deleteWrite(ConfigMap, copy)),
      ...(apply ? [applyWrite(wanted)] : []),
    ],
    release: source && !wanted ? finalizerRemoval(ConfigMap, source, finalizer) : [],
  };
}

/** It makes a copy where there is none, deletes one, or lets go of the source: all but keeping a copy up to date. */
export const makesOrEnds = ({ copies, release }: Decision, there: Seen['copies']): boolean =>
  release.length > 0 || copies.some(({ verb }) => verb === 'delete' || there.length === 0);

/** Our fields are as they should be; fields of others do not count. */
function isUpToDate(wanted: ConfigMap, copy: ConfigMap | undefined): boolean {
  return (
    copy !== undefined &&
    deepEqual(copy.data ?? {}, wanted.data ?? {}) &&
    deepEqual(copy.binaryData ?? {}, wanted.binaryData ?? {}) &&
    includes(copy.metadata.labels, wanted.metadata.labels) &&
    includes(copy.metadata.annotations, wanted.metadata.annotations)
  );
}

type Texts = Readonly<Record<string, string>> | null | undefined;

const includes = (all: Texts, some: Texts): boolean =>
  Object.entries(some ?? {}).every(([key, value]) => all?.[key] === value);

const applyWrite = (object: ConfigMap): Write => ({ verb: 'apply', kind: ConfigMap, object, force: true });
