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

/** Causes stand at the margin; effects are indented and end with the time since their cause. */
export function momentLine(moment: Moment, { faint }: Style): string {
  const took = 'tookMs' in moment ? duration(moment.tookMs) : '';
  const text = `${took ? '  ' : ''}${sentence(moment)}`;
  const left = instant(moment.at).padStart(timeWidth);
  const filler = ' '.repeat(Math.max(1, pageWidth - timeWidth - 2 - text.length - tookWidth));
  return `${faint(left)}  ${text}${took && `${filler}${took.padStart(tookWidth)}`}`;
}

/** Two columns. */
export const pair = (left: string, right: string): string => `  ${left.padEnd(52)}${right}`;

function sentence(moment: Moment): string {
  switch (moment.what) {
    case 'join':
      return `Karmada runs over the hub; ${moment.edges.join(' and ')} join it`;
    case 'member ready':
      return `${moment.edge} is a ready member`;
    case 'policy':
      return `PropagationPolicy ${moment.policy} is created in the hub`;
    case 'replicas start':
      return `replicas ${moment.replicas.join(', ')} of the app start`;
    case 'leads':
      return `${moment.replica} holds the Lease in the hub: it leads`;
    case 'create':
      return `ConfigMap default/settings is created in ${moment.project}: value ${moment.value}`;
    case 'edit':
      return `default/settings in ${moment.project} is edited: value ${moment.value}`;
    case 'says':
      return `${moment.plane} has the copy of ${moment.project}: it says ${moment.value}`;
    case 'meddle':
      return `the copy of ${moment.project} in ${moment.edge} is edited there: value ${moment.value}`;
    case 'annotate':
      return `Connector ${moment.connector} is applied to the hub, annotated as ${moment.verdict}`;
    case 'reads':
      return `${moment.edge} reads it as ${moment.verdict}`;
    case 'proxy':
      return `HTTPProxy ${moment.proxy} is created in the hub`;
    case 'proxy arrives':
      return `${moment.edge} has it`;
    case 'status':
      return `its status is written in ${moment.edge}: address ${moment.address}`;
    case 'reported':
      return `the ResourceBinding in the hub has it: ${moment.edge} says ${moment.address}`;
    case 'rest':
      return `after ${duration(moment.forMs)} of rest: the Lease renewed ${moment.renewals} times, ${moment.otherWrites} other writes`;
    case 'kill':
      return `${moment.replica}, which leads, is killed: the Lease is not given back`;
    case 'delete':
      return `default/settings in ${moment.project} is to be deleted, held by ${moment.finalizers.join(', ') || 'nothing'}`;
    case 'gone':
      return moment.plane === moment.project
        ? `the finalizer is taken away: ${moment.project} has let go`
        : `the copy of ${moment.project} is gone from ${moment.plane}`;
    case 'stop':
      return `${moment.replicas.join(' and ')} are asked to stop, and Karmada`;
    case 'stopped':
      return `stopped, the Lease given back; left behind: ${moment.timers} timers, ${moment.watches} watches`;
  }
}
