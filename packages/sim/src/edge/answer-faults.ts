/** What is wrong with a hook's answer, as Envoy would find it, and as the contract has it. */
import { deepEqual } from '@lifeline/core';
import { clusterFault } from './envoy.ts';
import { type Route, targetsOf, virtualHostsOf, type XdsSnapshot } from './xds.ts';

/** @param mayChange resources that the hook may touch, by name */
export function* answerFaults(
  asked: XdsSnapshot,
  answer: XdsSnapshot,
  mayChange: (name: string) => boolean,
): Generator<string, void> {
  for (const list of ['clusters', 'listeners', 'routes'] as const)
    if (!deepEqual(namesOf(asked[list]), namesOf(answer[list])))
      yield `the ${list} are not those that were sent, in order`;
  const clusters = new Set(namesOf(answer.clusters));
  for (const { name, virtual_hosts = [] } of answer.routes) {
    yield* repeated(`virtual host of ${name}`, namesOf(virtual_hosts));
    yield* repeated(
      `domain of ${name}`,
      virtual_hosts.flatMap(({ domains = [] }) => domains.map((domain) => domain.toLowerCase())),
    );
    for (const route of virtual_hosts.flatMap(({ routes = [] }) => routes)) yield* routeFaults(route, clusters);
  }
  if (clusters.has('')) yield 'a cluster has no name';
  for (const cluster of answer.clusters) {
    const fault = clusterFault(cluster);
    if (fault !== undefined) yield fault;
  }
  for (const [before, after] of pairs(asked, answer))
    if (!mayChange(before.name ?? '') && !deepEqual(before, after)) yield `${before.name} is not ours, and was changed`;
}

function* repeated(what: string, names: readonly string[]): Generator<string, void> {
  const seen = new Set<string>();
  for (const name of names) {
    if (name === '') yield `a ${what} has no name`;
    if (seen.has(name)) yield `the ${what} ${name} is there twice`;
    seen.add(name);
  }
}

function* routeFaults(route: Route, clusters: ReadonlySet<string>): Generator<string, void> {
  const targets = targetsOf(route);
  for (const { name } of targets)
    if (!clusters.has(name)) yield `${route.name} names the cluster ${name}, which is not there`;
  if (targets.length > 0 && targets.every(({ weight }) => weight <= 0)) yield `${route.name} has no weight left`;
}

interface Named {
  readonly name?: string | undefined;
}

const namesOf = (all: readonly Named[]): readonly string[] => all.map(({ name = '' }) => name);

function pairs(asked: XdsSnapshot, answer: XdsSnapshot): [Named, Named | undefined][] {
  const match = (before: readonly Named[], after: readonly Named[]): [Named, Named | undefined][] => {
    const byName = new Map(after.map((resource) => [resource.name, resource]));
    return before.map((resource) => [resource, byName.get(resource.name)]);
  };
  return [
    ...match(asked.listeners, answer.listeners),
    ...match(virtualHostsOf(asked), virtualHostsOf(answer)),
    ...match(asked.clusters, answer.clusters),
  ];
}
