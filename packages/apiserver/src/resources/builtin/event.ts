/** Events: one store, told in two ways. They are kept as core/v1 has them. */
import { type EpochMs, type JsonValue, utf8Bytes } from '@lifeline/core';
import type { Cause } from '../../api-error.ts';
import { subdomainProblems } from '../../dns-syntax.ts';
import { invalidValue, required, syntaxFlaws } from '../../field-error.ts';
import { ageOf } from '../../http/table/human-duration.ts';
import { labelKeyProblems } from '../../label-syntax.ts';
import type { Resource, StoredObject } from '../resource.ts';
import { builtinResource, column } from './builtin-resource.ts';
import { coreEventOf, eventsGroup, publicEventOf } from './event-forms.ts';
import { unchanged } from './immutable.ts';
import { pathSegmentProblems } from './path-segment.ts';
import { coreTypes } from './types/core.ts';
import { eventTypes } from './types/events.ts';

interface Reference {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldPath?: string;
}

interface Series {
  readonly count?: number;
  readonly lastObservedTime?: string | null;
}

/** As core/v1 has it. */
interface CoreEvent {
  readonly involvedObject: Reference;
  readonly reason?: string;
  readonly message?: string;
  readonly source: { readonly component?: string; readonly host?: string };
  readonly firstTimestamp: string | null;
  readonly lastTimestamp: string | null;
  readonly count?: number;
  readonly type?: string;
  readonly eventTime: string | null;
  readonly series?: Series;
  readonly action?: string;
  readonly reportingComponent: string;
  readonly reportingInstance: string;
}

const shape = {
  kind: 'Event',
  plural: 'events',
  namespaced: true,
  shortNames: ['ev'],
  allColumns: true,
  columns: [
    column('Last Seen', 'How long ago it last happened.'),
    column('Type', 'Normal or Warning.'),
    column('Reason', 'Why, in one word.'),
    column('Object', 'What it happened to.'),
    column('Subobject', 'What part of it.', 1),
    column('Source', 'Who says so.', 1),
    column('Message', 'What happened.'),
    column('First Seen', 'How long ago it first happened.', 1),
    column('Count', 'How often it happened.', 1),
    column('Name', 'What the event is called.', 1),
  ],
} as const;

const references = ['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'];

export const events: Resource = builtinResource({
  ...shape,
  types: coreTypes,
  cells: cellsOf,
  selectableFields: [
    ...references.map((field) => `.involvedObject.${field}`),
    ...['.reason', '.reportingComponent', '.source', '.type'],
  ],
  fieldText: (object, path) => (path === '.source' ? sourceOf(factsOf(object)) : undefined),
  strategy: {
    validate: (next) => flaws(next, 'reportingComponent'),
    nameProblems: pathSegmentProblems,
    createOnUpdate: true,
  },
});

export const publicEvents: Resource = builtinResource({
  ...shape,
  group: eventsGroup,
  types: eventTypes,
  cells: (object, now) => cellsOf(coreEventOf(object), now),
  selectableFields: [
    ...references.map((field) => `.regarding.${field}`),
    ...['.reason', '.reportingController', '.type'],
  ],
  strategy: {
    validate: (next, old) => strictFlaws(coreEventOf(next), old && coreEventOf(old)),
    nameProblems: pathSegmentProblems,
    createOnUpdate: true,
  },
  stored: { storedAs: events.id, fromStored: publicEventOf, toStored: coreEventOf },
});

/** Who reports the event, in the old words or in the new. */
const sourceOf = ({ source, reportingComponent }: CoreEvent): string => source.component || reportingComponent;

const factsOf = (object: StoredObject): CoreEvent => object as StoredObject & CoreEvent;

