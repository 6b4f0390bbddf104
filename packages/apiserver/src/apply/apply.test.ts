import { deepEqual, deepFreeze, type JsonObject } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ApiError } from '../api-error.ts';
import type { StoredObject } from '../resources/resource.ts';
import { applyConfiguration } from './apply.ts';
import { type FieldSet, intersection, isEmptySet, union } from './fields/field-set.ts';
import { type Owner, readOwners } from './owners.ts';
import { settle } from './settle.ts';
import { trackUpdate } from './track.ts';
import { specArbitrary, widget, widgets } from './widget.fixture.ts';

const author = (manager: string, second = 0) => ({
  manager,
  subresource: undefined,
  time: `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`,
  apiVersion: 'example.com/v1',
});

interface Applying {
  readonly manager: string;
  readonly spec: JsonObject;
  readonly force?: boolean;
  readonly second?: number;
}

const apply = (live: StoredObject | undefined, { manager, spec, force = false, second = 0 }: Applying): StoredObject =>
  deepFreeze(
    applyConfiguration({
      resource: widgets,
      live,
      applied: widget(Object.keys(spec).length > 0 ? { spec } : {}),
      author: author(manager, second),
      force,
    }),
  );

const ownersOf = ({ metadata }: StoredObject): readonly Owner[] => [
  ...(readOwners(metadata.managedFields as never)?.values() ?? []),
];

const fieldsOf = (object: StoredObject, manager: string): FieldSet =>
  ownersOf(object).find((owner) => owner.manager === manager)?.fields ?? {};

const withoutOwners = ({ metadata: { managedFields: _, ...metadata }, ...object }: StoredObject): unknown => ({
  ...object,
  metadata,
});

/** Some history, forced all along. */
const history = fc.array(fc.record({ manager: fc.constantFrom('one', 'two', 'three'), spec: specArbitrary }), {
  minLength: 1,
  maxLength: 4,
});
const after = (steps: readonly Applying[]): StoredObject =>
  steps.reduce<StoredObject | undefined>(
    (live, step) => apply(live, { ...step, force: true }),
    undefined,
  ) as StoredObject;

const runs = { seed: 404, numRuns: 150 };

describe('applyConfiguration', () => {
  it('is idempotent: the second time the object comes back as it was', () => {
    fc.assert(
      fc.property(history, specArbitrary, (steps, spec) => {
        const first = apply(after(steps), { manager: 'one', spec, force: true, second: 1 });
        const second = apply(first, { manager: 'one', spec, second: 2 });
        expect(settle(second, first)).toBe(first);
      }),
      runs,
    );
  });

  it('changes nothing that it was not told: what it is handed stays as it is', () => {
    fc.assert(
      fc.property(history, specArbitrary, (steps, spec) => {
        const live = after(steps);
        const before = structuredClone(live);
        apply(live, { manager: 'two', spec, force: true });
        expect(live).toEqual(before);
      }),
      runs,
    );
  });

  it('conflicts exactly where it would change a field of somebody else, and force ends all conflicts', () => {
    fc.assert(
      fc.property(history, specArbitrary, (steps, spec) => {
        const live = after(steps);
        const others = ownersOf(live).filter(({ manager }) => manager !== 'four');
        const forced = apply(live, { manager: 'four', spec, force: true });
        const lost = others.some(({ manager, fields }) => !deepEqual(fieldsOf(forced, manager), fields));
        let conflict: unknown;
        try {
          const polite = apply(live, { manager: 'four', spec });
          expect(polite).toEqual(forced);
        } catch (error) {
          conflict = error;
        }
        expect(conflict !== undefined).toBe(lost);
        if (lost) expect((conflict as ApiError).spec.code).toBe(409);
      }),
      runs,
    );
  });

  it('makes the applied values those of the object, and gives the applier what it said', () => {
    fc.assert(
      fc.property(history, specArbitrary, (steps, spec) => {
        const object = apply(after(steps), { manager: 'four', spec, force: true });
        const again = apply(object, { manager: 'five', spec });
        expect(withoutOwners(again)).toEqual(withoutOwners(object));
        expect(fieldsOf(again, 'five')).toEqual(fieldsOf(object, 'four'));
      }),
      runs,
    );
  });

  it('takes back exactly what nobody else owns, when an applier leaves everything out', () => {
    fc.assert(
      fc.property(specArbitrary, specArbitrary, (one, two) => {
        const both = after([
          { manager: 'one', spec: one },
          { manager: 'two', spec: two },
        ]);
        const alone = apply(both, { manager: 'one', spec: {} });
        // What is left is what the other one owns: nothing changes when it says so again.
        const mine = fieldsOf(both, 'two');
        expect(fieldsOf(alone, 'two')).toEqual(mine);
        const again = apply(alone, { manager: 'two', spec: two });
        expect(withoutOwners(again)).toEqual(withoutOwners(alone));
        const strangers = difference(alone, { manager: 'two', spec: two });
        expect(strangers).toEqual([]);
      }),
      runs,
    );
  });

  it('does not depend on who comes first, where appliers have nothing in common', () => {
    fc.assert(
      fc.property(specArbitrary, specArbitrary, (one, two) => {
        const rest = Object.fromEntries(Object.entries(two).filter(([key]) => !(key in one)));
        const steps = [
          { manager: 'one', spec: one },
          { manager: 'two', spec: rest },
        ];
        const [there, back] = [after(steps), after(steps.toReversed())];
        expect(back['spec']).toEqual(there['spec']);
        for (const manager of ['one', 'two']) expect(fieldsOf(back, manager)).toEqual(fieldsOf(there, manager));
      }),
      runs,
    );
  });
});

