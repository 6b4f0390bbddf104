/** The least rights that an extension server needs of its edge, made from what it reads. The chart is made from these. */
import type { PolicyRule } from '@lifeline/core';
import { edgeIndexRights, retranslationRights } from '@lifeline/edge';
import { type Env, fleetFactory, staticSource } from '@lifeline/k8s';
import type { ExtensionServerConfig } from './config.ts';
import { edgePlane } from './edge-plane.ts';

export interface ExtensionServerRights {
  /** ClusterRole. With the retranslator it holds `patch` on Gateways, which an admission policy narrows to the stamp. */
  readonly cluster: readonly PolicyRule[];
  /** Role in the namespace of the watermark. */
  readonly truth: readonly PolicyRule[];
  /** Role in the namespace of the extension servers' Service; empty without one. */
  readonly reports: readonly PolicyRule[];
}

/** Starts nothing and asks nobody. */
export function extensionServerRights(settings: ExtensionServerConfig, env: Env): ExtensionServerRights {
  const edge = fleetFactory(env, 'rights')({ plane: edgePlane, source: staticSource({}) });
  const read = edgeIndexRights(edge, settings);
  const written = settings.withRetranslator ? retranslationRights(settings.reports) : { cluster: [], reports: [] };
  return { cluster: [...read.cluster, ...written.cluster], truth: read.truth, reports: written.reports };
}
