/** The two forms of an Event: core/v1, in which it is stored, and events.k8s.io/v1. */
import { type JsonValue, setOwn } from '@lifeline/core';
import type { StoredObject } from '../resource.ts';

export const eventsGroup = 'events.k8s.io';

/** core/v1 → events.k8s.io/v1. What is not here is called alike. */
const publicNames: ReadonlyMap<string, string> = new Map([
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
]);

const coreNames: ReadonlyMap<string, string> = new Map(Array.from(publicNames, ([core, other]) => [other, core]));

/** As events.k8s.io/v1 has it, frozen. @param event as core/v1 has it, every field written that is written though it is empty */
export function publicEventOf(event: StoredObject): StoredObject {
  const { reportingComponent, reportingInstance, ...rest } = event;
  // Only core/v1 writes these two when they are empty.
  return renamed(
    {
      ...rest,
      ...(reportingComponent === '' ? {} : { reportingComponent }),
      ...(reportingInstance === '' ? {} : { reportingInstance }),
      apiVersion: `${eventsGroup}/v1`,
    },
    publicNames,
  );
}

/** As core/v1 has it, frozen. @param event as events.k8s.io/v1 has it, every field written that is written though it is empty */
export const coreEventOf = (event: StoredObject): StoredObject =>
  renamed({ reportingController: '', reportingInstance: '', ...event, apiVersion: 'v1' }, coreNames);

function renamed(event: Readonly<Record<string, unknown>>, names: ReadonlyMap<string, string>): StoredObject {
  const out: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(event)) setOwn(out, names.get(name) ?? name, value as JsonValue);
  return Object.freeze(out as StoredObject);
}
