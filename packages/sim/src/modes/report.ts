/** What a failure says: enough to see it, and one command to see it again. */
import { keyOf, stringifyJson } from '@lifeline/core';
import { oracleEntry } from '../oracles/catalogue.ts';
import { placeOf } from '../oracles/subject.ts';
import type { Finding } from '../oracles/oracle.ts';
import { formatStep } from '../schedule/step.ts';
import type { Sent, Write } from '../world/record.ts';
import { whatOf } from '../world/record.ts';
import type { World } from '../world/world.ts';
import type { Outcome } from './run.ts';

export interface Failure {
  readonly seed: number;
  /** Of the shortest schedule that still fails. */
  readonly outcome: Outcome;
  /** Steps before it was shortened. */
  readonly from: number;
  readonly runs: number;
  /** The command that runs it again. */
  readonly again: string;
}

export function formatFailure({ seed, outcome, from, runs, again }: Failure): string {
  const { findings, schedule, world } = outcome;
  const [first] = findings;
  const write = firstBadWrite(findings);
  return [
    `seed ${seed}: ${first ? formatFinding(first) : 'nothing'}`,
    ...findings.slice(1, 6).map((finding) => `  and ${formatFinding(finding)}`),
    ...(write ? formatWrite(write, world) : []),
    `  ${schedule.steps.length} of ${from} steps are left, after ${runs} runs:`,
    ...schedule.steps.map((step) => `    ${formatStep(step)}`),
    `  again: ${again}`,
    '  the last of what happened:',
    ...world.trace.tail(25).split('\n').map(indented),
    '  the last of what was logged:',
    ...world.logs.lines().slice(-10).map(indented),
  ].join('\n');
}

const indented = (line: string): string => `    ${line}`;

export const formatFinding = ({ oracle, app, message, at }: Finding): string =>
  `${oracle} ${oracleEntry(oracle).name} (${app}, at ${at} ms): ${message}`;

const firstBadWrite = (findings: readonly Finding[]): Write | undefined =>
  findings.find(({ write }) => write !== undefined)?.write;

/** A write, and what its process had learned of the objects that it names. */
export function formatWrite({ by, plane, revision, at }: Write, world: World): string[] {
  const { type, object } = revision;
  const lines = [
    `  first bad write, at ${at} ms: ${type} ${placeOf(plane, keyOf(object))} at revision ${revision.revision}`,
  ];
  if (!by) return lines;
  lines.push(`    by ${by.actor}.${by.incarnation}, request #${by.seq}: ${whatOf(by)}`);
  return [...lines, ...causes(by, revision.object, world)];
}

/** Reads of the process that name what the write names: by uid, or by name. */
function causes(by: Sent, object: Write['revision']['object'], world: World): string[] {
  const text = by.request.url + stringifyJson(object);
  return world.deliveries
    .readsOf(by)
    .filter(({ uid, key }) => (uid !== undefined && text.includes(uid)) || text.includes(key.replace(/^.*\//, '')))
    .slice(-6)
    .map(
      ({ at, how, plane, kind, key, uid, resourceVersion }) =>
        `    it had read, at ${at} ms: ${how} ${kind} ${placeOf(plane, key)}, uid ${uid}, revision ${resourceVersion}`,
    );
}
