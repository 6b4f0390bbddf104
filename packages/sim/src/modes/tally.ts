/** What a batch was worth: which faults fired, and which mattered. */
import { type FaultId, faultCatalogue } from '../faults/catalogue.ts';
import type { Outcome } from './run.ts';
import type { Twin } from './twin.ts';

export interface Tally {
  schedules: number;
  canaries: number;
  replays: number;
  virtualMs: number;
  readonly fired: Map<FaultId, number>;
  /** Runs in which a fault alone changed what was written. */
  readonly mattered: Map<FaultId, number>;
}

/** The sum of several. */
export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = emptyTally();
  for (const { schedules, canaries, replays, virtualMs, fired, mattered } of tallies) {
    sum.schedules += schedules;
    sum.canaries += canaries;
    sum.replays += replays;
    sum.virtualMs += virtualMs;
    for (const [id, count] of fired) sum.fired.set(id, (sum.fired.get(id) ?? 0) + count);
    for (const [id, count] of mattered) sum.mattered.set(id, (sum.mattered.get(id) ?? 0) + count);
  }
  return sum;
}

export const emptyTally = (): Tally => ({
  schedules: 0,
  canaries: 0,
  replays: 0,
  virtualMs: 0,
  fired: new Map(),
  mattered: new Map(),
});

const isInTwin: ReadonlySet<FaultId> = new Set(faultCatalogue.filter(({ inTwin }) => inTwin).map(({ id }) => id));

/** Counts a run in. */
export function count(tally: Tally, { fired, signature, virtualMs }: Outcome, twin: Twin): void {
  tally.schedules++;
  tally.virtualMs += virtualMs;
  for (const id of fired.keys()) tally.fired.set(id, (tally.fired.get(id) ?? 0) + 1);
  const injected = [...fired.keys()].filter((id) => !isInTwin.has(id));
  const [only] = injected;
  if (injected.length === 1 && only && signature !== twin.signature)
    tally.mattered.set(only, (tally.mattered.get(only) ?? 0) + 1);
}

/** M5: faults that never fired, or never mattered; those named are left out. */
export function vacuous({ fired, mattered }: Tally, without: readonly FaultId[] = []): string[] {
  return faultCatalogue
    .filter(({ id }) => !without.includes(id))
    .flatMap(({ id, name, inTwin }) => {
      if (!fired.has(id)) return [`${id} ${name} never fired`];
      return inTwin || mattered.has(id) ? [] : [`${id} ${name} never mattered`];
    });
}
