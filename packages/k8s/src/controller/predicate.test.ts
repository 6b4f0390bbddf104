import { JsonNumber, type ConfigMap } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { configMap } from './fleet.fixture.ts';
import {
  allOf,
  annotationsChanged,
  anyOf,
  changed,
  deletionStarted,
  generationChanged,
  labelsChanged,
  type Predicate,
  type SoundEvent,
} from './predicate.ts';

const update = (old: ConfigMap, object: ConfigMap): SoundEvent<ConfigMap> => ({ type: 'updated', old, object });
const plain = configMap('a', { x: '1', y: '2' });

describe('predicates', () => {
  it.each<{ name: string; predicate: Predicate<ConfigMap>; to: ConfigMap; want: boolean }>([
    {
      name: 'changed: other content',
      predicate: changed(({ data }) => data),
      to: configMap('a', { x: '2', y: '2' }),
      want: true,
    },
    {
      name: 'changed: same content, other order',
      predicate: changed(({ data }) => data),
      to: configMap('a', { y: '2', x: '1' }),
      want: false,
    },
    {
      name: 'changed: what is not selected',
      predicate: changed(({ data }) => data),
      to: configMap('a', plain.data ?? {}, { labels: { a: 'b' } }),
      want: false,
    },
    { name: 'generation', predicate: generationChanged, to: configMap('a', {}, { generation: 2 }), want: true },
    {
      name: 'generation beyond doubles',
      predicate: generationChanged,
      to: configMap('a', {}, { generation: new JsonNumber('9007199254740993') }),
      want: true,
    },
    { name: 'generation, unmoved', predicate: generationChanged, to: configMap('a', { z: '9' }), want: false },
    { name: 'labels', predicate: labelsChanged, to: configMap('a', {}, { labels: { a: 'b' } }), want: true },
    { name: 'labels, empty for absent', predicate: labelsChanged, to: configMap('a', {}, { labels: {} }), want: false },
    {
      name: 'annotations',
      predicate: annotationsChanged,
      to: configMap('a', {}, { annotations: { a: 'b' } }),
      want: true,
    },
    {
      name: 'deletion',
      predicate: deletionStarted,
      to: configMap('a', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      want: true,
    },
    {
      name: 'any of two',
      predicate: anyOf(labelsChanged, generationChanged),
      to: configMap('a', {}, { generation: 2 }),
      want: true,
    },
    {
      name: 'all of two',
      predicate: allOf(labelsChanged, generationChanged),
      to: configMap('a', {}, { generation: 2 }),
      want: false,
    },
  ])('$name → $want', ({ predicate, to, want }) => {
    expect(predicate(update(plain, to))).toBe(want);
  });

  it('additions and deletions get through', () => {
    for (const predicate of [
      changed<ConfigMap>(({ data }) => data),
      generationChanged,
      labelsChanged,
      annotationsChanged,
      deletionStarted,
    ]) {
      expect(predicate({ type: 'added', object: plain })).toBe(true);
      expect(predicate({ type: 'deleted', object: plain })).toBe(true);
    }
  });
});
