/**
 * Checks a draft for what Envoy, or Envoy Gateway, would refuse it for: one refused resource freezes the configuration of all tenants.
 *
 * What we did not edit stands as it was received, and Envoy Gateway answers for it. Two things are left to check: that our edits break
 * no rule, and that no domain came in twice in one RouteConfiguration.
 */
import type { ObjectKey } from '@lifeline/core';
import type { EdgeIndex } from '@lifeline/edge';
import { ClusterCheck } from './cluster-fault.ts';
import type { CorrectedForm, Corrections } from './corrections.ts';
import type { Draft } from './draft.ts';
import { duplicateDomains } from './duplicate-domains.ts';
import { receivedField, type ResourceTable, writtenSpan } from './resource-table.ts';
import { virtualHostFault } from './virtual-host-fault.ts';

export interface Checked {
  /** What this draft was written with. */
  readonly corrections: Corrections;
  /** For the ages of Gateways that claim one domain. */
  readonly index: EdgeIndex;
}

/**
 * What the draft must be written with instead; the very `corrections` it was written with when it is fine.
 *
 * Clusters come first: a route may only be wrong because its cluster is.
 */
export function validate(draft: Draft, { corrections, index }: Checked): Corrections {
  const connectors = faultyConnectors(draft, corrections);
  const lostDomains = duplicateDomains(draft, { corrections, index });
  const virtualHosts = connectors.size > 0 ? noForms : faultyVirtualHosts(draft, corrections);
  if (connectors.size + lostDomains.size + virtualHosts.size === 0) return corrections;
  return {
    connectors: new Map([...corrections.connectors, ...connectors]),
    lostDomains: new Map([...corrections.lostDomains, ...lostDomains]),
    virtualHosts: new Map([...corrections.virtualHosts, ...virtualHosts]),
  };
}

type Forms = Corrections['virtualHosts'];
const noForms: Forms = new Map();

/** The connectors of each cluster that our edit broke, with the reason. */
function faultyConnectors(draft: Draft, corrections: Corrections): ReadonlyMap<ObjectKey, string> {
  const faulty = new Map<ObjectKey, string>();
  const check = new ClusterCheck();
  for (const { number } of draft.freshClusters) {
    const { connectors } = draft.clusters.item(number);
    if (connectors.length === 0) continue;
    const { edited, received } = editOf(draft, draft.clusters, number);
    const fault = check.fault(edited, received);
    if (fault === undefined) continue;
    for (const connector of connectors) if (!corrections.connectors.has(connector)) faulty.set(connector, fault);
  }
  return faulty;
}

/** The virtual hosts that our edit broke: the next form of each, with the reason. */
function faultyVirtualHosts(draft: Draft, corrections: Corrections): Forms {
  const faulty = new Map<number, { form: CorrectedForm; reason: string }>();
  // Of one that was recalled the clusters are there as they were: what was checked then still holds.
  for (const { number, ordinal } of draft.freshVirtualHosts) {
    if (!draft.virtualHosts.item(number).edited) continue;
    const form = nextForm(corrections.virtualHosts.get(ordinal)?.form);
    if (form === undefined) continue;
    const { edited, received } = editOf(draft, draft.virtualHosts, number);
    const lostDomains = corrections.lostDomains.get(ordinal);
    const reason = virtualHostFault(edited, received, { clusters: draft.names, lostDomains });
    if (reason !== undefined) faulty.set(ordinal, { form, reason });
  }
  return faulty;
}

/** Undefined: there is no other form. */
function nextForm(form: CorrectedForm | undefined): CorrectedForm | undefined {
  switch (form) {
    case undefined:
      return 'offline';
    case 'offline':
      return 'original';
    case 'original':
      return undefined;
  }
}

/** A resource as it was written, and as it was received. */
const editOf = ({ bytes, request }: Draft, table: ResourceTable<unknown>, number: number) => ({
  edited: { bytes, ...writtenSpan(bytes, table, number) },
  received: { bytes: request.bytes, ...receivedField(table, number) },
});
