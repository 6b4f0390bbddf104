/** M2: the end is that of the run without faults, and no more was made and deleted on the way than foreign deletes explain. */
import type { Finding } from '../oracles/oracle.ts';
import type { Scenario } from '../schedule/scenario.ts';
import type { Schedule } from '../schedule/step.ts';
import type { Outcome } from './run.ts';

export interface Twin {
  readonly end: string;
  /** It saw everything that happened, as it happened: no plane was away meanwhile. */
  readonly sawAll: boolean;
  /** So many acts came so close to the one before that only what both came to may have been seen. */
  readonly blurred: number;
  readonly signature: string;
  readonly made: ReadonlyMap<string, number>;
  readonly deleted: ReadonlyMap<string, number>;
}

/** Messages, and what follows them, take less. */
const closeMs = 1_000;

function blurred({ steps }: Schedule, about: Scenario['about']): number {
  const last = new Map<string, number>();
  let count = 0;
  for (const act of steps.filter((step) => step.step === 'act').toSorted((a, b) => Number(a.at) - Number(b.at))) {
    const what = about?.(act);
    if (what === undefined) continue;
    if (Number(act.at) - (last.get(what) ?? -closeMs) < closeMs) count++;
    last.set(what, Number(act.at));
  }
  return count;
}

export const twinFrom = (outcome: Outcome, { about }: Pick<Scenario, 'about'>): Twin => ({
  end: outcome.end(),
  sawAll: !outcome.fired.has('F21'),
  blurred: blurred(outcome.schedule, about),
  signature: outcome.signature,
  made: outcome.made,
  deleted: outcome.deleted,
});

/** Undefined when there is nothing to find. Only for runs that were healed, and whose planes lost nothing. */
export function differenceFromTwin(outcome: Outcome, twin: Twin): Finding | undefined {
  const message = endDifference(outcome.end(), twin.end) ?? (twin.sawAll ? surplus(outcome, twin) : undefined);
  return message === undefined ? undefined : { oracle: 'M2', app: 'all', message, at: outcome.virtualMs };
}

function endDifference(end: string, twin: string): string | undefined {
  if (end === twin) return undefined;
  const [here, there] = [end.split('\n'), twin.split('\n')];
  const extra = here.find((line) => !there.includes(line));
  const missing = there.find((line) => !here.includes(line));
  return `the end differs from the twin's: ${extra ?? '(nothing)'} instead of ${missing ?? '(nothing)'}`;
}

function surplus({ made, deleted, taken }: Outcome, twin: Twin): string | undefined {
  for (const [counts, plain, what] of [
    [made, twin.made, 'creates'],
    [deleted, twin.deleted, 'deletes'],
  ] as const)
    for (const [object, count] of counts) {
      const allowed = (plain.get(object) ?? 0) + (taken.get(object) ?? 0) + twin.blurred;
      if (count > allowed) return `${count} ${what} of ${object}, and the twin made do with ${allowed}`;
    }
  return undefined;
}
