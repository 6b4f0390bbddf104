/** JSON values as the bytes that go out. */
import { type JsonObject, JsonNumber, stringifyJson } from '@lifeline/core';
import { type ScalarTag, stringify } from 'yaml';
import type { OutputForm } from './negotiate.ts';

/** A view of pooled memory: never to be written to. */
export const utf8 = (text: string): Uint8Array => Buffer.from(text);

export function encode(value: JsonObject, { encoding, pretty }: Pick<OutputForm, 'encoding' | 'pretty'>): Uint8Array {
  switch (encoding) {
    case 'json':
      return utf8(pretty ? JSON.stringify(value, null, 2) : stringifyJson(value));
    case 'yaml':
      return utf8(stringify(value, yamlOptions));
  }
}

const exactNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof JsonNumber,
  test: /^$/,
  resolve: Number,
  stringify: ({ value }) => String(value),
};

/** As real servers write it. Clients read YAML 1.1: what would be no text there is quoted. */
const yamlOptions: Parameters<typeof stringify>[2] & object = {
  compat: 'yaml-1.1',
  customTags: [exactNumber],
  aliasDuplicateObjects: false,
  indentSeq: false,
  lineWidth: 0,
  sortMapEntries: true,
};
