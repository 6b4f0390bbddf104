/** What holds for every answer, over random indexes and requests that fit each other more or less. */
import { parseKey } from '@lifeline/core';
import type { LiveIndex } from '@lifeline/edge';
import { decodeResponse } from '@lifeline/envoy-api';
import { recording } from '@lifeline/envoy-api/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expectSafe, expectWhole, textOf } from './answer-rules.fixture.ts';
import { type AnswerJson, requestBytes, type RouteJson, setOnline, tunnelsOf } from './edit.fixture.ts';
import type { Answer } from './editor.ts';
import { at, change, editorOf, keyOf, names, type World, worldOf } from './worlds.fixture.ts';

const jsonOf = (answer: Answer): AnswerJson => decodeResponse(answer.bytes);

/** The clusters that a route leads to, those without a weight left out. */
const targetsOf = ({ route }: RouteJson): string[] => [
  ...(route?.cluster === undefined ? [] : [route.cluster]),
  ...(route?.weighted_clusters?.clusters ?? []).flatMap(({ name, weight }) => (weight > 0 ? [name] : [])),
];

/** Whatever does not fit, nobody is ever sent to a placeholder. */
function expectNoPlaceholder({ clusters = [], routes = [] }: AnswerJson): void {
  const placeholders = new Set(
    clusters
      .filter((each) => tunnelsOf(each).some((tunnel) => tunnel.startsWith('connector.local:')))
      .map(({ name }) => name),
  );
  const targets = routes.flatMap(({ virtual_hosts: hosts = [] }) =>
    hosts.flatMap((host) => host.routes.flatMap(targetsOf)),
  );
  expect(targets.filter((name) => placeholders.has(name))).toEqual([]);
}

/** A tunnel to a port that https has in the index speaks TLS, with a name that is verified. */
function expectVerified({ clusters = [] }: AnswerJson, { index }: World): void {
  for (const cluster of clusters) {
    const backends = index.proxy(keyOf(cluster.metadata))?.rules.flatMap((rule) => rule.backends) ?? [];
    for (const tunnel of tunnelsOf(cluster)) {
      const [target, , inner] = tunnel.split(' ');
      const secure = backends
        .filter((backend) => backend?.endpoint?.target === target)
        .map((backend) => backend?.endpoint?.tls);
      if (inner !== undefined && secure.length > 0 && secure.every(Boolean)) expect(inner).not.toBe('raw_buffer');
    }
  }
}

it('is whole, safe, the same from every replica, and leads nobody astray', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(change, { maxLength: 12, size: 'max' }), (name, changes) => {
      const world = worldOf(name, changes);
      const request = requestBytes(world.request);
      const editor = editorOf(world.index);
      const answer = editor.open(request).answer();
      const bytes = textOf(answer.bytes);
      expectWhole(request, answer);
      expectSafe(request, answer);
      expectNoPlaceholder(jsonOf(answer));
      expectVerified(jsonOf(answer), world);
      // Another replica, one that has answered much already, and this one again.
      const used = editorOf(world.index);
      for (const other of ['merged-20', 'many-rules']) used.open(recording(other)).answer();
      expect(textOf(used.open(request).answer().bytes)).toBe(bytes);
      expect(textOf(editor.open(request).answer().bytes)).toBe(bytes);
      // Each Gateway is reported once.
      const { gateways } = editor.open(request);
      expect(answer.rows.map((row) => `${row.namespace}/${row.name}`)).toEqual(gateways.map(({ key }) => key));
      expect(new Set(gateways.map(({ key }) => key)).size).toBe(gateways.length);
    }),
    { seed: 20261128, numRuns: 120 },
  );
});

it('what went away and came back is answered as before', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.array(change, { maxLength: 6 }),
      fc.nat(1000),
      (name, changes, chosen) => {
        const { index, request, proxies } = worldOf(name, changes);
        const bytes = requestBytes(request);
        const editor = editorOf(index);
        const before = textOf(editor.open(bytes).answer().bytes);
        const connectors = Object.entries(proxies).flatMap(([key, rules]) =>
          rules.flatMap(({ backends }) =>
            backends.flatMap(([, held]) => (held === undefined ? [] : [`${parseKey(key).namespace ?? ''}/${held}`])),
          ),
        );
        const online = connectors.filter((key) => isOnline(index, key));
        const connector = at(online, chosen);
        if (connector === undefined) return;
        setOnline(index, connector, false);
        editor.open(bytes).answer();
        setOnline(index, connector, true);
        expect(textOf(editor.open(bytes).answer().bytes)).toBe(before);
      },
    ),
    { seed: 20261129, numRuns: 100 },
  );
});

const isOnline = (index: LiveIndex, connector: string): boolean => {
  const { namespace, name } = parseKey(connector);
  return [...index.proxies()].some(
    ({ key, rules }) =>
      parseKey(key).namespace === namespace &&
      rules.some(({ backends }) => backends.some((each) => each?.connector === name && each.state === 'online')),
  );
};