function cellsOf(object: StoredObject, now: EpochMs): readonly JsonValue[] {
  const event = factsOf(object);
  const { involvedObject: target, series, source } = event;
  const first = ageOf(event.firstTimestamp ?? event.eventTime, now);
  const last = series
    ? ageOf(series.lastObservedTime, now)
    : event.lastTimestamp
      ? ageOf(event.lastTimestamp, now)
      : first;
  const kind = (target.kind ?? '').toLowerCase();
  const component = source.component || event.reportingComponent;
  const instance = source.host || event.reportingInstance;
  return [
    last,
    event.type ?? '',
    event.reason ?? '',
    target.name ? `${kind}/${target.name}` : kind,
    target.fieldPath ?? '',
    instance === '' ? component : `${component}, ${instance}`,
    (event.message ?? '').trim(),
    first,
    series ? (series.count ?? 0) : event.count || 1,
    object.metadata.name ?? '',
  ];
}

/** What both ways hold an Event to. @param reporter how the field for the controller is called */
function flaws(object: StoredObject, reporter: string): readonly Cause[] {
  const event = factsOf(object);
  const { namespace: target = '' } = event.involvedObject;
  const { namespace = '' } = object.metadata;
  const elsewhere = invalidValue('involvedObject.namespace', target, 'does not match event.namespace');
  if (event.eventTime === null) {
    const fits = target === '' ? ['', 'default'].includes(namespace) : target === namespace;
    return fits ? [] : [elsewhere];
  }
  const controller = event.reportingComponent;
  return [
    ...(target === '' && !['default', 'kube-system'].includes(namespace) ? [elsewhere] : []),
    ...(controller === '' ? [required(reporter)] : []),
    ...syntaxFlaws(reporter, controller, labelKeyProblems),
    ...wordFlaws('reportingInstance', event.reportingInstance),
    ...wordFlaws('action', event.action),
    ...wordFlaws('reason', event.reason),
    ...lengthFlaws('message', event.message, 1024),
  ];
}

const wordFlaws = (field: string, text = ''): readonly Cause[] => [
  ...(text === '' ? [required(field)] : []),
  ...lengthFlaws(field, text, 128),
];

const lengthFlaws = (field: string, text: string | undefined, limitBytes: number): readonly Cause[] =>
  utf8Bytes(text ?? '') > limitBytes ? [invalidValue(field, '', `can have at most ${limitBytes} characters`)] : [];

/** What events.k8s.io holds an Event to: nothing of the old way, and nothing but its series changes. */
function strictFlaws(next: StoredObject, old: StoredObject | undefined): readonly Cause[] {
  const basic = flaws(next, 'reportingController');
  return [...basic, ...(old ? changeFlaws(next, old) : [...nameFlaws(next), ...newFlaws(factsOf(next))])];
}

const nameFlaws = ({ metadata: { name } }: StoredObject): readonly Cause[] =>
  syntaxFlaws('metadata.name', name, subdomainProblems);

function newFlaws(event: CoreEvent): readonly Cause[] {
  const { eventTime, type = '', source } = event;
  const unset = (field: string, set: unknown): readonly Cause[] =>
    set ? [invalidValue(field, '', 'needs to be unset')] : [];
  return [
    ...seriesFlaws(event.series),
    ...(eventTime === null ? [required('eventTime')] : []),
    ...(['Normal', 'Warning'].includes(type) ? [] : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...unset('firstTimestamp', event.firstTimestamp),
    ...unset('lastTimestamp', event.lastTimestamp),
    ...unset('count', event.count),
    ...unset('source', source.component ?? source.host),
  ];
}

function seriesFlaws(series: Series | undefined): readonly Cause[] {
  if (series === undefined) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [required('series.lastObservedTime')]),
  ];
}

function changeFlaws(next: StoredObject, old: StoredObject): readonly Cause[] {
  const series = unchanged('series', next['series'], old['series']);
  return [
    ...(series.length > 0 ? seriesFlaws(factsOf(next).series) : []),
    ...fixed.flatMap((field) => {
      const name = field === 'reportingComponent' ? 'reportingController' : field;
      return unchanged(name, next[field], old[field]);
    }),
  ];
}

const fixed = [
  // The reason twice, as a real server has it.
  ...['involvedObject', 'reason', 'message', 'source', 'firstTimestamp', 'lastTimestamp', 'count', 'reason', 'type'],
  ...['eventTime', 'action', 'related', 'reportingComponent', 'reportingInstance'],
];
