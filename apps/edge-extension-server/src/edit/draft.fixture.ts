/** Drafts for tests, of answers that nobody edited. */
import { Cursor } from '../wire/cursor.ts';
import { message } from '../wire/writer.ts';
import { type ClusterState, clusterStates } from './cluster-names.ts';
import type { Draft, DraftRouteConfiguration, DraftVirtualHost } from './draft.ts';
import { cluster, requestFields, responseFields, routeConfiguration } from './envoy-fields.ts';
import { NameMap } from './name-map.ts';
import type { Span } from './request.ts';

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

function spansOf(bytes: Uint8Array, field: number, { from, to }: Span = { from: 0, to: bytes.length }): Span[] {
  const cursor = new Cursor(bytes, from, to);
  const spans: Span[] = [];
  while (cursor.next()) if (cursor.isBytes(field)) spans.push({ from: cursor.from, to: cursor.to });
  return spans;
}

/** The draft of an answer in which every resource stands as it was received. Whose its virtual hosts are is not known. */
export function draftOf(answer: Uint8Array): Draft {
  const received = (span: Span) => ({ bytes: answer, ...span });
  const clusters = spansOf(answer, responseFields.clusters);
  const secrets = spansOf(answer, responseFields.secrets);
  const listeners = spansOf(answer, responseFields.listeners);
  const names = new NameMap<ClusterState>();
  for (const { from, to } of clusters) {
    const cursor = new Cursor(answer, from, to);
    if (cursor.seek(cluster.name)) names.set(cursor.slice(), clusterStates.plain);
  }
  let ordinal = 0;
  const virtualHostsOf = (configuration: Span): DraftVirtualHost[] =>
    spansOf(answer, routeConfiguration.virtualHosts, configuration).map((span) => ({
      ...span,
      part: { ...received(span), ordinal: ordinal++, gateway: undefined, stamp: undefined },
      clusters: [],
      edited: false,
      connected: false,
      offlineRoutes: 0,
      isTold: false,
      start: span.from,
      isRecalled: false,
    }));
  const routeConfigurations = spansOf(answer, responseFields.routes).map((span): DraftRouteConfiguration => ({
    ...span,
    virtualHosts: virtualHostsOf(span),
  }));
  return {
    request: {
      bytes: answer,
      clusters: clusters.map(received),
      secrets: secrets.map(received),
      listeners: listeners.map(received),
      routeConfigurations: routeConfigurations.map(({ virtualHosts, ...span }) => ({
        ...received(span),
        virtualHosts: virtualHosts.map(({ part }) => part),
      })),
      gateways: [],
    },
    bytes: answer,
    clusters: clusters.map((span) => ({
      ...span,
      part: received(span),
      start: span.from,
      name: { from: 0, to: 0 },
      state: clusterStates.plain,
      proxy: undefined,
      program: undefined,
      connectors: [],
      isTold: false,
      isRecalled: false,
    })),
    names,
    listeners,
    secrets,
    routeConfigurations,
  };
}
