/** Drafts for tests, of answers that nobody edited. */
import { Cursor } from '../wire/cursor.ts';
import { message } from '../wire/writer.ts';
import { ClusterNames, clusterStates } from './cluster-names.ts';
import type { AnsweredCluster, AnsweredVirtualHost, Draft, Fresh } from './draft.ts';
import { cluster, requestFields, responseFields, routeConfiguration } from './envoy-fields.ts';
import type { Field, Run, Span } from './request.ts';
import { receivedField, ResourceTable, writtenSpan } from './resource-table.ts';

type List = keyof typeof responseFields;
const lists = Object.keys(responseFields) as List[];

/** The answer that gives every list of a request back as it was received. */
export const echoOf = (request: Uint8Array): Uint8Array =>
  message((out) => {
    const cursor = new Cursor(request);
    while (cursor.next()) {
      const list = lists.find((each) => cursor.isBytes(requestFields[each]));
      if (list) out.bytes(responseFields[list], request.subarray(cursor.from, cursor.to));
    }
  }).slice();

function fieldsOf(bytes: Uint8Array, field: number, { from, to }: Span = { from: 0, to: bytes.length }): Field[] {
  const cursor = new Cursor(bytes, from, to);
  const fields: Field[] = [];
  while (cursor.next())
    if (cursor.isBytes(field)) fields.push({ start: cursor.start, from: cursor.from, to: cursor.to });
  return fields;
}

/** Resources that stand as they were received. */
function tableOf<T>(fields: readonly Field[], itemOf: (field: Field) => T): ResourceTable<T> {
  const table = new ResourceTable<T>();
  for (const field of fields) table.add(itemOf(field), field, field);
  return table;
}

/** The same resources, the first of them as another one, written somewhere else. */
export function withFirst<T>(
  table: ResourceTable<T>,
  change: (item: T) => T,
  written?: Pick<Field, 'start' | 'to'>,
): ResourceTable<T> {
  const changed = new ResourceTable<T>();
  for (let number = 0; number < table.size; number++) {
    const received = receivedField(table, number);
    const now = number === 0 && written ? written : received;
    changed.add(number === 0 ? change(table.item(number)) : table.item(number), received, now);
  }
  return changed;
}

/** Where all of them stand in the answer. */
export const spansOf = (answer: Uint8Array, table: ResourceTable<unknown>): readonly Span[] =>
  Array.from({ length: table.size }, (_, number) => writtenSpan(answer, table, number));

const allOf = ({ size }: ResourceTable<unknown>): readonly Fresh[] =>
  Array.from({ length: size }, (_, number) => ({ number, ordinal: number }));

const single = (field: Field): Run => ({ ...field, held: -1, count: 1, end: field.to });

/** The draft of an answer in which every resource stands as it was received. Whose its virtual hosts are is not known. */
export function draftOf(answer: Uint8Array): Draft {
  const received = (span: Span) => ({ bytes: answer, from: span.from, to: span.to });
  const ofAnswer = (list: List): Field[] => fieldsOf(answer, responseFields[list]);
  const [secrets, listeners, routes] = [ofAnswer('secrets'), ofAnswer('listeners'), ofAnswer('routes')];
  const hostsOf = (configuration: Span): Field[] => fieldsOf(answer, routeConfiguration.virtualHosts, configuration);
  const clusters = tableOf(ofAnswer('clusters'), ({ from, to }): AnsweredCluster => {
    const cursor = new Cursor(answer, from, to);
    const name = cursor.seek(cluster.name) ? { from: cursor.from - from, to: cursor.to - from } : { from: 0, to: 0 };
    return { name, state: clusterStates.plain, proxy: undefined, program: undefined, connectors: [], isTold: false };
  });
  const owner = { gateway: undefined, stamp: undefined };
  const virtualHosts = tableOf(routes.flatMap(hostsOf), (): AnsweredVirtualHost => ({
    owner,
    clusters: [],
    numbering: 0,
    edited: false,
    connected: false,
    offlineRoutes: 0,
    isTold: false,
  }));
  const names = new ClusterNames();
  names.hold(clusters, answer, undefined);
  let ordinal = 0;
  return {
    request: {
      bytes: answer,
      clusters: ofAnswer('clusters').map(single),
      secrets: secrets.map(received),
      listeners: listeners.map(received),
      routeConfigurations: routes.map((each) => ({
        ...received(each),
        runs: hostsOf(each).map((host) => ({ ...single(host), ordinal: ordinal++, owner })),
      })),
      virtualHostCount: virtualHosts.size,
      gateways: [],
      generation: 0,
      heldVirtualHosts: new ResourceTable(),
    },
    bytes: answer,
    clusters,
    freshClusters: allOf(clusters),
    names,
    listeners,
    secrets,
    routeConfigurations: routes,
    virtualHosts,
    freshVirtualHosts: allOf(virtualHosts),
  };
}
