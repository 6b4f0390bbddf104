/** What is wrong with a virtual host that was edited. */
import { edgeDefaults, edgeReasons } from '@lifeline/core';
import { equalSlices, type Slice } from '../wire/text.ts';
import {
  clusterWeight,
  dataSource,
  directResponseAction,
  route as routeFields,
  routeAction,
  virtualHost as fields,
  weightedCluster,
  wrapper,
} from './envoy-fields.ts';
import { cursorOver } from './struct.ts';

export interface NamedClusters {
  has(name: Slice): boolean;
}

export interface VirtualHostContext {
  /** All clusters of the answer: those of the request. */
  readonly clusters: NamedClusters;
  /** Places of domains that were taken from it on purpose. */
  readonly lostDomains: ReadonlySet<number> | undefined;
}

/**
 * One of `edgeReasons`: a rule that the edited form breaks and the received one does not; undefined when there is none. A rule that came in
 * broken is not ours to mend: taking our edit back would not help.
 */
export function virtualHostFault(edited: Slice, received: Slice, context: VirtualHostContext): string | undefined {
  if (!isCalledTheSame(edited, received, context.lostDomains)) return edgeReasons.renamed;
  const faults = routeFaults(edited, context.clusters);
  if (faults.size === 0) return undefined;
  const cameIn = routeFaults(received, context.clusters);
  return [...faults].find((fault) => !cameIn.has(fault));
}

/** Whether name and domains are those that were received, but for the domains that it lost. */
function isCalledTheSame(edited: Slice, received: Slice, lost: ReadonlySet<number> | undefined): boolean {
  const now = namesOf(edited);
  const before = namesOf(received);
  const kept = before.domains.filter((_, place) => !lost?.has(place));
  return (
    sameName(now.name, before.name) &&
    now.domains.length === kept.length &&
    now.domains.every((domain, i) => sameName(domain, kept[i]))
  );
}

const sameName = (one: Slice | undefined, other: Slice | undefined): boolean =>
  one && other ? equalSlices(one, other) : one === other;

function namesOf(virtualHost: Slice): { readonly name: Slice | undefined; readonly domains: readonly Slice[] } {
  const cursor = cursorOver(virtualHost);
  let name: Slice | undefined;
  const domains: Slice[] = [];
  while (cursor.next()) {
    if (cursor.isBytes(fields.name)) name = cursor.slice();
    else if (cursor.isBytes(fields.domains)) domains.push(cursor.slice());
  }
  return { name, domains };
}

function routeFaults(virtualHost: Slice, clusters: NamedClusters): ReadonlySet<string> {
  const faults = new Set<string>();
  const cursor = cursorOver(virtualHost);
  while (cursor.next()) if (cursor.isBytes(fields.routes)) addRouteFaults(cursor, clusters, faults);
  return faults;
}

function addRouteFaults(route: Slice, clusters: NamedClusters, faults: Set<string>): void {
  let actions = 0;
  const cursor = cursorOver(route);
  while (cursor.next()) {
    switch (cursor.field) {
      case routeFields.route:
        actions++;
        addActionFaults(cursor, clusters, faults);
        break;
      case routeFields.directResponse:
        actions++;
        if (!isResponse(cursor)) faults.add(edgeReasons.brokenResponse);
        break;
      case routeFields.redirect:
      case routeFields.filterAction:
      case routeFields.nonForwardingAction:
        actions++;
    }
  }
  if (actions !== 1) faults.add(edgeReasons.unclearAction);
}

function addActionFaults(action: Slice, clusters: NamedClusters, faults: Set<string>): void {
  const cursor = cursorOver(action);
  while (cursor.next()) {
    if (cursor.isBytes(routeAction.cluster) && !clusters.has(cursor)) faults.add(edgeReasons.missingCluster);
    if (cursor.isBytes(routeAction.weightedClusters)) addWeightFaults(cursor, clusters, faults);
  }
}

/** Envoy refuses a sum of 0. One that names its cluster by a header has no name to look for. */
function addWeightFaults(weighted: Slice, clusters: NamedClusters, faults: Set<string>): void {
  let sum = 0;
  const entries = cursorOver(weighted);
  while (entries.next()) {
    if (!entries.isBytes(weightedCluster.clusters)) continue;
    const cursor = cursorOver(entries);
    while (cursor.next()) {
      if (cursor.isBytes(clusterWeight.name) && !clusters.has(cursor)) faults.add(edgeReasons.missingCluster);
      if (!cursor.isBytes(clusterWeight.weight)) continue;
      const weight = cursorOver(cursor);
      while (weight.next()) if (weight.isVarint(wrapper.value)) sum += weight.uint32();
    }
  }
  if (sum === 0) faults.add(edgeReasons.noWeight);
}

/** Envoy takes a status from 200 to 599, and of the body only so much. */
function isResponse(response: Slice): boolean {
  let status = 0;
  let length = 0;
  const cursor = cursorOver(response);
  while (cursor.next()) {
    if (cursor.isVarint(directResponseAction.status)) status = cursor.uint32();
    if (!cursor.isBytes(directResponseAction.body)) continue;
    const body = cursorOver(cursor);
    while (body.next()) if (body.isBytes(dataSource.inlineString)) length = body.to - body.from;
  }
  return status >= 200 && status < 600 && length <= edgeDefaults.offlineBodyLimitBytes;
}
