/** What it took, by the logs of our apps: they go on where a restarted process begins. */
import { readdirSync, readFileSync } from 'node:fs';
import { describeError, type DurationMs } from '@lifeline/core';
import { expect } from 'vitest';
import { rejectedUpdates } from './envoys.fixture.ts';
import { type Edge, file, servedEdges } from './harness/names.ts';

/** The forms that the edges have. @see harness/edge.ts */
const forms: Readonly<Record<Edge, string>> = {
  'edge-1': 'merged Gateways, V2 names',
  'edge-2': 'an Envoy a Gateway, V1 names',
};

export interface Line {
  readonly outcome?: string;
  readonly duration_ms?: DurationMs;
}

/** What apps at an edge have logged under a message, by process. */
export function said(edge: Edge, msg: string): ReadonlyMap<string, readonly Line[]> {
  const isOurs = (name: string): boolean => name.startsWith('edge-') && name.includes(`-${edge}`);
  const logs = readdirSync(file('logs')).filter(isOurs);
  return new Map(
    logs.map((log) => {
      const lines = readFileSync(file('logs', log), 'utf8').split('\n');
      const said = lines.filter((line) => line.endsWith(`"msg":"${msg}"}`)).map((line) => JSON.parse(line) as Line);
      return [log.replace(/\.log$/, ''), said];
    }),
  );
}

const stamps = (edge: Edge): readonly Line[] => [...said(edge, 'stamped').values()].flat();
export const hookCalls = (edge: Edge): readonly Line[] => [...said(edge, 'PostTranslateModify').values()].flat();

const counts = () => servedEdges.map((edge) => ({ edge, stamps: stamps(edge).length, calls: hookCalls(edge).length }));

/**
 * Plays, and says in which form it was and what it took: of what plays at the same time as well. No Envoy has refused an update.
 *
 * @throws Error with the name of what did not end well
 */
export async function played(name: string, play: () => Promise<void>): Promise<void> {
  const before = counts();
  await play().catch((error: unknown) => {
    throw new Error(`${name}: ${describeError(error)}`, { cause: error });
  });
  const rejected = await rejectedUpdates();
  const took = counts().map(({ edge, stamps, calls }, at) => {
    const was = before[at] ?? { stamps: 0, calls: 0 };
    return `${edge} (${forms[edge]}): ${stamps - was.stamps} stamps, ${calls - was.calls} hook calls`;
  });
  console.log(`${name}: ${took.join('; ')}; updates refused: ${Object.keys(rejected).length}`);
  expect(rejected).toEqual({});
}