/** Fields of the object that this applier would not own, were it the only one. */
function difference(object: StoredObject, { manager, spec }: Applying): readonly string[] {
  const only = apply(undefined, { manager, spec });
  return deepEqual(object['spec'] ?? {}, only['spec'] ?? {}) ? [] : [JSON.stringify([object['spec'], only['spec']])];
}

describe('trackUpdate', () => {
  const update = (live: StoredObject | undefined, manager: string, spec: JsonObject): StoredObject =>
    deepFreeze(
      trackUpdate({
        resource: widgets,
        live,
        next: widget({ spec }, live ? { uid: 'u', managedFields: live.metadata.managedFields as never } : {}),
        author: author(manager),
      }),
    );

  it('gives every field to exactly one updater', () => {
    fc.assert(
      fc.property(fc.array(specArbitrary, { minLength: 1, maxLength: 4 }), (specs) => {
        const object = specs.reduce<StoredObject | undefined>(
          (live, spec, index) => update(live, `m${index}`, spec),
          undefined,
        ) as StoredObject;
        const owners = ownersOf(object);
        const one = update(undefined, 'all', specs.at(-1) ?? {});
        const all = owners.reduce<FieldSet>((set, { fields }) => union(set, fields), {});
        expect(all).toEqual(fieldsOf(one, 'all'));
        for (const [index, { fields }] of owners.entries()) {
          for (const other of owners.slice(index + 1)) {
            expect(isEmptySet(intersection(fields, other.fields))).toBe(true);
          }
        }
      }),
      runs,
    );
  });

  it('hands back the same object when nothing changes', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const live = after(steps);
        const next = deepFreeze({ ...live });
        expect(trackUpdate({ resource: widgets, live, next, author: author('late', 9) })).toBe(next);
      }),
      runs,
    );
  });

  it('shares what it does not change: entries of owners that lose nothing stay the same objects', () => {
    const live = after([
      { manager: 'one', spec: { size: 1 } },
      { manager: 'two', spec: { mode: 'a' } },
    ]);
    const next = widget(
      { spec: { size: 2, mode: 'a' } },
      { uid: 'u', managedFields: live.metadata.managedFields as never },
    );
    const tracked = trackUpdate({ resource: widgets, live, next, author: author('three') });
    const before = live.metadata.managedFields?.find(({ manager }) => manager === 'two');
    expect(before).toBeDefined();
    expect(tracked.metadata.managedFields?.find(({ manager }) => manager === 'two')).toBe(before);
  });
});
