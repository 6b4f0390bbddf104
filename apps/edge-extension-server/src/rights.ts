/** The least rights that an extension server needs of its edge, made from what it reads. The chart is made from these. */
import type { PolicyRule } from '@lifeline/core';
import { edgeIndexRights, retranslationRights } from '@lifeline/edge';
import type { ExtensionServerConfig } from './config.ts';

export interface ExtensionServerRights {
  /** ClusterRole. With the retranslator it holds `patch` on Gateways, which an admission policy narrows to the stamp. */
  readonly cluster: readonly PolicyRule[];
  /** Role in the namespace of the watermark. */
  readonly truth: readonly PolicyRule[];
  /** Role in the namespace of the extension servers' Service; empty without one. */
  readonly reports: readonly PolicyRule[];
}

export function extensionServerRights({ withRetranslator, reports }: ExtensionServerConfig): ExtensionServerRights {
  const { cluster, truth } = edgeIndexRights;
  const written = withRetranslator ? retranslationRights(reports) : { cluster: [], reports: [] };
  return { cluster: [...cluster, ...written.cluster], truth, reports: written.reports };
}
