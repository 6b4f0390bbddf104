import { ConfigMap, Lease } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import {
  ControllerError,
  type ControllerSpec,
  defineController,
  ensureUniqueNames,
  type WriteRight,
} from './define-controller.ts';
import { FakeProvider } from './fleet.fixture.ts';
import { self } from './mapper.ts';
import { soonest } from './request.ts';
import { watch } from './watch.ts';

const hub = new FakeProvider('hub');
const edge = new FakeProvider('edge');
const right: WriteRight = { plane: 'hub', kind: ConfigMap, verbs: ['apply'], fields: ['data'], owner: 'test' };
const spec: ControllerSpec = {
  name: 'mirror',
  watches: [watch(hub, ConfigMap, { mapper: self })],
  writes: [right],
  reconcile: () => Promise.resolve(),
};

describe('defineController', () => {
  it('fills in what was left out', () => {
    expect(defineController(spec)).toMatchObject({ workers: 4, floorMs: 600_000, deadlineMs: 60_000 });
    expect(defineController({ ...spec, workers: 1, floorMs: 5, deadlineMs: undefined })).toMatchObject({
      workers: 1,
      floorMs: 5,
      deadlineMs: 60_000,
    });
    expect(Object.isFrozen(defineController(spec))).toBe(true);
  });

  it('takes a kind in two planes, two kinds in one, and a row that only deletes', () => {
    const watches = [
      watch(hub, ConfigMap, { mapper: self }),
      watch(edge, ConfigMap, { mapper: self }),
      watch(hub, Lease, { mapper: self }),
    ];
    expect(() =>
      defineController({ ...spec, watches, writes: [{ ...right, verbs: ['delete'], fields: [] }] }),
    ).not.toThrow();
  });

  it.each<{ change: Partial<ControllerSpec>; says: string }>([
    { change: { name: 'Mirror' }, says: 'the name is not kebab-case' },
    { change: { watches: [] }, says: 'it watches nothing' },
    {
      change: { watches: [...spec.watches, watch(hub, ConfigMap, { mapper: self })] },
      says: 'it watches ConfigMap in plane hub twice',
    },
    { change: { writes: [{ ...right, owner: '' }] }, says: 'no owner' },
    { change: { writes: [{ ...right, plane: '' }] }, says: 'no plane' },
    { change: { writes: [{ ...right, verbs: [] }] }, says: 'no verbs' },
    { change: { writes: [{ ...right, fields: [] }] }, says: 'no fields' },
    { change: { writes: [{ ...right, fields: ['data', 'a..b'] }] }, says: '"a..b" is not a path' },
    { change: { reads: [{ plane: '', kind: ConfigMap }] }, says: 'reads of ConfigMap: no plane' },
    { change: { events: [''] }, says: 'events: no plane' },
    { change: { workers: 0 }, says: 'workers is 0' },
    { change: { workers: 1.5 }, says: 'workers is 1.5' },
    { change: { floorMs: Number.NaN }, says: 'floorMs is NaN' },
    { change: { deadlineMs: -1 }, says: 'deadlineMs is -1' },
  ])('refuses: $says', ({ change, says }) => {
    expect(() => defineController({ ...spec, ...change })).toThrow(ControllerError);
    expect(() => defineController({ ...spec, ...change })).toThrow(says);
  });

  it('says everything that is wrong at once', () => {
    expect(() => defineController({ ...spec, watches: [], workers: 0 })).toThrow(/watches nothing; workers is 0/);
  });

  it('names are unique in an app', () => {
    const other = defineController({ ...spec, name: 'other' });
    expect(() => ensureUniqueNames([defineController(spec), other])).not.toThrow();
    expect(() => ensureUniqueNames([defineController(spec), other, defineController(spec)])).toThrow(
      'two controllers are called mirror',
    );
  });
});

describe('soonest', () => {
  it.each([
    { results: [], want: {} },
    { results: [undefined, {}], want: {} },
    { results: [{ after: 30 }, undefined, { after: 10 }], want: { after: 10 } },
  ])('$results', ({ results, want }) => {
    expect(soonest(...results)).toEqual(want);
  });
});
