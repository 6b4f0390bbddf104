import { describe, expect, it } from 'vitest';
import { equalAnyBytes, equalMessages } from '../equal.ts';
import { hookTypes } from '../hook.ts';
import { encodeMessage } from '../write.ts';
import { isWellTyped, mapsOutOfOrder, recording, recordings, withMapsShuffled } from './index.ts';

const cluster = hookTypes.cluster;

describe('isWellTyped', () => {
  it.each(recordings)('%s is', (name) => {
    expect(isWellTyped(hookTypes.request, recording(name))).toBe(true);
  });

  it.each<{ name: string; bytes: number[]; want: boolean }>([
    { name: 'nothing', bytes: [], want: true },
    { name: 'text as text', bytes: [0x0a, 1, 0x61], want: true },
    { name: 'text as a number', bytes: [0x08, 1], want: false },
    { name: 'an enum as a number', bytes: [0x10, 1], want: true },
    { name: 'an enum as text', bytes: [0x12, 0], want: false },
    { name: 'a field that nobody knows', bytes: [0xf9, 0xff, 0x01, 1, 2, 3, 4, 5, 6, 7, 8], want: true },
    { name: 'wrong inside of a message', bytes: [0x22, 2, 0x0a, 0], want: false },
    { name: 'the key of a map as a number', bytes: [0xa2, 2, 2, 0x08, 1], want: false },
    { name: 'the value of a map as a number', bytes: [0xa2, 2, 2, 0x10, 1], want: false },
    { name: 'a map', bytes: [0xa2, 2, 5, 0x0a, 1, 0x61, 0x12, 0], want: true },
    { name: 'no message', bytes: [0x0a, 9], want: false },
  ])('$name → $want', ({ bytes, want }) => {
    expect(isWellTyped(cluster, Uint8Array.from(bytes))).toBe(want);
  });
});

describe('maps', () => {
  const one = encodeMessage(hookTypes.listener, {
    access_log: [
      {
        typed_config: {
          '@type': 'type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog',
          log_format: { json_format: { a: { c: 1, d: 2 }, b: 1 } },
        },
      },
    ],
  });
  const other = withMapsShuffled(hookTypes.listener, one, (items) => items.toReversed());

  it('shuffled say the same in other bytes', () => {
    expect(equalMessages(hookTypes.listener, one, other)).toBe(true);
    expect(equalAnyBytes(hookTypes.listener, one, other)).toBe(false);
  });

  it('out of order are seen at any depth', () => {
    expect(mapsOutOfOrder(hookTypes.listener, one)).toEqual([]);
    expect(mapsOutOfOrder(hookTypes.listener, other)).toEqual([
      ['d', 'c'],
      ['b', 'a'],
    ]);
  });

  it('outside of an Any do not count', () => {
    const metadata = encodeMessage(cluster, { metadata: { filter_metadata: { a: {}, b: {} } } });
    const reversed = withMapsShuffled(cluster, metadata, (items) => items.toReversed());
    expect(reversed).not.toEqual(metadata);
    expect(mapsOutOfOrder(cluster, reversed)).toEqual([]);
    expect(equalAnyBytes(cluster, metadata, reversed)).toBe(true);
  });
});
