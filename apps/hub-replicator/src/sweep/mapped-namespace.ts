/** What a downstream Namespace says about the project that it belongs to. */
import { encodeCluster, labels } from '@lifeline/core';

interface Marked {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>> | null | undefined;
    readonly annotations?: Readonly<Record<string, string>> | null | undefined;
  };
}

const plainPrefix = 'cluster-';

/**
 * The exact name of the project, engaged or not; undefined when it cannot be told for sure: then nothing is concluded about it.
 *
 * The annotation says it where the label holds a short form. A plain label is read back only if it is what that very name is written as: a
 * name with a `/` or a `_` never is.
 */
export function projectOf({ metadata }: Marked): string | undefined {
  const label = metadata.labels?.[labels.upstreamCluster];
  if (label === undefined) return undefined;
  const exact = metadata.annotations?.[labels.upstreamCluster];
  if (exact !== undefined) return encodeCluster(exact)?.label === label ? exact : undefined;
  if (!label.startsWith(plainPrefix)) return undefined;
  const name = label.slice(plainPrefix.length);
  return encodeCluster(name)?.label === label ? name : undefined;
}
