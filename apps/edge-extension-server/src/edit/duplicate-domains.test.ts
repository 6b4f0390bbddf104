import { edgeReasons } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import {
  answered,
  type Answered,
  indexOf,
  mergedProxies,
  requestBytes,
  type RequestJson,
  requestJson,
  resourceOf,
  type VirtualHostJson,
} from './edit.fixture.ts';

interface Gateways {
  /** Creation times by the Gateway's number in the recording; others are not in the index. */
  readonly createdAt: Readonly<Record<number, string>>;
}

const nameOf = (number: number): string => `edge-${String(number).padStart(3, '0')}`;

/** The answer to `merged-20` after its virtual hosts were changed. */
function answerTo(change: (hosts: VirtualHostJson[], request: RequestJson) => void, { createdAt }: Gateways): Answered {
  const request = requestJson('merged-20');
  const [routes] = request.routes;
  const hosts = routes?.virtual_hosts ?? [];
  hosts.sort((a, b) => (resourceOf(a.metadata).name < resourceOf(b.metadata).name ? -1 : 1));
  const { namespace } = resourceOf(hosts[0]?.metadata);
  const index = indexOf({ proxies: mergedProxies(request) });
  for (const [number, creationTimestamp] of Object.entries(createdAt)) {
    index.setGateway(`${namespace}/${nameOf(Number(number))}`, { metadata: { creationTimestamp } });
  }
  change(hosts, request);
  return answered(requestBytes(request), index);
}

/** The domains of each virtual host, by the number of its Gateway; those that left are missing. */
const domainsOf = ({ json }: Answered): Record<number, readonly string[]> =>
  Object.fromEntries(
    (json.routes ?? []).flatMap(({ virtual_hosts: hosts = [] }) =>
      hosts.map(({ metadata, domains }) => [Number(resourceOf(metadata).name.slice(-3)), domains]),
    ),
  );

const old = '2025-01-01T00:00:00Z';
const young = '2026-01-01T00:00:00Z';

/** Gives the virtual hosts of the first Gateways these domains. */
const give =
  (...domains: string[][]) =>
  (hosts: VirtualHostJson[]): void => {
    for (const [i, each] of domains.entries()) Object.assign(hosts[i] as VirtualHostJson, { domains: each });
  };

describe('a domain that came in twice', () => {
  it.each([
    { name: 'the younger Gateway loses it', createdAt: { 0: young, 1: old }, want: { 0: ['a'], 1: ['x', 'b'] } },
    { name: 'wherever it stands', createdAt: { 0: old, 1: young }, want: { 0: ['a', 'x'], 1: ['b'] } },
    { name: 'of one age, by name', createdAt: { 0: old, 1: old }, want: { 0: ['a', 'x'], 1: ['b'] } },
    {
      name: 'one that is not in the index yet is the youngest',
      createdAt: { 1: young },
      want: { 0: ['a'], 1: ['x', 'b'] },
    },
    { name: 'of two that are not, by name', createdAt: {}, want: { 0: ['a', 'x'], 1: ['b'] } },
  ])('$name', ({ createdAt, want }) => {
    const answer = answerTo(give(['a', 'x'], ['x', 'b']), { createdAt: createdAt });
    expect(domainsOf(answer)).toMatchObject(want);
    expect(answer.answer.containedBy).toEqual(new Map([[edgeReasons.duplicateDomain, 1]]));
  });

  it('the loser is reported, and nobody else is', () => {
    const { answer } = answerTo(give(['a', 'x'], ['x', 'b']), { createdAt: { 0: old, 1: young } });
    const rows = answer.rows.filter(({ outcome }) => outcome !== 'programmed');
    expect(rows).toMatchObject([{ name: nameOf(1), outcome: 'contained', reason: edgeReasons.duplicateDomain }]);
  });

  it('the case of letters does not count, and only that of ASCII', () => {
    const answer = answerTo(give(['Shop.Example'], ['b', 'sHOP.eXAMPLE'], ['Ä'], ['ä'], ['\u212a'], ['k']), {
      createdAt: { 0: old },
    });
    expect(domainsOf(answer)).toMatchObject({
      0: ['Shop.Example'],
      1: ['b'],
      2: ['Ä'],
      3: ['ä'],
      4: ['\u212a'],
      5: ['k'],
    });
  });

  it('a virtual host that has no other leaves', () => {
    const answer = answerTo(give(['x'], ['x'], ['x', 'X']), { createdAt: { 0: young, 1: old } });
    expect(Object.keys(domainsOf(answer))).not.toContain('0');
    expect(Object.keys(domainsOf(answer))).not.toContain('2');
    expect(domainsOf(answer)).toMatchObject({ 1: ['x'] });
    expect(Object.keys(domainsOf(answer))).toHaveLength(18);
  });

  it('twice in one virtual host: once is kept', () => {
    const answer = answerTo(give(['x', 'a', 'X', 'x']), { createdAt: { 0: old } });
    expect(domainsOf(answer)).toMatchObject({ 0: ['x', 'a'] });
  });

  it('many claims', () => {
    const answer = answerTo(give(['x', 'y'], ['y', 'z'], ['z', 'x'], ['x', 'w']), {
      createdAt: { 0: young, 1: young, 2: old, 3: old },
    });
    expect(domainsOf(answer)).toMatchObject({ 0: ['y'], 2: ['z', 'x'], 3: ['w'] });
    expect(Object.keys(domainsOf(answer))).not.toContain('1');
  });

  it('virtual hosts that do not say whose they are lose to those that do', () => {
    const answer = answerTo(
      (hosts) => {
        give(['x', 'a'], ['x'])(hosts);
        delete hosts[0]?.metadata;
      },
      { createdAt: { 1: young } },
    );
    const hosts = answer.json.routes?.[0]?.virtual_hosts ?? [];
    expect(hosts.filter(({ domains }) => domains.includes('x'))).toMatchObject([{ metadata: expect.anything() }]);
    expect(hosts.filter(({ metadata }) => !metadata)).toMatchObject([{ domains: ['a'] }]);
  });

  it('in two RouteConfigurations it is no duplicate', () => {
    const request = requestJson('http-and-https-listeners');
    const domains = request.routes.flatMap(({ virtual_hosts: hosts = [] }) => hosts.flatMap((host) => host.domains));
    expect(new Set(domains).size).toBeLessThan(domains.length);
    const { json, answer } = answered(requestBytes(request), indexOf());
    expect(json.routes?.flatMap(({ virtual_hosts: hosts = [] }) => hosts.flatMap((host) => host.domains))).toEqual(
      domains,
    );
    expect(answer.counts.contained).toBe(0);
  });
});
