/** `events.k8s.io/v1`. */
import { coreTypes } from './core.ts';
import { metaTypes } from './meta.ts';
import { TypeTable } from './type-table.ts';

export const eventTypes = new TypeTable(
  `
Event : Something that happened to an object. Kept for a while only.
   1 metadata                 ObjectMeta       always
   2 eventTime                MicroTime        required : When it was first seen.
   3 series                   *EventSeries : That it goes on happening.
   4 reportingController      string : The controller that says so.
   5 reportingInstance        string
   6 action                   string : What was done, or failed.
   7 reason                   string : Why, in one word that programs can read.
   8 regarding                ObjectReference : What it happened to.
   9 related                  *ObjectReference
  10 note                     string : What happened, for people. At most 1 KiB.
  11 type                     string : Normal or Warning.
  12 deprecatedSource         EventSource
  13 deprecatedFirstTimestamp Time
  14 deprecatedLastTimestamp  Time
  15 deprecatedCount          int32

EventSeries
   1 count            int32     required
   2 lastObservedTime MicroTime required
`,
  coreTypes,
  metaTypes,
);
