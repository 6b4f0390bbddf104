/** How the demo looks: aligned, within 100 columns, with no colour unless asked for. */
import type { DurationMs, MonotonicMs } from '@lifeline/core';
import type { Moment } from './moment.ts';

/** What stands out, and what steps back. */
export interface Style {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

export const plain: Style = { strong: (text) => text, faint: (text) => text };

/** For terminals. */
export const coloured: Style = {
  strong: (text) => `\u001b[1m${text}\u001b[22m`,
  faint: (text) => `\u001b[2m${text}\u001b[22m`,
};

export const pageWidth = 100;
const timeWidth = 10;
const tookWidth = 8;

/** `12.345 s`, for the left column. */
export const instant = (at: MonotonicMs): string => `${(at / 1000).toFixed(3)} s`;

/** `23 ms`, `17.4 s`, `60 s`. */
export const duration = (ms: DurationMs): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`;

/** Causes stand at the margin; effects are indented and end with the time since their cause, which stands further left. */
export function momentLine(moment: Moment, { faint }: Style): string {
  const took = 'tookMs' in moment ? duration(moment.tookMs) : '';
  const text = `${'  '.repeat(depthOf(moment))}${sentence(moment)}`;
  const left = instant(moment.at).padStart(timeWidth);
  const filler = ' '.repeat(Math.max(1, pageWidth - timeWidth - 2 - text.length - tookWidth));
  return `${faint(left)}  ${text}${took && `${filler}${took.padStart(tookWidth)}`}`;
}

/** What planes read comes of what the project says, which came of something itself. */
function depthOf(moment: Moment): number {
  if (moment.what === 'reads' || moment.what === 'routes') return 2;
  return 'tookMs' in moment ? 1 : 0;
}

/** Two columns. */
export const pair = (left: string, right: string): string => `  ${left.padEnd(52)}${right}`;

function sentence(moment: Moment): string {
  switch (moment.what) {
    case 'join':
      return `Karmada runs over the hub; ${moment.edges.join(' and ')} join it`;
    case 'member ready':
      return `${moment.edge} is a ready member`;
    case 'replicas start':
      return `replicas ${moment.replicas.join(' and ')} of the hub replicator start`;
    case 'holds':
      return `${moment.replica} holds ${shardsText(moment.shards)}: it looks after ${projectsText(moment.projects)}`;
    case 'create':
      return `${moment.kind} ${moment.key} is created in ${moment.project}`;
    case 'ready':
      return `${moment.project} says Ready ${moment.status}: ${moment.reason}`;
    case 'reads':
      return `${moment.plane} reads the connector of ${moment.project} as ${moment.verdict}`;
    case 'routes':
    case 'serves':
      return `Envoy in ${moment.edge} for ${moment.hostname} of ${moment.project}: ${moment.route}`;
    case 'servers start':
      return `extension servers ${moment.servers.join(', ')} start`;
    case 'arrives':
      return `${moment.plane} has it from ${moment.project}: ${moment.hostname}, Backend at ${moment.backend}`;
    case 'untouched':
      return `meanwhile the copies of ${moment.project} were written ${moment.writes} times`;
    case 'agent starts':
      return `the agent in ${moment.project} starts: it renews its Lease every ${duration(moment.everyMs)}`;
    case 'agent silent':
      return `the agent in ${moment.project} falls silent, ${duration(moment.sinceRenewalMs)} after it renewed its Lease`;
    case 'meddle':
      return `the copy of ${moment.project} in the hub is annotated by hand, as ${moment.verdict}`;
    case 'restored':
      return `hub reads the connector of ${moment.project} as ${moment.verdict} again`;
    case 'rest':
      return `for ${duration(moment.forMs)} nobody does anything`;
    case 'wrote':
      return [
        `written: Leases ${moment.leases} times, the watermark ${moment.watermarks}`,
        `what carries it ${moment.carrying}`,
        `all else ${moment.others}`,
      ].join(', ');
    case 'kill':
      return `${moment.replica} is killed, with ${shardsText(moment.shards)}: it looked after ${projectsText(moment.projects)}`;
    case 'edit':
      return `HTTPProxy ${moment.key} in ${moment.project} is edited: it is for ${moment.hostname}`;
    case 'takes':
      return `${moment.replica} has shard ${moment.shard}: it looks after ${moment.project}`;
    case 'unmoved':
      return [
        `Ready stayed ${moment.ready.map(({ project, status }) => `${status} in ${project}`).join(', ')}:`,
        `${moment.writes} writes of Connectors`,
      ].join(' ');
    case 'delete':
      return `Connector ${moment.key} in ${moment.project} is deleted; finalizers that hold it: ${moment.finalizers.length}`;
    case 'gone':
      return moment.plane === moment.project
        ? `the finalizer is released: ${moment.project} has let go`
        : `the copy of ${moment.project} is gone from ${moment.plane}`;
    case 'stop':
      return `hub replicator ${moment.replicas.join(' and ')}, all beside it and Karmada are asked to stop`;
    case 'stopped':
      return `stopped, the shards given back; left behind: ${moment.timers} timers, ${moment.watches} watches`;
  }
}

const shardsText = (shards: readonly number[]): string =>
  shards.length === 0 ? 'no shards' : `shards ${shards.join(', ')}`;

const projectsText = (projects: readonly string[]): string => projects.join(' and ') || 'no project';
