/**
 * Domains that stand twice in one RouteConfiguration. Envoy refuses such a configuration whole, so one of the two has to go: the younger
 * Gateway loses it.
 */
import type { EdgeIndex } from '@lifeline/edge';
import { decodeText, type Slice } from '../wire/text.ts';
import type { Corrections } from './corrections.ts';
import { DomainSet } from './domain-set.ts';
import type { Draft } from './draft.ts';
import { virtualHost } from './envoy-fields.ts';
import { type RequestParts, type RouteConfigurationPart, type VirtualHostPart, virtualHostsOf } from './request.ts';
import { cursorOver } from './struct.ts';

/** A domain of a virtual host, by its place among all of them. */
interface Claim {
  readonly part: VirtualHostPart;
  readonly place: number;
}

export interface Claimants {
  /** What they have lost by now stands in it already. */
  readonly corrections: Corrections;
  readonly index: EdgeIndex;
}

/** By ordinal, the domains that each virtual host loses in all; only those that lose more than they have lost by now. */
export function duplicateDomains(
  draft: Draft,
  { corrections, index }: Claimants,
): ReadonlyMap<number, ReadonlySet<number>> {
  const lost = new Map<number, Set<number>>();
  const domains = new DomainSet();
  const { routeConfigurations, heldVirtualHosts } = draft.request;
  for (const configuration of routeConfigurations) {
    if (wasChecked(configuration, heldVirtualHosts)) continue;
    const parts = [...virtualHostsOf(configuration, heldVirtualHosts)];
    if (!domains.hasDuplicates(parts)) continue;
    for (const claims of contested(parts, corrections)) {
      const [, ...losers] = claims.toSorted((a, b) => compareClaims(a, b, index));
      for (const { part, place } of losers) {
        const places = lost.get(part.ordinal) ?? new Set(corrections.lostDomains.get(part.ordinal));
        lost.set(part.ordinal, places.add(place));
      }
    }
  }
  return lost;
}

/** Whether all of it stood in one RouteConfiguration of the request before, whose domains stood once. */
function wasChecked({ runs }: RouteConfigurationPart, held: RequestParts['heldVirtualHosts']): boolean {
  const [run, another] = runs;
  if (!run || another) return !run;
  if (run.held < 0) return false;
  // Who lost a domain is told of.
  for (let number = run.held; number < run.held + run.count; number++) if (held.item(number).isTold) return false;
  return true;
}

/** The claims on each domain that there is more than one for. */
function contested(virtualHosts: readonly VirtualHostPart[], { lostDomains }: Corrections): Iterable<Claim[]> {
  const first = new Map<string, Claim>();
  const several = new Map<string, Claim[]>();
  for (const part of virtualHosts) {
    const lost = lostDomains.get(part.ordinal);
    let place = 0;
    const cursor = cursorOver(part);
    while (cursor.next()) {
      if (!cursor.isBytes(virtualHost.domains)) continue;
      const claim = { part, place: place++ };
      if (lost?.has(claim.place)) continue;
      const domain = domainOf(cursor);
      const other = first.get(domain);
      const others = several.get(domain);
      if (others) others.push(claim);
      else if (other) several.set(domain, [other, claim]);
      else first.set(domain, claim);
    }
  }
  return several.values();
}

/** As Envoy compares it: without the case of ASCII letters, and of these alone. */
const domainOf = (slice: Slice): string => decodeText(slice).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** The older Gateway first; one that nobody knows yet is the youngest. Of one Gateway's claims the first. */
function compareClaims(a: Claim, b: Claim, index: EdgeIndex): number {
  return (
    compareTexts(ageOf(a, index), ageOf(b, index)) ||
    compareTexts(a.part.gateway?.namespace ?? last, b.part.gateway?.namespace ?? last) ||
    compareTexts(a.part.gateway?.name ?? last, b.part.gateway?.name ?? last) ||
    a.part.ordinal - b.part.ordinal ||
    a.place - b.place
  );
}

/** Behind every time and every name. */
const last = '~';

/** RFC 3339 in UTC and whole seconds, as Kubernetes writes it: the order of texts is that of times. */
const ageOf = ({ part: { gateway } }: Claim, index: EdgeIndex): string =>
  (gateway && index.gateway(gateway.key)?.createdAt) ?? last;

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
