import { readFileSync, writeFileSync } from 'node:fs';
import { mapPlaces } from '@lifeline/envoy-api';
import { expect, it } from 'vitest';
import { encodeText, sliceOf } from '../wire/text.ts';
import { placeType, placeTypeOf } from './map-places.ts';

const file = new URL('gen/map-places.ts', import.meta.url);

function generated(): string {
  const { types, byName } = mapPlaces();
  const rows = types.map((places) =>
    JSON.stringify(places.flatMap(({ field, isMap, leadsTo = -1 }) => [field, Number(isMap), leadsTo])),
  );
  const names = [...byName].map(([name, index]) => `  '${name}': ${index},`);
  return `/** Made by map-places.test.ts from Envoy's API, not by hand. Per type, by its place here: field, whether it is a map, the type it leads to (-1: to none); and again. The first is \`Any\`. */
export const types: readonly (readonly number[])[] = [
${rows.map((row) => `  ${row},`).join('\n')}
];

/** The places of the types that have a name: what an \`Any\` may hold, and what a request lists. */
export const names: Readonly<Record<string, number>> = {
${names.join('\n')}
};
`;
}

it('the table is what the API says', () => {
  const text = generated();
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
  expect(text, 'if this is meant: UPDATE_GOLDEN=1 npx vitest run apps/edge-extension-server/src/edit/map-places').toBe(
    readFileSync(file, 'utf8'),
  );
});

const urlType = (name: string) => placeTypeOf(sliceOf(encodeText(`type.googleapis.com/${name}`)));

it('a type is found by its URL', () => {
  const accessLog = 'envoy.extensions.access_loggers.file.v3.FileAccessLog';
  expect(urlType(accessLog)).toBe(placeType(accessLog));
  expect(placeType(accessLog).places[3]?.leadsTo).toBe(placeType('google.protobuf.Struct'));
});

it('a type without maps leads nowhere, and so does one that nobody knows', () => {
  expect(urlType('envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer')).toBeUndefined();
  expect(urlType('example.com.Unknown')).toBeUndefined();
  expect(() => placeType('example.com.Unknown')).toThrow(RangeError);
});

it('where an Any can be is known', () => {
  expect(placeType('google.protobuf.Struct').hasAny).toBe(false);
  expect(placeType('envoy.config.listener.v3.Listener').hasAny).toBe(true);
});
