/**
 * Each feature once, for readers: `testdata/golden/<feature>.in.yaml` has the objects of the index and the request, `<feature>.out.yaml`
 * the answer and what was found.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type HTTPProxyLike, isJsonObject, objectKey, type ObjectMeta } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { LiveIndex, type SeenConnector, type SeenGateway } from '@lifeline/edge';
import { encodeRequest } from '@lifeline/envoy-api';
import { expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { expectSafe, expectWhole } from './answer-rules.fixture.ts';
import { answered } from './edit.fixture.ts';

const folder = new URL('../../testdata/golden/', import.meta.url);
const file = (name: string): URL => new URL(name, folder);
const features = readdirSync(folder).flatMap((name) => /^(.+)\.in\.yaml$/.exec(name)?.[1] ?? []);

/** As much of an object as the index is told. */
type Told = SeenConnector & SeenGateway & HTTPProxyLike & { readonly kind: string; readonly metadata: ObjectMeta };

const tell: Readonly<Record<string, (index: LiveIndex, object: Told) => void>> = {
  HTTPProxy: (index, object) => index.setHTTPProxy(objectKey(object.metadata), object),
  Connector: (index, object) => void index.setConnector(objectKey(object.metadata), object),
  Gateway: (index, object) => index.setGateway(objectKey(object.metadata), object),
};

function indexWith(objects: readonly Told[]): LiveIndex {
  const index = new LiveIndex({ clock: new VirtualClock(), classes: [] });
  for (const object of objects) {
    const told = tell[object.kind];
    if (!told) throw new Error(`the index is told of no ${object.kind}`);
    told(index, object);
  }
  index.markSynced();
  return index;
}

function outputOf(input: string): string {
  const documents = parseAllDocuments(input).map((document): unknown => document.toJS());
  const objects = documents.filter(isJsonObject);
  const request = encodeRequest(objects.find((each) => !('kind' in each)) ?? {});
  const { answer, json } = answered(request, indexWith(objects.filter((each) => 'kind' in each) as unknown as Told[]));
  expectWhole(request, answer);
  expectSafe(request, answer);
  const found = {
    report: answer.rows,
    containedBy: Object.fromEntries(answer.containedBy),
    counts: Object.fromEntries(Object.entries(answer.counts).filter(([, count]) => count > 0)),
  };
  return [json, found].map((each) => stringify(each, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');
}

it.each(features)('%s', (feature) => {
  const output = outputOf(readFileSync(file(`${feature}.in.yaml`), 'utf8'));
  const golden = file(`${feature}.out.yaml`);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, output);
  expect(output, 'if this is meant: UPDATE_GOLDEN=1 npx vitest run apps/edge-extension-server/src/edit/golden').toBe(
    readFileSync(golden, 'utf8'),
  );
});

it('every output has an input', () => {
  const outputs = readdirSync(folder).flatMap((name) => /^(.+)\.out\.yaml$/.exec(name)?.[1] ?? []);
  expect(outputs).toEqual(features);
});
