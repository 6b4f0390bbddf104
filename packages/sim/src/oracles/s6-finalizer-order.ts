import { isDeleting, keyOf, type KubeObject } from '@lifeline/core';
import type { OracleContext, OwnWrite, Oracle } from './oracle.ts';
import { placeOf } from './subject.ts';

export const finalizerOrder: Oracle = {
  id: 'S6',
  has: ({ finalizers }) => finalizers !== undefined && finalizers.length > 0,
  attach: (context) => ({
    ownWrite: (write) => {
      for (const fault of faultsOf(write, context))
        context.report(`${placeOf(write.plane, keyOf(write.revision.object))}: ${fault}`, write);
    },
  }),
};

const finalizersOf = (object: KubeObject | undefined): readonly string[] => object?.metadata.finalizers ?? [];

function* faultsOf(write: OwnWrite, { subject, truth }: OracleContext): Generator<string, void> {
  const { type, object, previous } = write.revision;
  const before = finalizersOf(previous);
  const after = type === 'DELETED' ? [] : finalizersOf(object);
  const isOurs = (finalizer: string): boolean => subject.finalizers?.includes(finalizer) === true;
  const lost = before.filter((finalizer) => !after.includes(finalizer));
  const gained = after.filter((finalizer) => !before.includes(finalizer));
  // A delete takes nobody's finalizer away: the server waits for it.
  const foreign = [...lost, ...gained].find((finalizer) => !isOurs(finalizer));
  if (foreign) yield `it ${lost.includes(foreign) ? 'removed' : 'added'} the finalizer ${foreign} of somebody else`;
  if (previous && isDeleting(previous) && gained.some(isOurs)) yield 'it added its finalizer to what is dying';
  if (!previous || !lost.some(isOurs)) return;
  const left = subject.copies?.copiesOf({ plane: write.plane, object: previous }, truth)[0];
  if (left) yield `it let go while ${placeOf(left.plane, keyOf(left.object))} is left`;
}
