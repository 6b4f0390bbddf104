import type { Mutant } from './types.ts';

const index = 'packages/edge/src/index';
const edit = 'apps/edge-extension-server/src/edit';

/** Guards of the edge, as users would miss them: in worlds with an API server, Envoy Gateways and extension servers. */
export const mutants: Mutant[] = [
  {
    id: 'c15-a-shared-key-takes-the-other-down',
    file: `${index}/node-claims.ts`,
    find: `if (this.#policy === 'allow') return [];`,
    replace: ``,
    test: 'e2e/reports/c15-shared-node-id.test.ts',
    name: 'nothing of the other changes',
    why: 'connectors that share a key are programmed each for itself',
  },
  {
    id: 'c50-the-elder-loses-its-domain',
    file: `${edit}/duplicate-domains.ts`,
    find: `claims.toSorted((a, b) => compareClaims(a, b, index))`,
    replace: `claims.toSorted((a, b) => compareClaims(b, a, index))`,
    test: 'e2e/reports/c50-domain-on-two-hosts.test.ts',
    name: 'the younger loses it',
    why: 'nobody takes a domain from a Gateway that had it before',
  },
  {
    id: 'c56-listens-on-half-a-cache',
    file: `${index}/feed.ts`,
    find: `Promise.all(livedOn(caches).map((cache) => cache.synced(signal)))`,
    replace: `Promise.race(livedOn(caches).map((cache) => cache.synced(signal)))`,
    test: 'e2e/reports/c56-restart-on-an-empty-cache.test.ts',
    name: 'C56: merged',
    why: 'nobody can call before every kind is listed to its end',
  },
  {
    id: 'c58-the-old-reference-stays',
    file: `${index}/live-index.ts`,
    find: `this.#users.set(key, connectors);`,
    replace: `if (this.#proxies.get(key) === undefined) this.#users.set(key, connectors);`,
    test: 'e2e/reports/c58-references-that-move.test.ts',
    why: 'a proxy moves with the connectors that it goes through now',
  },
  {
    id: 'c59-the-text-is-changed',
    file: `${edit}/offline-route.ts`,
    find: `out.text(dataSource.inlineString, offlineBody);`,
    replace: `out.text(dataSource.inlineString, offlineBody.replaceAll('%', '%%'));`,
    test: 'e2e/reports/c59-text-of-the-offline-answer.test.ts',
    name: 'commands',
    why: 'the body of an offline answer is what was set',
  },
  {
    id: 'edge-loop-another-class-is-stamped',
    file: `${index}/live-index.ts`,
    find: `return this.#options.classes.includes(className) && this.#namespaces.has(namespaceOf(key));`,
    replace: `return className !== '';`,
    test: 'e2e/edge/loop.test.ts',
    name: 'is not stamped, and serves what it can',
    why: 'only Gateways of our classes in mapped namespaces are stamped',
  },
  {
    id: 'c56-what-changed-meanwhile-is-no-change',
    file: 'packages/edge/src/retranslator/retranslator.ts',
    find: `synced: () => this.#begin(),`,
    replace: `synced: () => this.#lookAtAll(),`,
    test: 'e2e/reports/c56-restart-on-an-empty-cache.test.ts',
    name: 'whom nobody knows any more',
    why: 'a stamp that says another intent after a start is a change that nobody told Envoy Gateway of',
  },
  {
    id: 'edge-loop-nudges-are-taken-off-at-once',
    file: 'packages/edge/src/retranslator/patience.ts',
    find: `return after(isNudge ? 2 * stampDefaults.graceMs - (now - this.#since) : 0);`,
    replace: `return after(isNudge ? 0 : 0);`,
    test: 'e2e/edge/weather.sim.test.ts',
    why: 'a stamp that another retranslator wrote to be asked for is left until it was',
  },
];
