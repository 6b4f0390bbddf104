/** What holds for every answer, whatever the request was. Each rule is written here a second time, on what the messages say. */
import { brokenRules, decodeRequest, decodeResponse, hookTypes } from '@lifeline/envoy-api';
import { isWellTyped } from '@lifeline/envoy-api/testing';
import { expect } from 'vitest';
import { draftOf, echoOf, spansOf } from './draft.fixture.ts';
import type { AnswerJson, RequestJson } from './edit.fixture.ts';
import type { Answer } from './editor.ts';
import { createQuiet } from './quiet.ts';
import type { Span } from './request.ts';

/** As text: comparing it costs nothing, comparing arrays of bytes costs more than all else here. */
const slices = (bytes: Uint8Array, spans: readonly Span[]): string[] =>
  spans.map(({ from, to }) => textOf(bytes.subarray(from, to)));

export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Every list is whole and in order, and what was not edited is the bytes that were received. */
export function expectWhole(request: Uint8Array, answer: Answer): void {
  const echo = echoOf(request);
  const received = draftOf(createQuiet().quiet(draftOf(echo)));
  const answered = draftOf(answer.bytes);
  expect(slices(answer.bytes, answered.secrets)).toEqual(slices(received.bytes, received.secrets));
  expect(slices(answer.bytes, answered.listeners)).toEqual(slices(received.bytes, received.listeners));
  const clusters = slices(answer.bytes, spansOf(answer.bytes, answered.clusters));
  expect(clusters).toHaveLength(received.clusters.size);
  const edited = slices(received.bytes, spansOf(received.bytes, received.clusters)).filter(
    (each, i) => each !== clusters[i],
  );
  expect(edited.length).toBeLessThanOrEqual(answer.counts.clustersReplaced + answer.counts.contained);
  expect(answered.routeConfigurations).toHaveLength(received.routeConfigurations.length);
}

/** Nothing is wrong with the answer that was not wrong with the request. */
export function expectSafe(request: Uint8Array, answer: Answer): void {
  if (!isReadable(request)) return;
  const received = decodeRequest(request) as unknown as RequestJson;
  const broken = brokenRules(hookTypes.request, request);
  const given = decodeResponse(answer.bytes) as unknown as AnswerJson;
  expectNoMore(brokenRules(hookTypes.response, answer.bytes), broken);
  expectNoMore(danglingClusters(given), danglingClusters(received));
  expectNoMore(secretsOf(given), secretsOf(received));
  for (const { virtual_hosts: hosts = [] } of given.routes ?? []) {
    const domains = hosts.flatMap(({ domains = [] }) =>
      domains.map((domain) => domain.replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
    );
    expect(domains).toHaveLength(new Set(domains).size);
  }
}

/** Who cannot read the request need not be able to read the answer. */
function isReadable(request: Uint8Array): boolean {
  if (!isWellTyped(hookTypes.request, request)) return false;
  try {
    decodeRequest(request);
    return true;
  } catch {
    return false;
  }
}

/** Nothing stands in the one that does not stand in the other. */
function expectNoMore(now: readonly string[], before: readonly string[]): void {
  const known = new Set(before);
  expect(now.filter((each) => !known.has(each))).toEqual([]);
}

/** The names of clusters that routes lead to and that are not there. */
function danglingClusters({ clusters = [], routes = [] }: AnswerJson): string[] {
  const names = new Set(clusters.map(({ name }) => name));
  return routes
    .flatMap(({ virtual_hosts: hosts = [] }) => hosts.flatMap(({ routes: each = [] }) => each))
    .flatMap(({ route }) =>
      [route?.cluster ?? [], (route?.weighted_clusters?.clusters ?? []).map(({ name }) => name)].flat(),
    )
    .filter((name) => !names.has(name));
}

/** The names of all secrets that are asked for, wherever they stand. */
function secretsOf({ clusters = [] }: AnswerJson): string[] {
  const text = JSON.stringify(clusters);
  return [
    ...text.matchAll(
      /"(?:validation_context_sds_secret_config|tls_certificate_sds_secret_configs)":\[?\{"name":"([^"]*)"/g,
    ),
  ].map(([, name = '']) => name);
}
