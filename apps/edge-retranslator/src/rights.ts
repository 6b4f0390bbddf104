/** The least rights that it needs on its edge. Charts are made from these. */
import type { PolicyRule } from '@lifeline/core';
import { edgeIndexRights, retranslationRights } from '@lifeline/edge';
import type { RetranslatorConfig } from './config.ts';

export interface RetranslatorRights {
  /** ClusterRole. */
  readonly cluster: readonly PolicyRule[];
  /** Role in the namespace of the watermark. */
  readonly truth: readonly PolicyRule[];
  /** Role in the namespace of the extension servers' Service; empty without one. */
  readonly reports: readonly PolicyRule[];
}

export function retranslatorRights({ reports: settings }: RetranslatorConfig): RetranslatorRights {
  const { cluster, truth } = edgeIndexRights;
  const { cluster: stamps, reports } = retranslationRights(settings);
  return { cluster: [...cluster, ...stamps], truth, reports };
}
