import { utf8Bytes } from '@lifeline/core';
import type { Cause } from '../../api-error.ts';
import { invalidValue, tooLong } from '../../field-error.ts';
import type { Resource, StoredObject } from '../resource.ts';
import { ageCell, ageColumn, builtinResource, column } from './builtin-resource.ts';
import { base64Bytes, dataLimitBytes, keyFlaws } from './config-key.ts';
import { sealedFlaws } from './immutable.ts';
import { coreTypes } from './types/core.ts';

interface ConfigMap {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

export const configMaps: Resource = builtinResource({
  kind: 'ConfigMap',
  plural: 'configmaps',
  types: coreTypes,
  namespaced: true,
  shortNames: ['cm'],
  columns: [column('Data', 'How many keys it holds.'), ageColumn],
  cells: (object, now) => {
    const { data = {}, binaryData = {} } = object as StoredObject & ConfigMap;
    return [Object.keys(data).length + Object.keys(binaryData).length, ageCell(object, now)];
  },
  strategy: {
    validate: (next, old) => [
      ...(old ? sealedFlaws(next as ConfigMap, old as ConfigMap, contents) : []),
      ...flaws(next as ConfigMap),
    ],
  },
});

const contents = ['data', 'binaryData'] as const;

function flaws({ data = {}, binaryData = {} }: ConfigMap): readonly Cause[] {
  const twice = Object.keys(data).filter((key) => Object.hasOwn(binaryData, key));
  const texts = Object.values(data).reduce((sum, text) => sum + utf8Bytes(text), 0);
  const bytes = Object.values(binaryData).reduce((sum, text) => sum + base64Bytes(text), 0);
  return [
    ...keyFlaws('data', Object.keys(data)),
    ...twice.map((key) => invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...keyFlaws('binaryData', Object.keys(binaryData)),
    // A real server says the whole object this way.
    ...(texts + bytes > dataLimitBytes ? [tooLong('[]', dataLimitBytes)] : []),
  ];
}
