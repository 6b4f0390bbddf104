/** A cluster that mixes placeholders with addresses: it stays what it is and loses the placeholders. */
import type { Cursor } from '../wire/cursor.ts';
import type { Writer } from '../wire/writer.ts';
import { type ClusterScan, placeholderPort } from './cluster-scan.ts';
import { cluster, loadAssignment, localityEndpoints } from './envoy-fields.ts';
import { type FieldEdit, rewrite, rewriteInside } from './rewrite.ts';

export interface MixedCluster extends Pick<ClusterScan, 'localities'> {
  readonly placeholderHost: Uint8Array;
}

/** Writes the fields of the cluster. */
export function writeMixedCluster(out: Writer, message: Cursor, { localities, placeholderHost }: MixedCluster): void {
  const rest = localities.values();
  const isGone = (at: Cursor): boolean =>
    at.isBytes(localityEndpoints.lbEndpoints) && placeholderPort(at, placeholderHost) !== undefined;
  const withoutPlaceholders: FieldEdit = (at) => {
    if (!at.isBytes(loadAssignment.endpoints)) return false;
    const locality = rest.next().value;
    if (!locality?.placeholder) return false;
    return locality.others === 0 || rewriteInside(out, at, isGone);
  };
  rewrite(out, message, (at) => at.isBytes(cluster.loadAssignment) && rewriteInside(out, at, withoutPlaceholders));
}
