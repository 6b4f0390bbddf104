/** The least rights that it needs on its edge. Charts are made from these. */
import type { PolicyRule } from '@lifeline/core';
import { edgeIndexRights, retranslationRights } from '@lifeline/edge';
import { type Env, fleetFactory, staticSource } from '@lifeline/k8s';
import { edgePlane } from './app.ts';
import type { RetranslatorConfig } from './config.ts';

export interface RetranslatorRights {
  /** ClusterRole. */
  readonly cluster: readonly PolicyRule[];
  /** Role in the namespace of the watermark. */
  readonly truth: readonly PolicyRule[];
  /** Role in the namespace of the extension servers' Service; empty without one. */
  readonly reports: readonly PolicyRule[];
}

/** Starts nothing and asks nobody. */
export function retranslatorRights({ edge, reports }: RetranslatorConfig, env: Env): RetranslatorRights {
  const provider = fleetFactory(env, 'rights')({ plane: edgePlane, source: staticSource({}) });
  const index = edgeIndexRights(provider, edge);
  const own = retranslationRights(reports);
  return { cluster: [...index.cluster, ...own.cluster], truth: index.truth, reports: own.reports };
}
