/** Where the parts of a hook request stand, by offset into its bytes. Nothing is decoded. */
import type { Slice } from '../wire/text.ts';
import type { AnsweredVirtualHost } from './draft.ts';
import type { SeenGateway } from './editor.ts';
import { receivedField, type ResourceTable } from './resource-table.ts';

/** Bytes `from` to before `to`; of a resource: its payload, without tag and length. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The value of a field, and where the field begins, tag and length included. */
export interface Field extends Span {
  readonly start: number;
}

/** Resources that stand one after the other as they stood in the request before, byte for byte; or one that did not. */
export interface Run extends Field {
  /** Of the first, in the {@link ResourceTable} of the last answer; -1 for one that is not there. */
  readonly held: number;
  /** At least 1. Other places than `end` are those of the first. */
  readonly count: number;
  /** Where the last ends. */
  readonly end: number;
}

/** Whom a virtual host belongs to; undefined where its metadata does not say. */
export interface VirtualHostOwner {
  readonly gateway: Omit<SeenGateway, 'stamp'> | undefined;
  /** Undefined for none. */
  readonly stamp: string | undefined;
}

export interface VirtualHostRun extends Run {
  /** The place of the first among all virtual hosts of the request, from 0. */
  readonly ordinal: number;
  /** Of one that is not held. */
  readonly owner: VirtualHostOwner | undefined;
}

/** A virtual host by itself. */
export interface VirtualHostPart extends Slice {
  readonly ordinal: number;
  readonly gateway: VirtualHostOwner['gateway'];
}

export interface RouteConfigurationPart extends Slice {
  readonly runs: readonly VirtualHostRun[];
}

/** Each list in the order of the request. */
export interface RequestParts {
  readonly bytes: Uint8Array;
  readonly clusters: readonly Run[];
  readonly secrets: readonly Slice[];
  readonly listeners: readonly Slice[];
  readonly routeConfigurations: readonly RouteConfigurationPart[];
  readonly virtualHostCount: number;
  /** Those that virtual hosts belong to, each once. The very list of the request before, where all of them are the same. */
  readonly gateways: readonly SeenGateway[];
  /** Which answer the runs are of: after another one they mean nothing. */
  readonly generation: number;
  /** What the runs of virtual hosts are held in. */
  readonly heldVirtualHosts: ResourceTable<AnsweredVirtualHost>;
}

/** The virtual hosts of a RouteConfiguration, one by one. */
export function* virtualHostsOf(
  { bytes, runs }: RouteConfigurationPart,
  held: ResourceTable<AnsweredVirtualHost>,
): Iterable<VirtualHostPart> {
  for (const run of runs) {
    const { ordinal, from, to, owner } = run;
    if (run.held < 0) {
      yield { bytes, from, to, ordinal, gateway: owner?.gateway };
      continue;
    }
    const by = run.start - held.receivedStart(run.held);
    for (let i = 0; i < run.count; i++) {
      const number = run.held + i;
      const { gateway } = held.item(number).owner;
      yield { bytes, ...receivedField(held, number, by), ordinal: ordinal + i, gateway };
    }
  }
}

/** Whether resources are all that are held, in their order, and no others. @param runs of all of them */
export function areTheHeld(runs: Iterable<Run>, size: number): boolean {
  let next = 0;
  for (const { held, count } of runs) {
    if (held !== next) return false;
    next += count;
  }
  return next === size;
}
