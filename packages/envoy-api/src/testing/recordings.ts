import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Beside `src` and `dist` alike. */
const folder = new URL('../../testdata/hook/', import.meta.url);
const ending = '.bin.gz';

/** The recorded hook requests by name, sorted. What each shows stands in their README. */
export const recordings: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith(ending))
  .map((file) => file.slice(0, -ending.length))
  .sort();

/** The bytes of a recorded `PostTranslateModifyRequest`. A fresh array at each call. */
export const recording = (name: string): Uint8Array =>
  Uint8Array.from(gunzipSync(readFileSync(new URL(name + ending, folder))));

/** The HTTPProxies and Connectors that fit the recordings, as YAML documents; the merged recordings' are left out. */
export const recordedIntent = (): string => readFileSync(new URL('intent.yaml', folder), 'utf8');
