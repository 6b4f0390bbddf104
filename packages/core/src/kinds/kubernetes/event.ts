import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject, time } from '../schema.ts';

/** `v1.ObjectReference`. */
const reference = fields({
  apiVersion: z.string().nullish(),
  kind: z.string().nullish(),
  namespace: z.string().nullish(),
  name: z.string().nullish(),
  uid: z.string().nullish(),
  resourceVersion: z.string().nullish(),
  fieldPath: z.string().nullish(),
});

const schema = kubeObject({
  /** Microseconds. Null on events that came in through the core group. */
  eventTime: time.nullish(),
  series: fields({ count: int32, lastObservedTime: time.nullish() }).nullish(),
  reportingController: z.string().nullish(),
  reportingInstance: z.string().nullish(),
  action: z.string().nullish(),
  reason: z.string().nullish(),
  regarding: reference.nullish(),
  related: reference.nullish(),
  /** At most 1,024 bytes. */
  note: z.string().nullish(),
  /** `Normal` or `Warning`. */
  type: z.string().nullish(),
  deprecatedCount: int32.nullish(),
  deprecatedFirstTimestamp: time.nullish(),
  deprecatedLastTimestamp: time.nullish(),
});

/** Something that happened to an object, told to its users. `Event` of `events.k8s.io`; `Event` is also a global of the web. */
export type KubeEvent = z.infer<typeof schema>;
export const KubeEvent = defineKind<KubeEvent>({
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
  shortNames: ['ev'],
  statusSubresource: false,
  printerColumns: [
    { name: 'Type', type: 'string', jsonPath: '.type' },
    { name: 'Reason', type: 'string', jsonPath: '.reason' },
    { name: 'Object', type: 'string', jsonPath: '.regarding.name' },
    { name: 'Note', type: 'string', jsonPath: '.note' },
    ageColumn,
  ],
  selectableFields: [
    '.reason',
    '.regarding.apiVersion',
    '.regarding.fieldPath',
    '.regarding.kind',
    '.regarding.name',
    '.regarding.namespace',
    '.regarding.resourceVersion',
    '.regarding.uid',
    '.reportingController',
    '.type',
  ],
  schema,
});
