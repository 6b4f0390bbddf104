/** A cluster that mixes placeholders with addresses: it stays what it is and loses the placeholders. */
import type { Cursor } from '../wire/cursor.ts';
import type { Writer } from '../wire/writer.ts';
import { type ClusterScan, isPlaceholder } from './cluster-scan.ts';
import { cluster, loadAssignment, localityEndpoints } from './envoy-fields.ts';
import { type FieldEdit, rewrite, rewriteInside } from './rewrite.ts';
import { cursorOver } from './struct.ts';

/** Writes the fields of the cluster. */
export function writeMixedCluster(out: Writer, scan: ClusterScan, placeholderHost: Uint8Array): void {
  const localities = scan.localities.values();
  const isGone = (at: Cursor): boolean =>
    at.isBytes(localityEndpoints.lbEndpoints) && isPlaceholder(at, placeholderHost);
  const withoutPlaceholders: FieldEdit = (at) => {
    if (!at.isBytes(loadAssignment.endpoints)) return false;
    const locality = localities.next().value;
    if (!locality?.placeholder) return false;
    return locality.others === 0 || rewriteInside(out, at, isGone);
  };
  rewrite(
    out,
    cursorOver(scan.cluster),
    (at) => at.isBytes(cluster.loadAssignment) && rewriteInside(out, at, withoutPlaceholders),
  );
}
