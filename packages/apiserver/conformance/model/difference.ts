import type { JsonValue } from '@lifeline/core';
import { exactly, mismatches } from '../pattern.ts';
import type { Observation } from './normalise.ts';

/** How far two servers went the same way, and where they parted; undefined where they never did. For people. */
export function firstDifference(real: readonly Observation[], ours: readonly Observation[]): string | undefined {
  for (let index = 0; index < Math.max(real.length, ours.length); index++) {
    const [one, other] = [real[index], ours[index]];
    const faults = differences(one, other);
    if (faults.length === 0) continue;
    const before = real.slice(Math.max(0, index - 6), index).map(({ what, status }) => `      ${status} ${what}`);
    return [
      ...before,
      `  >>> ${one?.status ?? '-'} ${(one ?? other)?.what ?? ''}`,
      ...faults.map((fault) => `      ${fault}`),
    ].join('\n');
  }
  return undefined;
}

function differences(real: Observation | undefined, ours: Observation | undefined): readonly string[] {
  if (!real || !ours) return [`${real ? 'ours' : 'the real one'} says nothing here`];
  const faults = real.what === ours.what ? [] : [`ours: ${ours.what}`];
  if (real.status !== ours.status) faults.push(`status: real ${real.status}, ours ${ours.status}`);
  if (real.warnings !== ours.warnings)
    faults.push(`warnings: real ${real.warnings ?? 'none'}, ours ${ours.warnings ?? 'none'}`);
  return [...faults, ...bodyFaults(real.body, ours.body)];
}

/** Members that ours lacks or has otherwise, then those that it has on top. */
function bodyFaults(real: JsonValue, ours: JsonValue): readonly string[] {
  if (exactly(real)(ours) === undefined) return [];
  const lacks = mismatches(ours, real).map((fault) => `ours: ${fault}`);
  const extra = mismatches(real, ours).map((fault) => `real: ${fault}`);
  return lacks.length > 0 ? lacks : extra;
}
