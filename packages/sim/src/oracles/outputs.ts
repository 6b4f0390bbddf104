/** L1 to L6: out = f(in), for whatever outputs an app declares under the oracle. */
import { canonicalJson, deepEqual, isDeleting, keyOf } from '@lifeline/core';
import type { OracleId } from './catalogue.ts';
import type { Oracle, OracleContext } from './oracle.ts';
import { type Output, placeOf } from './subject.ts';

const outputOracle = (id: Output['oracle']): Oracle => ({
  id,
  has: ({ outputs }) => outputs?.some(({ oracle }) => oracle === id) === true,
  attach: (context) => ({ pending: () => differences(id, context) }),
});

function differences(id: OracleId, { subject, truth }: OracleContext): string[] {
  return (subject.outputs ?? [])
    .filter(({ oracle }) => oracle === id)
    .flatMap((output) => {
      const want = output.want(truth);
      const have = output.have(truth);
      const names = [...new Set([...want.keys(), ...have.keys()])];
      return names
        .filter((name) => !deepEqual(want.get(name), have.get(name)))
        .map((name) => `${name}: ${text(have, name)}, and should be ${text(want, name)}`);
    });
}

const text = (values: ReadonlyMap<string, unknown>, name: string): string => {
  const value = values.get(name);
  return value === undefined ? 'absent' : canonicalJson(value).slice(0, 300);
};

export const copied = outputOracle('L1');
export const annotated = outputOracle('L2');
export const programmed = outputOracle('L3');
export const statusHome = outputOracle('L4');
export const rolled = outputOracle('L6');

/** Beside what the app declares: nothing waits for a finalizer of the app's. */
export const released: Oracle = {
  id: 'L5',
  has: ({ finalizers, outputs }) =>
    (finalizers?.length ?? 0) > 0 || outputs?.some(({ oracle }) => oracle === 'L5') === true,
  attach: (context) => ({ pending: () => [...differences('L5', context), ...held(context)] }),
};

function held({ subject, truth }: OracleContext): string[] {
  const ours = subject.finalizers ?? [];
  // Named, so that who cannot reach them is not blamed.
  const { planes = [], authorities = [] } = subject.copies ?? {};
  const needs = planes.length > 0 ? `, for copies in ${[...planes, ...authorities].join()}` : '';
  const kinds = [...new Map(subject.writes.map(({ kind }) => [kind.id, kind])).values()];
  return [...truth.planes].flatMap(({ name, api }) =>
    kinds.flatMap((kind) =>
      api
        .objects(kind)
        .filter((object) => isDeleting(object) && object.metadata.finalizers?.some((each) => ours.includes(each)))
        .map((object) => `${placeOf(name, keyOf(object))} was deleted, and our finalizer holds it${needs}`),
    ),
  );
}
