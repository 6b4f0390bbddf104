/** What is wrong with a hook's answer, as Envoy would find it, and as the contract has it. */
import { deepEqual } from '@lifeline/core';
import { clustersOf, type Route, type XdsSnapshot } from './xds.ts';

/** @param mayChange resources that the hook may touch, by name */
export function* answerFaults(
  asked: XdsSnapshot,
  answer: XdsSnapshot,
  mayChange: (name: string) => boolean,
): Generator<string, void> {
  const clusters = new Set(answer.clusters.map(({ name }) => name));
  for (const { name, virtualHosts } of answer.routes) {
    yield* repeated(
      `virtual host of ${name}`,
      virtualHosts.map((host) => host.name),
    );
    yield* repeated(
      `domain of ${name}`,
      virtualHosts.flatMap(({ domains }) => domains.map((domain) => domain.toLowerCase())),
    );
    for (const route of virtualHosts.flatMap(({ routes }) => routes)) yield* routeFaults(route, clusters);
  }
  if (answer.clusters.some(({ name }) => name === '')) yield 'a cluster has no name';
  for (const [before, after] of pairs(asked, answer))
    if (!mayChange(before.name) && !deepEqual(before, after)) yield `${before.name} is not ours, and was changed`;
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
  for (const name of clustersOf(route))
    if (!clusters.has(name)) yield `${route.name} names the cluster ${name}, which is not there`;
  const weights = route.route?.weightedClusters;
  if (weights && weights.reduce((sum, { weight }) => sum + weight, 0) <= 0) yield `${route.name} has no weight left`;
}

interface Named {
  readonly name: string;
}

function pairs(asked: XdsSnapshot, answer: XdsSnapshot): [Named, Named | undefined][] {
  const hosts = ({ routes }: XdsSnapshot): readonly Named[] => routes.flatMap(({ virtualHosts }) => virtualHosts);
  const match = (before: readonly Named[], after: readonly Named[]): [Named, Named | undefined][] =>
    before.map((resource) => [resource, after.find(({ name }) => name === resource.name)]);
  return [
    ...match(asked.listeners, answer.listeners),
    ...match(hosts(asked), hosts(answer)),
    ...match(asked.clusters, answer.clusters),
  ];
}
