import { seeded } from '@lifeline/core';
import { encodeMessage, equalAnyBytes, equalMessages, hookTypes } from '@lifeline/envoy-api';
import { mapsOutOfOrder, recording, recordings, withMapsShuffled } from '@lifeline/envoy-api/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { message } from '../wire/writer.ts';
import { draftOf, echoOf } from './draft.fixture.ts';
import { responseFields } from './envoy-fields.ts';
import { createQuiet } from './quiet.ts';

const quieted = (answer: Uint8Array): Uint8Array => createQuiet().quiet(draftOf(answer.slice()));

/** The same answer with every map in another order. */
function shuffled(answer: Uint8Array, seed: number): Uint8Array {
  const random = seeded(seed);
  return withMapsShuffled(hookTypes.response, answer, (items) => {
    const left = [...items];
    return items.flatMap(() => left.splice(random.int(left.length), 1));
  });
}

const listenersOf = (answer: Uint8Array): string[] =>
  draftOf(answer).listeners.map(({ from, to }) => Buffer.from(answer.subarray(from, to)).toString('latin1'));

describe.each(recordings)('%s', (name) => {
  const echo = echoOf(recording(name));

  it('says the same', () => {
    expect(equalMessages(hookTypes.response, quieted(echo), echo)).toBe(true);
  });

  it('has every map inside of an Any in order', () => {
    expect(mapsOutOfOrder(hookTypes.response, quieted(echo))).toEqual([]);
  });
});

it('what Envoy Gateway sends at another time, its maps in another order, is answered alike', () => {
  const names = ['http-and-https-listeners', 'https-backend-weighted', 'many-rules', 'merged-20'] as const;
  const shuffles = fc.record({ name: fc.constantFrom(...names), one: fc.nat(), other: fc.nat() });
  fc.assert(
    fc.property(shuffles, ({ name, one, other }) => {
      const echo = echoOf(recording(name));
      const answers = [quieted(shuffled(echo, one)), quieted(shuffled(echo, other))] as const;
      expect(equalAnyBytes(hookTypes.response, ...answers)).toBe(true);
      // No map of a listener stands outside of an Any.
      expect(listenersOf(answers[0])).toEqual(listenersOf(answers[1]));
    }),
    { seed: 20261128, numRuns: 40 },
  );
});

it('a listener of two recordings is the same bytes, though it came as others', () => {
  const [one, other] = [echoOf(recording('merged-20')), echoOf(recording('merged-20-stamped'))];
  expect(listenersOf(one)).not.toEqual(listenersOf(other));
  expect(listenersOf(quieted(one))).toEqual(listenersOf(quieted(other)));
});

describe('maps in filters that recordings do not have', () => {
  const policies = (...names: string[]) => Object.fromEntries(names.map((name) => [name, {}]));
  const filter = (type: string, config: object) => ({
    name: type,
    typed_config: { '@type': `type.googleapis.com/envoy.extensions.filters.http.${type}`, ...config },
  });
  /** A cluster or listener with an Any in it; `encodeMessage` has its maps in order. */
  it.each([
    {
      name: 'of a listener',
      field: responseFields.listeners,
      bytes: encodeMessage(hookTypes.listener, {
        filter_chains: [
          { filters: [filter('rbac.v3.RBAC', { rules: { policies: policies('a', 'b', 'c', 'd') } })] },
          { filters: [filter('lua.v3.Lua', { source_codes: policies('one', 'three', 'two') })] },
        ],
      }),
    },
    {
      name: 'of a cluster',
      field: responseFields.clusters,
      bytes: encodeMessage(hookTypes.cluster, {
        typed_extension_protocol_options: {
          x: {
            '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
            http_filters: [filter('jwt_authn.v3.JwtAuthentication', { providers: policies('p', 'q', 'r') })],
          },
        },
      }),
    },
    {
      name: 'of a route',
      field: responseFields.routes,
      bytes: encodeMessage(hookTypes.routes, {
        virtual_hosts: [
          {
            routes: [
              {
                typed_per_filter_config: {
                  f: {
                    '@type': 'type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthzPerRoute',
                    check_settings: { context_extensions: { k: '1', l: '2', m: '3' } },
                  },
                },
              },
            ],
          },
        ],
      }),
    },
  ])('$name', ({ field, bytes }) => {
    const ordered = message((out) => out.bytes(field, bytes)).slice();
    const others = [1, 2, 3, 4, 5].map((seed) => shuffled(ordered, seed));
    expect(others.filter((other) => Buffer.compare(other, ordered) !== 0)).not.toEqual([]);
    for (const other of others) expect(quieted(other)).toEqual(ordered);
  });
});
